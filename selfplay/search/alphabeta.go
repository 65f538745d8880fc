package search

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// AlphaBeta searches positions of one game. It keeps its transposition table, history
// and killers from one search to the next; Begin clears them. It must not be used
// concurrently.
type AlphaBeta struct {
	quiescence
	options Options
	classic bool // version 1 or plain
	table   table
	history history

	// The rest of the move order and the constants of later versions than 1.
	sequels    sequels
	counters   [2][]env.Action // by player and action before: the last quiet action that refuted it
	partSize   env.Action      // see part
	tuning     *Tuning
	reductions *reductions

	horizon    int  // plies that the current iteration can reach
	unresolved bool // the current iteration entered a running position that the Prober does not know

	lines     []Line // of the result
	whole     []Line // of the last complete iteration
	current   int    // index of the line being searched
	rootScore int    // of the current line, so far in this iteration
	result    Result
	report    func(*Result)
}

// New returns a search for a game. Call Begin before the first search. It returns an
// error if an option is out of range or the game has too many actions for the
// transposition table.
func New(game env.Game, evaluator eval.Evaluator, options Options) (*AlphaBeta, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	spec := game.Spec()
	if spec.Actions >= 1<<actionBits {
		return nil, fmt.Errorf("%s has %d actions, search supports fewer than %d", spec.Name, spec.Actions, 1<<actionBits)
	}
	if options.MaxDepth == 0 {
		options.MaxDepth = MaxDepth
	}
	frames := options.MaxDepth + 2
	if !options.Plain {
		frames += MaxQuiescence
	}
	s := &AlphaBeta{
		quiescence: newQuiescence(game, evaluator, options.Noise, frames), options: options,
		classic: options.Version == 1 || options.Plain, table: newTable(options.Hash), history: newHistory(spec.Actions),
	}
	if s.tuning = options.Tuning; s.tuning == nil {
		tuning := TuningOf(game)
		s.tuning = &tuning
	}
	s.partSize = 1
	for i, f := range spec.ActionFactors {
		if i > 0 {
			s.partSize *= env.Action(f.Size)
		}
	}
	if !s.classic {
		s.sequels, s.reductions = make(sequels, 1<<sequelBits), newReductions(s.tuning)
		s.counters = [2][]env.Action{make([]env.Action, spec.Actions), make([]env.Action, spec.Actions)}
	}
	return s, nil
}

// Report makes every search call f with its result so far after each iteration.
func (s *AlphaBeta) Report(f func(*Result)) { s.report = f }

// Begin discards everything learnt from earlier searches and sets the seed of the
// evaluation noise.
func (s *AlphaBeta) Begin(seed uint64) {
	s.seed = seed
	s.table.begin()
	s.history.clear()
	clear(s.sequels)
	for _, answers := range s.counters {
		for i := range answers {
			answers[i] = env.NoAction
		}
	}
	for i := range s.frames {
		s.frames[i].killers = [2]env.Action{env.NoAction, env.NoAction}
	}
}

// Search searches a running position, which it does not change, and returns its best
// lines. It returns the given number of lines, but at least 1 and at most one for each
// legal action.
func (s *AlphaBeta) Search(from env.State, limits Limits, lines int) *Result {
	s.start(limits)
	s.table.age()
	s.history.age()
	s.frames[0].set(from)
	return s.deepen(max(1, lines))
}
