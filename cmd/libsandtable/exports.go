package main

import "C"

import (
	"unsafe"

	"github.com/sandtable-farm/sandtable/cmd/libsandtable/library"
	"github.com/sandtable-farm/sandtable/env"
)

//export st_abi
func st_abi() int64 { return library.Version }

//export st_error
func st_error(code int64, text unsafe.Pointer, capacity int64) int64 {
	return with(text, capacity, func(b []byte) (int64, error) { return lib.Fault(code, b), nil })
}

//export st_live
func st_live() int64 { return lib.Live() }

//export st_close
func st_close(handle int64) int64 { return result(lib.Close(handle)) }

//export st_wait
func st_wait(handle, milliseconds int64) int64 { return result(lib.Wait(handle, milliseconds)) }

//export st_cancel
func st_cancel(handle int64) int64 { return result(lib.Cancel(handle)) }

//export st_report
func st_report(handle int64, text unsafe.Pointer, capacity int64) int64 {
	return with(text, capacity, func(b []byte) (int64, error) { return lib.Report(handle, b) })
}

//export st_games
func st_games(text unsafe.Pointer, capacity int64) int64 { return with(text, capacity, lib.Games) }

//export st_load
func st_load(json unsafe.Pointer, length int64) int64 { return with(json, length, lib.Load) }

//export st_describe
func st_describe(game int64, text unsafe.Pointer, capacity int64) int64 {
	return with(text, capacity, func(b []byte) (int64, error) { return lib.Describe(game, b) })
}

//export st_layout
func st_layout(game int64, options unsafe.Pointer, length int64, text unsafe.Pointer, capacity int64) int64 {
	return with(options, length, func(o []byte) (int64, error) {
		b, err := array[byte](text, capacity)
		if err != nil {
			return 0, err
		}
		return lib.Layout(game, o, b)
	})
}

//export st_batch
func st_batch(game int64, options unsafe.Pointer, length int64, pointers, sizes unsafe.Pointer, count int64) int64 {
	return with(options, length, func(o []byte) (int64, error) {
		memory, err := pieces(pointers, sizes, count)
		if err != nil {
			return 0, err
		}
		return lib.NewBatch(game, o, memory)
	})
}

//export st_reset
func st_reset(batch int64, seed uint64) int64 { return result(lib.Reset(batch, seed)) }

//export st_reset_slots
func st_reset_slots(batch int64, mask unsafe.Pointer, n int64) int64 {
	return with(mask, n, func(m []uint8) (int64, error) { return lib.ResetSlots(batch, m) })
}

//export st_step
func st_step(batch int64, actions unsafe.Pointer, n int64) int64 {
	return with(actions, n, func(a []env.Action) (int64, error) { return lib.Step(batch, a) })
}

//export st_send
func st_send(batch int64, actions unsafe.Pointer, n int64) int64 {
	return with(actions, n, func(a []env.Action) (int64, error) { return lib.Send(batch, a) })
}

//export st_sample
func st_sample(batch int64, actions unsafe.Pointer, n int64) int64 {
	return with(actions, n, func(a []env.Action) (int64, error) { return lib.Sample(batch, a) })
}

//export st_save
func st_save(batch, slot int64, data unsafe.Pointer, capacity int64) int64 {
	return with(data, capacity, func(b []byte) (int64, error) { return lib.Save(batch, slot, b) })
}

//export st_load_batch
func st_load_batch(batch, slot int64, data unsafe.Pointer, length int64) int64 {
	return with(data, length, func(b []byte) (int64, error) { return lib.LoadBatch(batch, slot, b) })
}

//export st_set
func st_set(batch, slot int64, position unsafe.Pointer, length int64) int64 {
	return with(position, length, func(b []byte) (int64, error) { return lib.Set(batch, slot, b) })
}

//export st_slot_state
func st_slot_state(batch, slot int64) int64 { return result(lib.SlotState(batch, slot)) }

// A null position means the start of the game.
//
//export st_new_state
func st_new_state(game int64, position unsafe.Pointer, length int64) int64 {
	return with(position, length, func(b []byte) (int64, error) {
		if position != nil && b == nil {
			b = []byte{}
		}
		return lib.NewState(game, b)
	})
}

//export st_clone
func st_clone(state int64) int64 { return result(lib.Clone(state)) }

//export st_copy_from
func st_copy_from(to, from int64) int64 { return result(lib.CopyFrom(to, from)) }

//export st_status
func st_status(state int64) int64 { return result(lib.Status(state)) }

//export st_apply
func st_apply(state, action int64) int64 { return result(lib.Apply(state, action)) }

