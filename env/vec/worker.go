package vec

import (
	"fmt"
	"runtime/debug"

	"github.com/sandtable-farm/sandtable/env"
)

// worker holds what one goroutine needs to play slots. Its padding keeps the next
// worker off its cache lines.
type worker struct {
	number int
	list   []env.Action // legal actions of the slots it has played
	base   int          // index in list of the block's first action
	staged []env.Action // list of the blocks whose offset is not known yet
	legal  []env.Action // buffer for one slot
	planes []uint8      // buffer for one slot
	policy Policy
	fault  fault
	_      [64]byte
}

// fault is an error in a slot. The zero value means no error.
type fault struct {
	slot int
	err  error
}

// note keeps the fault of the lowest slot, so that the error does not depend on the
// order in which goroutines play.
func (f *fault) note(slot int, err error) {
	if f.err == nil || slot < f.slot {
		f.slot, f.err = slot, err
	}
}

func (v *Vec) makeWorkers(count int) error {
	v.workers = make([]worker, count)
	for g := range v.workers {
		w := &v.workers[g]
		w.number = g
		w.legal = v.spec.NewActions()
		if v.options.Outputs&OutBits != 0 {
			w.planes = make([]uint8, v.obsSize)
		}
		if v.LegalOffsets == nil {
			w.list = v.spec.NewActions()
		}
		w.policy = v.options.Opponent
		if w.policy != nil && g > 0 {
			var err error
			if w.policy, err = w.policy.Clone(); err != nil {
				return fmt.Errorf("option Opponent: %w", err)
			}
		}
	}
	return nil
}

// takeFault returns the fault of the lowest slot and clears all faults.
func (v *Vec) takeFault() fault {
	var first fault
	for g := range v.workers {
		if f := &v.workers[g].fault; f.err != nil {
			first.note(f.slot, f.err)
			*f = fault{}
		}
	}
	return first
}

// A job is work on the slots of a block.
type job func(w *worker, b *block)

// together reports whether the team plays, and not only its leader.
func (v *Vec) together() bool { return v.team != nil && v.pace.together }

// run does a job for all blocks.
func (v *Vec) run(do job) {
	if !v.together() {
		for b := range v.blocks {
			safely(do, &v.workers[0], &v.blocks[b])
		}
		return
	}
	v.job = do
	v.shares.refill()
	v.team.run(v.takeJob)
	v.job = nil
}

// takeBlocks is one goroutine's part of run.
func (v *Vec) takeBlocks(goroutine int) {
	w := &v.workers[goroutine]
	for b := v.shares.take(goroutine); b >= 0; b = v.shares.take(goroutine) {
		safely(v.job, w, &v.blocks[b])
	}
}

// safely does a job for a block. A panic of the game or of the opponent becomes a fault of
// the block's first slot, in helpers too, where no caller could recover it.
func safely(do job, w *worker, b *block) {
	defer func() {
		if r := recover(); r != nil {
			w.fault.note(b.begin, fmt.Errorf("panic in slots %d to %d: %v\n%s", b.begin, b.end-1, r, debug.Stack()))
		}
	}()
	do(w, b)
}

// runAndList does a job that writes the outputs of the slots, for all blocks, and
// joins their lists of legal actions.
func (v *Vec) runAndList(do job) {
	if v.LegalOffsets == nil {
		v.run(do)
		return
	}
	if !v.together() {
		w := &v.workers[0]
		w.list, w.base = v.LegalActions[:0], 0
		v.run(do)
		v.LegalActions = w.list
		v.publishOffsets()
		return
	}
	v.placed, v.nextBlock = 0, 0
	for g := range v.workers {
		v.workers[g].staged = v.staging[g]
	}
	v.run(do)
	total := 0
	for b := range v.blocks {
		v.blocks[b].offset = total
		total += len(v.blocks[b].list)
	}
	v.LegalActions = v.LegalActions[:total]
	v.run(v.gatherJob)
	v.publishOffsets()
}

// publishOffsets copies the offsets of the list to the caller's memory.
func (v *Vec) publishOffsets() {
	if v.foreign {
		copy(v.LegalOffsets, v.offsets)
	}
}

// beginBlock and endBlock surround a job of runAndList. When the team plays, they
// choose where the lists of the block are written. The leader writes those of the
// first blocks directly to LegalActions, as long as it plays these blocks in order.
// All others are staged until their offset is known.
func (v *Vec) beginBlock(w *worker, b *block) {
	if !v.together() || v.LegalOffsets == nil {
		return
	}
	if w.number == 0 && b == &v.blocks[v.nextBlock] {
		w.list = v.LegalActions[:v.placed]
	} else {
		w.list = w.staged
	}
	w.base = len(w.list)
}

func (v *Vec) endBlock(w *worker, b *block) {
	if !v.together() || v.LegalOffsets == nil {
		return
	}
	b.list = w.list[w.base:]
	if w.number == 0 && b == &v.blocks[v.nextBlock] {
		v.placed = len(w.list)
		v.nextBlock = min(v.nextBlock+1, len(v.blocks)-1)
	} else {
		w.staged = w.list
	}
}

// gatherBlock copies the list of a block to its offset in LegalActions.
func (v *Vec) gatherBlock(_ *worker, b *block) {
	if to := v.LegalActions[b.offset:]; len(b.list) > 0 && &to[0] != &b.list[0] {
		copy(to, b.list)
	}
	offsets := v.offsets[b.begin+1 : b.end+1]
	for i := range offsets {
		offsets[i] += int32(b.offset)
	}
}
