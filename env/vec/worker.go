package vec

import "github.com/sandtable-farm/sandtable/env"

// worker is what one goroutine needs to play slots. Its tail keeps what the next
// one writes off its cache lines.
type worker struct {
	list   []env.Action // the legal actions of the slots it has played
	base   int          // where in list those of the block begin
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

func (v *Vec) makeWorkers(count int) {
	v.workers = make([]worker, count)
	for g := range v.workers {
		w := &v.workers[g]
		w.legal = v.spec.NewActions()
		if v.options.Outputs&OutBits != 0 {
			w.planes = make([]uint8, v.obsSize)
		}
		if v.options.Opponent != nil {
			w.policy = v.options.Opponent
			if g > 0 {
				w.policy = w.policy.Clone()
			}
		}
		if v.LegalOffsets == nil {
			w.list = v.spec.NewActions()
		}
	}
}

// fault returns the fault of the lowest slot and forgets all.
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

// sweep does a job with all blocks and puts the lists of legal actions together.
func (v *Vec) sweep(do job) {
	if v.team == nil || !v.pace.together {
		w := &v.workers[0]
		if v.LegalOffsets != nil {
			w.list, w.base = v.LegalActions[:0], 0
		}
		for b := range v.blocks {
			do(w, &v.blocks[b])
		}
		if v.LegalOffsets != nil {
			v.LegalActions = w.list
		}
		return
	}
	v.job = do
	v.shares.refill()
	v.team.run(v.sweepMember)
	v.job = nil
	if v.LegalOffsets == nil {
		return
	}
	total := 0
	for b := range v.blocks {
		v.blocks[b].place = total
		total += v.blocks[b].count
	}
	v.LegalActions = v.LegalActions[:total]
	v.team.run(v.gatherMember)
}

// sweepBlocks is one goroutine's part of a sweep.
func (v *Vec) sweepBlocks(goroutine int) {
	w := &v.workers[goroutine]
	if v.LegalOffsets != nil {
		w.list = v.staging[goroutine][:0]
	}
	for b := v.shares.take(goroutine); b >= 0; b = v.shares.take(goroutine) {
		b := &v.blocks[b]
		w.base = len(w.list)
		b.worker, b.first = goroutine, w.base
		v.job(w, b)
		b.count = len(w.list) - w.base
	}
}

// gatherBlocks copies the lists of one goroutine to where they belong.
func (v *Vec) gatherBlocks(goroutine int) {
	w := &v.workers[goroutine]
	for b := range v.blocks {
		b := &v.blocks[b]
		if b.worker != goroutine {
			continue
		}
		copy(v.LegalActions[b.place:b.place+b.count], w.list[b.first:])
		offsets := v.LegalOffsets[b.begin+1 : b.end+1]
		for i := range offsets {
			offsets[i] += int32(b.place)
		}
	}
}
