package vec

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// Step plays actions[i] in each slot i and overwrites the Results. actions must
// have an element for each slot. Under NextStep, the action of a finished slot is
// ignored.
//
// Step checks all actions before it plays any. It returns an error that names slot
// and action, and leaves the batch unchanged, if an action is not legal (unless
// Options.Illegal is IllegalLoses) or, under Disabled, if a slot is finished.
//
// Step also returns an error if the opponent chooses an action that is not legal, or
// if no opening is found for the next episode. The batch must then be Reset.
func (v *Vec) Step(actions []env.Action) error {
	if err := v.ready("Step"); err != nil {
		return err
	}
	if len(actions) != len(v.slots) {
		return fmt.Errorf("vec: Step: %d actions, must be %d, one for each slot", len(actions), len(v.slots))
	}
	v.pace.begin()
	v.actions = actions
	v.run(v.checkJob)
	if f := v.takeFault(); f.err != nil {
		clear(v.forfeit)
		return fmt.Errorf("vec: Step: slot %d: %w", f.slot, f.err)
	}
	v.runAndList(v.stepJob)
	v.actions = nil
	v.pace.end()
	return v.report("Step")
}

// ErrIllegal is wrapped by the error of a Step that refuses an action.
var ErrIllegal = errors.New("not legal")

func (v *Vec) stepBlock(w *worker, b *block) {
	v.beginBlock(w, b)
	for i := b.begin; i < b.end; i++ {
		v.step(w, i, &v.slots[i], v.actions[i])
	}
	v.endBlock(w, b)
}

// checkBlock checks the actions of a block up to the first fault.
func (v *Vec) checkBlock(w *worker, b *block) {
	for i := b.begin; i < b.end; i++ {
		if v.isLegal(w, i, v.actions[i]) {
			continue
		}
		if err := v.handleIllegal(i); err != nil {
			w.fault.note(i, err)
			return
		}
	}
}

// handleIllegal deals with an action of slot i that is not legal. It returns nil if
// the action is ignored or loses.
func (v *Vec) handleIllegal(i int) error {
	switch s := &v.slots[i]; {
	case s.end != running && v.options.Autoreset == Disabled:
		return fmt.Errorf("the episode has ended; call ResetSlots before the next Step")
	case s.end != running:
		return nil
	case v.options.Illegal == IllegalLoses:
		v.forfeit[i] = true
		return nil
	}
	return fmt.Errorf("action %d is %w", v.actions[i], ErrIllegal)
}

// isLegal reports whether an action is legal in slot i. It reads the mask or the
// list if one is an output, and asks the state otherwise.
func (v *Vec) isLegal(w *worker, i int, a env.Action) bool {
	if v.mask != nil {
		return uint(a) < uint(v.spec.Actions) && v.mask[i*v.maskWords+int(a)>>6]>>(a&63)&1 != 0
	}
	if v.offsets != nil {
		_, found := slices.BinarySearch(v.LegalActions[v.offsets[i]:v.offsets[i+1]], a)
		return found
	}
	if v.slots[i].end != running {
		return false
	}
	w.legal = v.slots[i].state.Legal(w.legal[:0])
	_, found := slices.BinarySearch(w.legal, a)
	return found
}

// SampleActions sets actions[i] to a uniformly random legal action of slot i, and
// to 0 if the slot is finished. actions must have an element for each slot. Every
// slot draws from its own random generator, which Reset seeds. If the list is in
// memory of the caller (Options.Memory) and was overwritten, SampleActions draws what
// stands there, and Step refuses it.
func (v *Vec) SampleActions(actions []env.Action) error {
	if err := v.ready("SampleActions"); err != nil {
		return err
	}
	if len(actions) != len(v.slots) {
		return fmt.Errorf("vec: SampleActions: room for %d actions, must be %d, one for each slot", len(actions), len(v.slots))
	}
	v.chosen = actions
	v.run(v.sampleJob)
	v.chosen = nil
	return v.report("SampleActions")
}

func (v *Vec) sampleBlock(w *worker, b *block) {
	for i := b.begin; i < b.end; i++ {
		s := &v.slots[i]
		var legal []env.Action
		switch {
		case s.mover == env.NoPlayer:
		case v.offsets != nil:
			legal = v.LegalActions[v.offsets[i]:v.offsets[i+1]]
		case s.sampler != nil:
			v.chosen[i] = s.sampler.Sample(&s.sampleRand)
			continue
		default:
			w.legal = s.state.Legal(w.legal[:0])
			legal = w.legal
		}
		v.chosen[i] = 0
		if len(legal) > 0 {
			v.chosen[i] = legal[s.sampleRand.IntN(len(legal))]
		}
	}
}
