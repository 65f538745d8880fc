package envtest

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

const (
	linesPerStart = 8    // corpus games from each start, fewer where games are long
	fewestLines   = 2    // from each start
	pliesPerStart = 3000 // after which no further game is begun
	plyLimit      = 2000 // of a corpus game
	corpusSeed    = 0x5eed
)

// A Subject is a game under test with a corpus of games played on it: uniformly
// random ones, and ones that seek captures, so that all ends occur.
type Subject struct {
	game  env.Game
	spec  *env.Spec
	lines []line
	plies int // in all lines
	ended int // lines that ended under the rules
}

// line is one game of the corpus.
type line struct {
	start   string
	actions []env.Action
}

// NewSubject plays the corpus of g from its start and the given position texts.
func NewSubject(g env.Game, starts ...string) (*Subject, error) {
	s := &Subject{game: g, spec: g.Spec()}
	err := guard(func() error {
		for i, start := range append([]string{s.spec.StartText}, starts...) {
			plies := 0
			for n := 0; n < linesPerStart && (n < fewestLines || plies < pliesPerStart); n++ {
				if err := s.play(start, i, n); err != nil {
					return err
				}
				plies += len(s.lines[len(s.lines)-1].actions)
			}
		}
		return nil
	})
	return s, err
}

func (s *Subject) play(start string, i, n int) error {
	state := env.NewState(s.game)
	if i > 0 {
		if err := state.SetPosition(start); err != nil {
			return fmt.Errorf("start %d: %w", i, err)
		}
	}
	l := line{start: start}
	r := env.NewRand(env.Derive(corpusSeed, uint64(i), uint64(n)))
	for len(l.actions) < plyLimit {
		choice := state.Legal(nil)
		if len(choice) == 0 {
			if state.Player() == env.NoPlayer {
				s.ended++
			}
			break
		}
		if noisy, ok := state.(env.Noisy); ok && n%2 == 1 && r.IntN(2) == 0 {
			if captures := noisy.Noisy(nil); len(captures) > 0 {
				choice = captures
			}
		}
		a := choice[r.IntN(len(choice))]
		l.actions = append(l.actions, a)
		state.Apply(a)
	}
	s.lines = append(s.lines, l)
	s.plies += len(l.actions)
	return nil
}

// spot is a position of the corpus that walk visits. The state and the list belong
// to the walk; a visitor does not change them.
type spot struct {
	state     env.State
	legal     []env.Action
	line, ply int
	next      env.Action // played next in the corpus; NoAction at the end of a line
}

// walk replays the corpus and visits every stride-th position of each line, the
// first and the last one always. A stride above 1 widens with the corpus. The
// error says where it was found.
func (s *Subject) walk(stride int, visit func(at spot) error) error {
	if stride > 1 {
		stride *= 1 + s.plies/2000
	}
	state := env.NewState(s.game)
	var legal []env.Action
	for i, l := range s.lines {
		if err := s.begin(state, l); err != nil {
			return err
		}
		for ply := 0; ; ply++ {
			at := spot{state: state, line: i, ply: ply, next: env.NoAction}
			if ply < len(l.actions) {
				at.next = l.actions[ply]
			}
			if ply%stride == 0 || at.next == env.NoAction {
				legal = state.Legal(legal[:0])
				at.legal = legal
				text := env.PositionText(state)
				if err := visit(at); err != nil {
					return fmt.Errorf("corpus game %d, ply %d, position %q: %w", i, ply, text, err)
				}
				if now := env.PositionText(state); now != text {
					return fmt.Errorf("corpus game %d, ply %d: reading the state changed position %q to %q", i, ply, text, now)
				}
			}
			if at.next == env.NoAction {
				break
			}
			state.Apply(at.next)
		}
	}
	return nil
}

// walkAs is walk for an ability: it visits the states that have it.
func walkAs[A any](s *Subject, stride int, visit func(at spot, state A) error) error {
	return s.walk(stride, func(at spot) error {
		if state, has := at.state.(A); has {
			return visit(at, state)
		}
		return nil
	})
}

// everywhere returns the check that fault finds nothing in any position of the corpus.
func everywhere(fault func(*Subject, env.State) error) func(*Subject) error {
	return func(s *Subject) error {
		return s.walk(1, func(at spot) error { return fault(s, at.state) })
	}
}

// appended calls a method that appends to a slice and returns what it appends.
func appended[T comparable](method string, mark T, list func([]T) []T) ([]T, error) {
	out := list([]T{mark})
	if len(out) == 0 || out[0] != mark {
		return nil, fmt.Errorf("method %s does not append to the slice it is given", method)
	}
	return out[1:], nil
}

// begin puts state at the start of a line.
func (s *Subject) begin(state env.State, l line) error {
	state.Reset()
	if l.start == s.spec.StartText {
		return nil
	}
	return state.SetPosition(l.start)
}

// visitTrees visits the tree below every fortieth position of the corpus, depth
// by depth as far as it has at most limit positions. The states are reused.
func (s *Subject) visitTrees(limit int, visit func(state env.State) error) error {
	states, legal := s.game.NewStates(limit), s.spec.NewActions()
	return s.walk(40, func(at spot) error {
		states[0].CopyFrom(at.state)
		for level, visited := 0, 1; level < visited; {
			children := 0
			for _, state := range states[level:visited] {
				if err := visit(state); err != nil {
					return fmt.Errorf("below it at %q: %w", env.PositionText(state), err)
				}
				legal = state.Legal(legal[:0])
				children += len(legal)
			}
			if visited+children > limit {
				break
			}
			next := visited
			for _, state := range states[level:visited] {
				legal = state.Legal(legal[:0])
				for _, a := range legal {
					states[next].CopyFrom(state)
					states[next].Apply(a)
					next++
				}
			}
			level, visited = visited, next
		}
		return nil
	})
}
