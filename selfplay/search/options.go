package search

import (
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// Options configure an AlphaBeta. The zero value enables everything except the
// transposition table.
type Options struct {
	// Hash is the size of the transposition table in MiB, rounded down to a power
	// of two. 0 disables it.
	Hash int
	// Noise adds to every evaluation a number from −Noise to Noise that depends on
	// the position and the seed. It breaks ties, and makes the search prefer
	// positions with more choices (Beal and Smith 1994, "Random Evaluations in
	// Chess").
	Noise int
	// Plain disables quiescence, reductions and pruning, so that scores are those of
	// plain minimax to the depth.
	Plain bool
	// Version is the version of the behaviour, 1 to the constant Version; 0 means the
	// constant. Version 1 has no pruning and reduces late moves by 1 or 2 plies.
	Version int
	// Tuning replaces the constants that TuningOf returns. It may be nil. Version 1
	// does not use it.
	Tuning *Tuning
	// MaxDepth is the maximum depth of any search; it determines the memory used.
	// 0 means the constant MaxDepth.
	MaxDepth int
	// Prober supplies known scores. It may be nil.
	Prober Prober
}

// A Prober knows the scores of some positions, for example from an endgame tablebase.
// It is not used concurrently.
type Prober interface {
	// Probe returns the score of a running position from the view of the player to
	// move, and whether the position is known. The score is 0 or forced, within
	// MaxProbed plies.
	Probe(s env.State) (score int, ok bool)
}

// Upper bounds of options.
const (
	MaxDepth = 64
	MaxHash  = 1 << 16 // MiB
	MaxNoise = 10_000
	// MaxProbed bounds the plies to the end of the game that a Prober may return.
	MaxProbed = 256
	// MaxQuiescence is the depth of the quiescence search of AlphaBeta, and the
	// maximum depth of that of MCTS, in plies.
	MaxQuiescence = 6
)

// Validate returns an error that names every option out of range.
func (o Options) Validate() error {
	return checkRanges(
		optionRange{"hash", o.Hash, 0, MaxHash},
		optionRange{"noise", o.Noise, 0, MaxNoise},
		optionRange{"depth", o.MaxDepth, 0, MaxDepth},
		optionRange{"version", o.Version, 0, Version},
	)
}

type optionRange struct {
	name             string
	value, low, high int
}

func checkRanges(options ...optionRange) error {
	var errs []error
	for _, o := range options {
		if o.value < o.low || o.value > o.high {
			errs = append(errs, fmt.Errorf("%s is %d, must be %d to %d", o.name, o.value, o.low, o.high))
		}
	}
	return errors.Join(errs...)
}
