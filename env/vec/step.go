package vec

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// Step plays one action in each slot, which are len(actions), and overwrites the
// Results. The action of a finished slot is ignored under NextStep. Before
// anything is played all actions are looked at: an action that is not legal (but
// see Options.Illegal) and, under Disabled, a finished slot are errors that leave
// the batch as it is.
//
// An error of an opponent that plays wrongly, or of an opening that cannot be
// found, names the slot too; the batch must then be Reset.
func (v *Vec) Step(actions []env.Action) error {
	if err := v.ready("Step"); err != nil {
		return err
	}
	if len(actions) != len(v.slots) {
		return fmt.Errorf("vec: Step: %d actions for %d slots", len(actions), len(v.slots))
	}
	v.pace.begin()
	v.actions = actions
	v.each(v.checkJob)
	if f := v.takeFault(); f.err != nil {
		clear(v.forfeit)
		return fmt.Errorf("vec: Step: slot %d: %w", f.slot, f.err)
	}
	v.sweep(v.stepJob)
	v.actions = nil
	v.pace.end()
	return v.mend("Step")
}

func (v *Vec) stepBlock(w *worker, b *block) {
	v.enter(w, b)
	for i := b.begin; i < b.end; i++ {
		v.step(w, i, &v.slots[i], v.actions[i])
	}
	v.leave(w, b)
}

// checkBlock looks at the actions of a block up to the first fault.
func (v *Vec) checkBlock(w *worker, b *block) {
	for i := b.begin; i < b.end; i++ {
		if v.legal(w, i, v.actions[i]) {
			continue
		}
		if err := v.refuse(i); err != nil {
			w.fault.note(i, err)
			return
		}
	}
}

// refuse says what is wrong with the action of a slot, which is not among its
// legal ones: nothing where it is ignored or loses.
func (v *Vec) refuse(i int) error {
	switch s := &v.slots[i]; {
	case s.end != running && v.options.Autoreset == Disabled:
		return fmt.Errorf("the episode has ended; ResetSlots must begin the next one before a Step")
	case s.end != running:
		return nil
	case v.options.Illegal == IllegalLoses:
		v.forfeit[i] = true
		return nil
	}
	return fmt.Errorf("action %d is not legal", v.actions[i])
}

// legal tells whether an action is legal in a slot, by what the last call has
// written where that is an output.
func (v *Vec) legal(w *worker, i int, a env.Action) bool {
	if v.Mask != nil {
		return uint(a) < uint(v.spec.Actions) && v.Mask[i*v.maskWords+int(a)>>6]>>(a&63)&1 != 0
	}
	if v.LegalOffsets != nil {
		_, found := slices.BinarySearch(v.LegalActions[v.LegalOffsets[i]:v.LegalOffsets[i+1]], a)
		return found
	}
	if v.slots[i].end != running {
		return false
	}
	w.legal = v.slots[i].state.Legal(w.legal[:0])
	_, found := slices.BinarySearch(w.legal, a)
	return found
}

// SampleActions writes a uniformly random legal action of each slot into
// actions, which must have an element for each; 0 for a finished slot. Every slot
// draws from a generator of its own that Reset has seeded.
func (v *Vec) SampleActions(actions []env.Action) error {
	if err := v.ready("SampleActions"); err != nil {
		return err
	}
	if len(actions) != len(v.slots) {
		return fmt.Errorf("vec: SampleActions: room for %d actions of %d slots", len(actions), len(v.slots))
	}
	v.chosen = actions
	v.each(v.sampleJob)
	v.chosen = nil
	return nil
}

func (v *Vec) sampleBlock(w *worker, b *block) {
	for i := b.begin; i < b.end; i++ {
		s := &v.slots[i]
		var legal []env.Action
		switch {
		case s.mover == env.NoPlayer:
		case v.LegalOffsets != nil:
			legal = v.LegalActions[v.LegalOffsets[i]:v.LegalOffsets[i+1]]
		case s.sampler != nil:
			v.chosen[i] = s.sampler.Sample(&s.pick)
			continue
		default:
			w.legal = s.state.Legal(w.legal[:0])
			legal = w.legal
		}
		v.chosen[i] = 0
		if len(legal) > 0 {
			v.chosen[i] = legal[s.pick.IntN(len(legal))]
		}
	}
}
