package vec

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// worker is what one goroutine needs to play slots. Its tail keeps what the next
// one writes off its cache lines.
type worker struct {
	number int
	list   []env.Action // the legal actions of the slots it has played
	base   int          // where in list those of the block begin
	staged []env.Action // list of the blocks whose place is not known yet
	legal  []env.Action // of one slot
	planes []uint8      // of one slot
	policy Policy
	fault  fault
	_      [64]byte
}

// fault is an error in a slot. Its zero value is none.
type fault struct {
	slot int
	err  error
}

// note keeps the fault of the lowest slot, so that it does not depend on who
// came first.
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

// takeFault returns the fault of the lowest slot and forgets all.
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

// A job does something with the slots of a block.
type job func(w *worker, b *block)

// together tells whether the team plays.
func (v *Vec) together() bool { return v.team != nil && v.pace.together }

// each does a job with all blocks.
func (v *Vec) each(do job) {
	if !v.together() {
		for b := range v.blocks {
			do(&v.workers[0], &v.blocks[b])
		}
		return
	}
	v.job = do
	v.shares.refill()
	v.team.run(v.takeJob)
	v.job = nil
}

// takeBlocks is one goroutine's part of each.
func (v *Vec) takeBlocks(goroutine int) {
	w := &v.workers[goroutine]
	for b := v.shares.take(goroutine); b >= 0; b = v.shares.take(goroutine) {
		v.job(w, &v.blocks[b])
	}
}

// sweep does a job that shows the slots, with all blocks, and puts their lists
// of legal actions together.
func (v *Vec) sweep(do job) {
	if v.LegalOffsets == nil {
		v.each(do)
		return
	}
	if !v.together() {
		w := &v.workers[0]
		w.list, w.base = v.LegalActions[:0], 0
		v.each(do)
		v.LegalActions = w.list
		return
	}
	v.placed, v.inPlace = 0, 0
	for g := range v.workers {
		v.workers[g].staged = v.staging[g]
	}
	v.each(do)
	total := 0
	for b := range v.blocks {
		v.blocks[b].place = total
		total += len(v.blocks[b].list)
	}
	v.LegalActions = v.LegalActions[:total]
	v.each(v.gatherJob)
}

// enter and leave stand around the lists of a block when the team plays. The
// leader writes those of the first blocks, as long as it plays them one after the
// other, to where they belong; all others are staged until that is known.
func (v *Vec) enter(w *worker, b *block) {
	if !v.together() || v.LegalOffsets == nil {
		return
	}
	if w.number == 0 && b == &v.blocks[v.inPlace] {
		w.list = v.LegalActions[:v.placed]
	} else {
		w.list = w.staged
	}
	w.base = len(w.list)
}

func (v *Vec) leave(w *worker, b *block) {
	if !v.together() || v.LegalOffsets == nil {
		return
	}
	b.list = w.list[w.base:]
	if w.number == 0 && b == &v.blocks[v.inPlace] {
		v.placed = len(w.list)
		v.inPlace = min(v.inPlace+1, len(v.blocks)-1)
	} else {
		w.staged = w.list
	}
}

// gatherBlock copies the list of a block to where it belongs.
func (v *Vec) gatherBlock(_ *worker, b *block) {
	if to := v.LegalActions[b.place:]; len(b.list) > 0 && &to[0] != &b.list[0] {
		copy(to, b.list)
	}
	offsets := v.LegalOffsets[b.begin+1 : b.end+1]
	for i := range offsets {
		offsets[i] += int32(b.place)
	}
}
