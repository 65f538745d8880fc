package search

import (
	"fmt"
	"time"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// quietPlies is how many plies of captures and shots follow a leaf at most.
const quietPlies = 6

// AlphaBeta searches positions of one game. It keeps what it learnt from one
// search to the next until Begin, and belongs to one goroutine.
type AlphaBeta struct {
	spec      *env.Spec
	evaluator eval.Evaluator
	settled   bool // of the evaluator
	options   Options
	salt      uint64 // of the noise

	frames  []frame
	table   table
	history history

	limits   Limits
	deadline time.Time
	nodes    int64
	stopped  bool
	horizon  int  // plies that the present iteration can reach
	open     bool // the present iteration went into positions whose score is not known for certain

	lines   []Line // of the result
	current int    // line that is being searched
	best    int    // score of the root's line in the present iteration
	result  Result
	report  func(*Result)
}

// New makes a search for a game. Begin must be called before it is used.
func New(game env.Game, evaluator eval.Evaluator, options Options) (*AlphaBeta, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	spec := game.Spec()
	if spec.Actions >= 1<<actionBits {
		return nil, fmt.Errorf("%s has %d actions, search takes fewer than %d", spec.Name, spec.Actions, 1<<actionBits)
	}
	if options.MaxDepth == 0 {
		options.MaxDepth = MostDepth
	}
	frames := options.MaxDepth + 2
	if !options.Plain {
		frames += quietPlies
	}
	return &AlphaBeta{
		spec: spec, evaluator: evaluator, settled: evaluator.Settled(), options: options,
		frames: newFrames(game, frames), table: newTable(options.Hash), history: newHistory(spec.Actions),
	}, nil
}

// Report makes every search call f after each of its iterations, with the result
// so far.
func (s *AlphaBeta) Report(f func(*Result)) { s.report = f }

// Begin forgets everything learnt and sets the seed of the noise.
func (s *AlphaBeta) Begin(seed uint64) {
	s.salt = seed
	s.table.begin()
	s.history.clear()
	for i := range s.frames {
		s.frames[i].killers = [2]env.Action{env.NoAction, env.NoAction}
	}
}

// Search looks ahead from a running position, which it leaves as it is, and
// returns its best lines, so many as asked for or as there are legal actions.
func (s *AlphaBeta) Search(from env.State, limits Limits, lines int) *Result {
	s.limits, s.nodes, s.stopped = limits, 0, false
	if limits.Time > 0 {
		s.deadline = time.Now().Add(limits.Time)
	}
	s.table.age()
	s.history.fade()
	root := &s.frames[0]
	root.state.CopyFrom(from)
	root.mover, root.priced, root.valued = from.Player(), false, false
	return s.deepen(max(1, lines))
}

// make plays an action from one frame into the next.
func (s *AlphaBeta) make(ply int, a env.Action) {
	f, next := &s.frames[ply], &s.frames[ply+1]
	next.state.CopyFrom(f.state)
	next.state.Apply(a)
	next.mover = next.state.Player()
	next.priced, next.valued = false, false
}

// enter counts a position that the search goes into and looks at the limits.
func (s *AlphaBeta) enter() {
	s.nodes++
	if s.limits.Nodes > 0 && s.nodes >= s.limits.Nodes {
		s.stopped = true
	}
	const interval = 1 << 10
	if s.nodes%interval == 0 {
		s.look()
	}
}

// look stops a search that is out of time or interrupted.
func (s *AlphaBeta) look() {
	select {
	case <-s.limits.Done:
		s.stopped = true
	default:
	}
	if s.limits.Time > 0 && !time.Now().Before(s.deadline) {
		s.stopped = true
	}
}

// evaluate returns what a frame's position is worth to its mover, noise included.
func (s *AlphaBeta) evaluate(ply int) int {
	f := &s.frames[ply]
	if f.valued {
		return f.value
	}
	if !f.priced {
		f.price, f.priced = s.evaluator.Evaluate(f.state), true
	}
	f.value, f.valued = f.price+s.noise(f), true
	return f.value
}

// noise is the random part of an evaluation.
func (s *AlphaBeta) noise(f *frame) int {
	if s.options.Noise == 0 {
		return 0
	}
	span := uint64(2*s.options.Noise + 1)
	return int(env.Derive(s.salt, f.state.Hash())>>32*span>>32) - s.options.Noise
}

// seen is what a frame's position is worth to p.
func (s *AlphaBeta) seen(ply int, p env.Player) int {
	if s.frames[ply].mover == p {
		return s.evaluate(ply)
	}
	return -s.evaluate(ply)
}

// inherit gives the next frame the price of this one where a quiet action cannot
// have changed it.
func (s *AlphaBeta) inherit(ply int) {
	f, next := &s.frames[ply], &s.frames[ply+1]
	if !s.settled || !f.priced {
		return
	}
	next.price, next.priced = f.price, true
	if next.mover != f.mover {
		next.price = -f.price
	}
}
