package search

import (
	"math"

	"github.com/sandtable-farm/sandtable/env"
)

// A frame is one ply of the line being searched: its position and what the
// search keeps of it. Frames are allocated once.
type frame struct {
	state   env.State
	noisy   env.Noisy   // the same state; nil where the game has none
	counter env.Counter // the same state; nil where the game has none
	mover   env.Player  // NoPlayer when the game is over
	price   int         // by the evaluator, the mover's view; valid when priced
	value   int         // price and noise; valid when valued
	priced  bool
	valued  bool
	moves   moveList
	loud    []env.Action // what Noisy lists
	legal   []env.Action
	killers [2]env.Action
	line    []env.Action // the best line from here, in a full window
}

func newFrames(game env.Game, n int) []frame {
	spec := game.Spec()
	frames := make([]frame, n)
	for i, s := range game.NewStates(n) {
		f := &frames[i]
		f.state = s
		f.noisy, _ = s.(env.Noisy)
		f.counter, _ = s.(env.Counter)
		f.legal, f.loud = spec.NewActions(), spec.NewActions()
		f.moves = make(moveList, 0, spec.MaxLegal)
		f.line = make([]env.Action, 0, n)
	}
	return frames
}

// key is what the table knows the position by: its hash, with its counters where
// they can end the game within so many plies, and with its occurrences where it
// is not the first.
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

// follow makes the best line from here a followed by that of the next frame.
func (f *frame) follow(a env.Action, next *frame) {
	f.line = append(append(f.line[:0], a), next.line...)
}
