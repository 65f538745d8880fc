package envtest

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
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
					return fmt.Errorf("viewer %d: plane %s must be uniform, but holds %d and %d", viewer, p.Name, first, v)
				}
			}
		}
		if at.state.Player() != env.NoPlayer && bytes.Equal(s.observe(at.state, env.First), s.observe(at.state, env.Second)) {
			return errors.New("the observations of both viewers are equal, so they do not show the side")
		}
		return nil
	})
}

// checkObservationsDecide demands that what the player to move sees decides the
// legal actions, and shows the board, the points and the side.
func checkObservationsDecide(s *Subject) error {
	// Digests replace the lists and boards, which would fill the memory.
	type known struct {
		text         string
		mover        env.Player
		legal, board uint64
	}
	seen := map[uint64]known{} // by observation
	seed := maphash.MakeSeed()
	planes, legal := make([]uint8, s.spec.ObservationSize()), s.spec.NewActions()
	look := func(state env.State) error {
		mover := state.Player()
		if mover == env.NoPlayer {
			return nil
		}
		state.Observe(planes, mover)
		legal = state.Legal(legal[:0])
		now := known{env.PositionText(state), mover, digest(seed, legal), digestBoard(seed, state)}
		observation := maphash.Bytes(seed, planes)
		before, is := seen[observation]
		switch {
		case !is:
			seen[observation] = now
		case before.legal != now.legal:
			return fmt.Errorf("its observation equals that of %q, whose legal actions differ", before.text)
		case before.mover != now.mover || before.board != now.board:
			return fmt.Errorf("its observation equals that of %q, whose pieces, points or player to move differ", before.text)
		}
		return nil
	}
	if err := s.walk(1, func(at spot) error { return look(at.state) }); err != nil {
		return err
	}
	return s.visitTrees(treeSize/2, look)
}

// digest returns a digest of a list of actions.
func digest(seed maphash.Seed, actions []env.Action) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for chunk := range slices.Chunk(actions, 64) {
		var block [64]env.Action
		copy(block[:], chunk)
		maphash.WriteComparable(&h, block)
	}
	maphash.WriteComparable(&h, len(actions))
	return h.Sum64()
}

// digestBoard returns a digest of the points and of the pieces without their ids.
func digestBoard(seed maphash.Seed, state env.State) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	maphash.WriteComparable(&h, points(state))
	for _, p := range anonymous(pieces(state)) {
		maphash.WriteComparable(&h, p)
	}
	return h.Sum64()
}

// checkQuietShows sets up positions that differ only in the number of quiet plies.
// Their observations must differ if the rule set ends games by quiet plies.
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
			if bytes.Equal(s.observe(state, state.Player()), without) {
				return fmt.Errorf("the observation with %d quiet plies equals that without any", quiet)
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
		if fresh.Player() != env.NoPlayer && bytes.Equal(s.observe(fresh, fresh.Player()), s.observe(again, again.Player())) {
			return errors.New("the observation of a position is the same at its second occurrence as at its first")
		}
		return nil
	})
}

func (s *Subject) endsBy(reason env.Reason) bool {
	return slices.ContainsFunc(s.spec.Ends, func(e env.End) bool { return e.Reason == reason })
}
