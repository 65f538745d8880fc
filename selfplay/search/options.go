package search

import (
	"errors"
	"fmt"
	"time"

	"github.com/sandtable-farm/sandtable/env"
)

// Options of an AlphaBeta. The zero value searches with everything on but the table.
type Options struct {
	// Hash is the size of the transposition table in MiB, rounded down to a power
	// of two; 0 is none.
	Hash int
	// Noise adds to every evaluation a number from −Noise to Noise that depends on
	// the position and the seed. It breaks ties, and makes a search prefer
	// positions with more to choose from (Beal and Smith 1994, "Random
	// Evaluations in Chess").
	Noise int
	// Plain switches off quiescence and late-move reductions: the score is then
	// that of plain minimax to the depth.
	Plain bool
	// MaxDepth is the depth that no search will exceed; it bounds the memory.
	// 0 is MostDepth.
	MaxDepth int
	// Prober knows positions that need not be searched; nil for none.
	Prober Prober
}

// A Prober knows what some positions are worth, such as a table of endgames. It
// belongs to one goroutine.
type Prober interface {
	// Probe returns the score of a running position, which is forced or 0, and
	// whether it knows it. A win in more than MostProbed plies it does not know.
	Probe(s env.State) (score int, ok bool)
}

// Bounds of options and limits.
const (
	MostDepth = 64
	MostHash  = 1 << 16
	MostNoise = 10_000
	// MostProbed bounds the plies of what a Prober knows.
	MostProbed = 256
)

// Validate tells what is wrong with the options.
func (o Options) Validate() error {
	var faults []error
	for _, v := range [...]struct {
		name  string
		value int
		most  int
	}{{"hash", o.Hash, MostHash}, {"noise", o.Noise, MostNoise}, {"depth", o.MaxDepth, MostDepth}} {
		if v.value < 0 || v.value > v.most {
			faults = append(faults, fmt.Errorf("%s is %d, must be 0 to %d", v.name, v.value, v.most))
		}
	}
	return errors.Join(faults...)
}

// Limits end a search. At least one of them must be set, or it goes to MaxDepth.
type Limits struct {
	Depth int           // plies; 0 is none but MaxDepth
	Nodes int64         // 0 is none; kept exactly
	Time  time.Duration // 0 is none; looked at every thousand nodes
	// Done interrupts the search when it is closed; looked at as often.
	Done <-chan struct{}
}

// A Result is what a search found. Its slices belong to the AlphaBeta and are
// valid until the next search.
type Result struct {
	Lines []Line // best first; at least one
	Depth int    // plies of the last iteration that was completed
	Nodes int64  // positions entered
}

// Best returns the best line.
func (r *Result) Best() *Line { return &r.Lines[0] }

// A Line is a first action with what is expected to follow.
type Line struct {
	Score   int // see package documentation
	Depth   int // of the iteration that it comes from
	Actions []env.Action
}
