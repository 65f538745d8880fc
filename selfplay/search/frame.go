package search

import (
	"math"

	"github.com/sandtable-farm/sandtable/env"
)

// A frame is one ply of the search stack: a position and what the search knows of it.
// Frames are allocated once.
type frame struct {
	state     env.State
	noisy     env.Noisy // the same state, as are the next four; nil if the game does not implement it
	prizer    env.Prizer
	passer    env.Passer
	finisher  env.Finisher
	counter   env.Counter
	mover     env.Player // to move; NoPlayer when the game is over
	static    int        // evaluation without noise, from the mover's view; valid if hasStatic
	value     int        // static plus noise; valid if hasValue
	hasStatic bool
	hasValue  bool
	moves     moveList
	stage     stage        // of moves
	played    env.Action   // that leads to the next frame; NoAction for a null move
	tactical  []env.Action // captures and shots, as env.Noisy lists them
	legal     []env.Action
	killers   [2]env.Action
	pv        []env.Action // principal variation from here, in an open window
}

func newFrames(game env.Game, n int) []frame {
	spec := game.Spec()
	frames := make([]frame, n)
	for i, s := range game.NewStates(n) {
		f := &frames[i]
		f.state = s
		f.noisy, _ = s.(env.Noisy)
		f.prizer, _ = s.(env.Prizer)
		f.passer, _ = s.(env.Passer)
		f.finisher, _ = s.(env.Finisher)
		f.counter, _ = s.(env.Counter)
		f.legal, f.tactical = spec.NewActions(), spec.NewActions()
		f.moves = make(moveList, 0, spec.MaxLegal)
		f.pv = make([]env.Action, 0, n)
	}
	return frames
}

// set puts a copy of a position into the frame.
func (f *frame) set(s env.State) {
	f.state.CopyFrom(s)
	f.mover, f.hasStatic, f.hasValue = s.Player(), false, false
}

// key returns the key of the position in the transposition table. It combines the hash
// with the counters, if they can end the game within horizon plies, and with the number
// of occurrences, if the position occurred before.
func (f *frame) key(horizon int) uint64 {
	key := f.state.Hash()
	if f.counter == nil {
		return key
	}
	left, times := f.counter.Counters()
	if left > horizon {
		left = math.MaxInt32
	}
	if left != math.MaxInt32 || times > 1 {
		key ^= env.Derive(uint64(left)<<32 | uint64(times))
	}
	return key
}

// updatePV sets the principal variation to action a, followed by that of the next frame.
func (f *frame) updatePV(a env.Action, next *frame) {
	f.pv = append(append(f.pv[:0], a), next.pv...)
}

// storeKiller remembers a quiet action that caused a beta cutoff at this ply.
func (f *frame) storeKiller(a env.Action) {
	if f.killers[0] != a {
		f.killers[0], f.killers[1] = a, f.killers[0]
	}
}

// finish looks for an action that wins at once and is not a capture or a shot. If there is
// one, it becomes the principal variation.
func (f *frame) finish() bool {
	if f.finisher == nil {
		return false
	}
	a := f.finisher.Finish()
	if a == env.NoAction {
		return false
	}
	f.pv = append(f.pv[:0], a)
	return true
}
