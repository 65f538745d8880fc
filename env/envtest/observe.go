package envtest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

func checkObservations(s *Subject) error {
	size := s.spec.ObservationSize()
	a, b := make([]uint8, size), make([]uint8, size)
	plane := s.spec.Width * s.spec.Height
	return s.walk(1, func(at spot) error {
		for viewer := env.First; viewer <= env.Second; viewer++ {
			for i := range a {
				a[i], b[i] = 0x55, 0xaa
			}
			at.state.Observe(a, viewer)
			at.state.Observe(b, viewer)
			if !bytes.Equal(a, b) {
				return fmt.Errorf("viewer %d: Observe does not write every element", viewer)
			}
			for i, v := range a {
				if p := s.spec.Planes[i/plane]; v > p.Max {
					return fmt.Errorf("viewer %d: plane %s holds %d at element %d, maximum is %d", viewer, p.Name, v, i%plane, p.Max)
				} else if first := a[i/plane*plane]; p.Uniform && v != first {
					return fmt.Errorf("viewer %d: plane %s is to be uniform and holds %d and %d", viewer, p.Name, first, v)
				}
			}
		}
		if at.state.Player() != env.NoPlayer && s.observe(at.state, env.First) == s.observe(at.state, env.Second) {
			return errors.New("both viewers see the same, so an observation does not tell the sides apart")
		}
		return nil
	})
}

// checkObservationsDecide demands that what the player to move sees decides the
// legal actions, and shows the board, the points and the side.
func checkObservationsDecide(s *Subject) error {
	type known struct {
		legal []env.Action
		facts string
	}
	seen := map[[sha256.Size]byte]known{} // by digest: whole observations of large boards fill the memory
	look := func(state env.State) error {
		mover := state.Player()
		if mover == env.NoPlayer {
			return nil
		}
		now := known{state.Legal(nil), fmt.Sprint(mover, anonymous(pieces(state)), points(state))}
		observation := sha256.Sum256([]byte(s.observe(state, mover)))
		if before, is := seen[observation]; is {
			if !slices.Equal(before.legal, now.legal) {
				return fmt.Errorf("two positions are seen alike with the legal actions %v and %v", before.legal, now.legal)
			}
			if before.facts != now.facts {
				return fmt.Errorf("two positions are seen alike:\n%s\n%s", before.facts, now.facts)
			}
		}
		seen[observation] = now
		return nil
	}
	if err := s.walk(1, func(at spot) error { return look(at.state) }); err != nil {
		return err
	}
	return s.visitTrees(treeSize/2, look)
}

// checkQuietShows sets up positions with other numbers of quiet plies, which
// must look different in a rule set that ends games by them.
func checkQuietShows(s *Subject) error {
	if !s.endsBy(env.NoProgress) && !s.endsBy(env.Armistice) {
		return nil
	}
	state := env.NewState(s.game)
	set := func(rest string, quiet, plies int) bool {
		err := state.SetPosition(fmt.Sprintf("%s %d %d", rest, quiet, plies))
		return err == nil && state.Player() != env.NoPlayer
	}
	return s.walk(17, func(at spot) error {
		rest, _, plies, err := counters(env.PositionText(at.state))
		if err != nil || at.state.Player() == env.NoPlayer {
			return err
		}
		if !set(rest, 0, plies) {
			return nil
		}
		without := s.observe(state, state.Player())
		for quiet := plies; quiet > 0; quiet /= 2 {
			if !set(rest, quiet, plies) {
				continue
			}
			if s.observe(state, state.Player()) == without {
				return fmt.Errorf("%d quiet plies look like none", quiet)
			}
			break
		}
		return nil
	})
}

func checkRepetitionShows(s *Subject) error {
	if !s.endsBy(env.Repetition) {
		return nil
	}
	fresh := env.NewState(s.game)
	return s.shuffles(func(first, again env.State) error {
		if err := fresh.SetPosition(env.PositionText(again)); err != nil {
			return err
		}
		if fresh.Player() != env.NoPlayer && s.observe(fresh, fresh.Player()) == s.observe(again, again.Player()) {
			return errors.New("the second occurrence of a position looks like the first")
		}
		return nil
	})
}

func (s *Subject) endsBy(reason env.Reason) bool {
	return slices.ContainsFunc(s.spec.Ends, func(e env.End) bool { return e.Reason == reason })
}
