package envtest

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// legalFault checks the list of legal actions of one position.
func (s *Subject) legalFault(state env.State) error {
	legal, err := appended("Legal", env.Action(-77), state.Legal)
	if err != nil {
		return err
	}
	if (len(legal) == 0) != (state.Player() == env.NoPlayer) {
		return fmt.Errorf("%d legal actions with player %d to move", len(legal), state.Player())
	}
	if len(legal) > s.spec.MaxLegal {
		return fmt.Errorf("%d legal actions, max legal is %d", len(legal), s.spec.MaxLegal)
	}
	for i, a := range legal {
		if a < 0 || int(a) >= s.spec.Actions {
			return fmt.Errorf("legal action %d is not below %d", a, s.spec.Actions)
		}
		if i > 0 && a <= legal[i-1] {
			return fmt.Errorf("legal action %d follows %d, must ascend", a, legal[i-1])
		}
	}
	if again := state.Legal(nil); !slices.Equal(legal, again) {
		return fmt.Errorf("legal actions are %v, and %v in a second call", legal, again)
	}
	return nil
}

func checkActionCells(s *Subject) error {
	return s.walk(1, func(at spot) error {
		taken := map[env.ActionCell]env.Action{}
		for _, a := range at.legal {
			cell := s.spec.ActionCells[a]
			if b, is := taken[cell]; is {
				return fmt.Errorf("legal actions %d and %d share the cell %+v", a, b, cell)
			}
			taken[cell] = a
		}
		return nil
	})
}

// resultFault checks the result of one position against its player and Spec.Ends.
func (s *Subject) resultFault(state env.State) error {
	result, reason := state.Result()
	player := state.Player()
	if player != env.First && player != env.Second && player != env.NoPlayer {
		return fmt.Errorf("player %d is to move", player)
	}
	if (reason == env.NoReason) != (player != env.NoPlayer) {
		return fmt.Errorf("the reason is %v with player %d to move", reason, player)
	}
	if result < -1 || result > 1 || result.For(env.First)+result.For(env.Second) != 0 {
		return fmt.Errorf("the result is %d, must be −1, 0 or 1", result)
	}
	if reason == env.NoReason {
		if result != 0 {
			return fmt.Errorf("the result is %d while the game runs", result)
		}
		return nil
	}
	if s.endsBy(reason) {
		return nil
	}
	return fmt.Errorf("the reason is %v, which is not in Spec.Ends", reason)
}

func checkEnds(s *Subject) error {
	if s.ended == 0 {
		return fmt.Errorf("none of %d games ended within %d plies", len(s.lines), plyLimit)
	}
	return nil
}

func checkReset(s *Subject) error {
	state, fresh := env.NewState(s.game), env.NewState(s.game)
	want := s.portray(fresh)
	for i, l := range s.lines {
		if err := s.begin(state, l); err != nil {
			return err
		}
		for _, a := range l.actions {
			state.Apply(a)
		}
		state.Reset()
		if err := want.differs(s.portray(state)); err != nil {
			return fmt.Errorf("a fresh state and one that was Reset after corpus game %d: %w", i, err)
		}
		fresh.Reset()
		if err := s.playOn(env.NewRand(uint64(i)), plyLimit, fresh, state); err != nil {
			return fmt.Errorf("a fresh state and one that was Reset after corpus game %d: %w", i, err)
		}
	}
	return nil
}

// playOn plays the same random actions on two states that should be equal, and
// reports where they begin to differ.
func (s *Subject) playOn(r *env.Rand, plies int, a, b env.State) error {
	legal := s.spec.NewActions()
	for ply := range plies {
		legal = a.Legal(legal[:0])
		if len(legal) == 0 {
			break
		}
		chosen := legal[r.IntN(len(legal))]
		a.Apply(chosen)
		b.Apply(chosen)
		if ply%8 == 0 || a.Player() == env.NoPlayer || b.Player() == env.NoPlayer {
			if err := s.portray(a).differs(s.portray(b)); err != nil {
				return fmt.Errorf("after %d equal plies: %w", ply+1, err)
			}
		}
	}
	return s.portray(a).differs(s.portray(b))
}

func checkFresh(s *Subject) error {
	const n = 5
	states := s.game.NewStates(n)
	if len(states) != n {
		return fmt.Errorf("NewStates(%d) returned %d states", n, len(states))
	}
	want := s.portray(env.NewState(s.game))
	for i, state := range states {
		if err := want.differs(s.portray(state)); err != nil {
			return fmt.Errorf("state %d of a batch and a single one: %w", i, err)
		}
		if err := s.playOn(env.NewRand(uint64(i)), 30, state, env.NewState(s.game)); err != nil {
			return fmt.Errorf("state %d of a batch and a single one: %w", i, err)
		}
	}
	return nil
}

func checkCopies(s *Subject) error {
	r := env.NewRand(1)
	copied := env.NewState(s.game)
	source := env.NewState(s.game)
	return s.walk(11, func(at spot) error {
		source.CopyFrom(at.state)
		before := s.portray(source)
		if err := s.portray(at.state).differs(before); err != nil {
			return fmt.Errorf("a state and its copy: %w", err)
		}
		copied.CopyFrom(source)
		if err := before.differs(s.portray(copied)); err != nil {
			return fmt.Errorf("a state and the copy of its copy: %w", err)
		}
		s.wander(r, copied)
		if err := before.differs(s.portray(source)); err != nil {
			return fmt.Errorf("a state before and after play on its copy: %w", err)
		}
		copied.CopyFrom(source)
		s.wander(r, source)
		if err := before.differs(s.portray(copied)); err != nil {
			return fmt.Errorf("a copy before and after play on its source: %w", err)
		}
		source.CopyFrom(copied)
		if err := s.playOn(r, 24, source, copied); err != nil {
			return fmt.Errorf("a state and its copy, played on: %w", err)
		}
		return nil
	})
}

// wander plays up to a dozen random plies.
func (s *Subject) wander(r *env.Rand, state env.State) {
	legal := s.spec.NewActions()
	for range 12 {
		legal = state.Legal(legal[:0])
		if len(legal) == 0 {
			return
		}
		state.Apply(legal[r.IntN(len(legal))])
	}
}

// checkDeterminism replays the corpus on several goroutines at once, because a Game
// is safe for concurrent use.
func checkDeterminism(s *Subject) error {
	want := s.finals()
	results := make(chan []portrait)
	const goroutines = 3
	for range goroutines {
		go func() { results <- s.finals() }()
	}
	var fault error
	for range goroutines {
		for i, final := range <-results {
			if err := want[i].differs(final); err != nil {
				fault = fmt.Errorf("corpus game %d, played twice: %w", i, err)
			}
		}
	}
	return fault
}

// finals returns the last position of every line, or nothing where a line
// cannot be played.
func (s *Subject) finals() []portrait {
	finals := make([]portrait, len(s.lines))
	state := env.NewState(s.game)
	for i, l := range s.lines {
		_ = guard(func() error {
			if err := s.begin(state, l); err != nil {
				return err
			}
			for _, a := range l.actions {
				state.Apply(a)
			}
			finals[i] = s.portray(state)
			return nil
		})
	}
	return finals
}