//export st_legal
func st_legal(state int64, actions unsafe.Pointer, n int64) int64 {
	return with(actions, n, func(a []env.Action) (int64, error) { return lib.Legal(state, a) })
}

//export st_mask
func st_mask(state int64, mask unsafe.Pointer, n int64) int64 {
	return with(mask, n, func(m []int8) (int64, error) { return lib.Mask(state, m) })
}

//export st_observe
func st_observe(state, viewer int64, planes unsafe.Pointer, n int64) int64 {
	return with(planes, n, func(p []uint8) (int64, error) { return lib.Observe(state, viewer, p) })
}

//export st_observe_bits
func st_observe_bits(state, viewer int64, bits unsafe.Pointer, words int64, scalars unsafe.Pointer, n int64) int64 {
	return with(bits, words, func(b []uint64) (int64, error) {
		s, err := array[uint8](scalars, n)
		if err != nil {
			return 0, err
		}
		return lib.ObserveBits(state, viewer, b, s)
	})
}

//export st_position
func st_position(state int64, text unsafe.Pointer, capacity int64) int64 {
	return with(text, capacity, func(b []byte) (int64, error) { return lib.Position(state, b) })
}

//export st_set_position
func st_set_position(state int64, text unsafe.Pointer, length int64) int64 {
	return with(text, length, func(b []byte) (int64, error) { return lib.SetPosition(state, b) })
}

//export st_action_text
func st_action_text(state, action int64, text unsafe.Pointer, capacity int64) int64 {
	return with(text, capacity, func(b []byte) (int64, error) { return lib.ActionText(state, action, b) })
}

//export st_parse_action
func st_parse_action(state int64, text unsafe.Pointer, length int64) int64 {
	return with(text, length, func(b []byte) (int64, error) { return lib.ParseAction(state, b) })
}

//export st_hash
func st_hash(state int64, hash unsafe.Pointer) int64 {
	return with(hash, 1, func(h []uint64) (int64, error) { return lib.Hash(state, h) })
}

//export st_points
func st_points(state int64, points unsafe.Pointer) int64 {
	return with(points, 2, func(p []int64) (int64, error) { return lib.Points(state, p) })
}

//export st_text
func st_text(state int64, text unsafe.Pointer, capacity int64) int64 {
	return with(text, capacity, func(b []byte) (int64, error) { return lib.Text(state, b) })
}

//export st_svg
func st_svg(state, width, viewer, bare int64, text unsafe.Pointer, capacity int64) int64 {
	return with(text, capacity, func(b []byte) (int64, error) { return lib.SVG(state, width, viewer, bare, b) })
}

//export st_pixels
func st_pixels(state, width, viewer, bare int64, pixels unsafe.Pointer, capacity int64) int64 {
	return with(pixels, capacity, func(b []byte) (int64, error) { return lib.Pixels(state, width, viewer, bare, b) })
}

//export st_image
func st_image(state, symmetry int64, actions unsafe.Pointer, n int64) int64 {
	return with(actions, n, func(a []env.Action) (int64, error) { return lib.Image(state, symmetry, a) })
}

//export st_snapshot
func st_snapshot(state int64, data unsafe.Pointer, capacity int64) int64 {
	return with(data, capacity, func(b []byte) (int64, error) { return lib.Snapshot(state, b) })
}

//export st_restore
func st_restore(game int64, data unsafe.Pointer, length int64) int64 {
	return with(data, length, func(b []byte) (int64, error) { return lib.Restore(game, b) })
}

//export st_play
func st_play(state int64, actions unsafe.Pointer, n int64, pointers, sizes unsafe.Pointer, count int64) int64 {
	return with(actions, n, func(a []env.Action) (int64, error) {
		memory, err := pieces(pointers, sizes, count)
		if err != nil {
			return 0, err
		}
		return lib.Play(state, a, memory)
	})
}

//export st_agent
func st_agent(game int64, options unsafe.Pointer, length int64) int64 {
	return with(options, length, func(o []byte) (int64, error) { return lib.NewAgent(game, o) })
}

//export st_choose
func st_choose(agent, state int64) int64 { return result(lib.Choose(agent, state)) }

//export st_analyse
func st_analyse(agent, state, lines int64) int64 { return result(lib.Analyse(agent, state, lines)) }

//export st_match
func st_match(game int64, options unsafe.Pointer, length int64) int64 {
	return with(options, length, func(o []byte) (int64, error) { return lib.NewMatch(game, o) })
}

//export st_match_play
func st_match_play(match int64) int64 { return result(lib.PlayMatch(match)) }
