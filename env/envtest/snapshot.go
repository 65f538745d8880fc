package envtest

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// snapshot returns the bytes of a state, or nil when it has no such ability.
func snapshot(state env.State) ([]byte, error) {
	snap, ok := state.(env.Snapshotter)
	if !ok {
		return nil, nil
	}
	const mark = 0x77
	data, err := snap.AppendBinary([]byte{mark})
	if err != nil {
		return nil, err
	}
	if len(data) < 2 || data[0] != mark {
		return nil, fmt.Errorf("method AppendBinary does not append to the slice it is given")
	}
	return data[1:], nil
}

// checkSnapshots demands that a state read back is equal, and stays so when both
// are played on: repetition counts are part of it.
func checkSnapshots(s *Subject) error {
	r := env.NewRand(5)
	original, restored := env.NewState(s.game), env.NewState(s.game)
	return s.walk(13, func(at spot) error {
		data, err := snapshot(at.state)
		if data == nil {
			return err
		}
		if err := restored.(env.Snapshotter).UnmarshalBinary(data); err != nil {
			return fmt.Errorf("its own snapshot is refused: %w", err)
		}
		original.CopyFrom(at.state)
		if err := s.portray(original).differs(s.portray(restored)); err != nil {
			return fmt.Errorf("a state and its snapshot: %w", err)
		}
		if err := s.playOn(r, 60, original, restored); err != nil {
			return fmt.Errorf("a state and its snapshot, played on: %w", err)
		}
		if rest := s.lines[at.line].actions[at.ply:]; len(rest) > 0 && at.ply%2 == 0 {
			original.CopyFrom(at.state)
			if err := restored.(env.Snapshotter).UnmarshalBinary(data); err != nil {
				return fmt.Errorf("its own snapshot is refused: %w", err)
			}
			for _, a := range rest {
				original.Apply(a)
				restored.Apply(a)
			}
			if err := s.portray(original).differs(s.portray(restored)); err != nil {
				return fmt.Errorf("a state and its snapshot at the end of the game: %w", err)
			}
		}
		return nil
	})
}

// checkDamagedSnapshots demands that bytes cut off, added or changed are refused
// and leave the state as it was, also bytes that are cut off and sealed again.
func checkDamagedSnapshots(s *Subject) error {
	r := env.NewRand(6)
	victim := env.NewState(s.game)
	s.wander(r, victim)
	want := s.portray(victim)
	refuse := func(data []byte, what string, args ...any) error {
		err := guard(func() error {
			if victim.(env.Snapshotter).UnmarshalBinary(data) == nil {
				return fmt.Errorf("are accepted")
			}
			return want.differs(s.portray(victim))
		})
		if err != nil {
			return fmt.Errorf("snapshot bytes %s: %w", fmt.Sprintf(what, args...), err)
		}
		return nil
	}
	return s.walk(71, func(at spot) error {
		data, err := snapshot(at.state)
		if data == nil {
			return err
		}
		for range 40 {
			n := r.IntN(len(data))
			if err := refuse(data[:n], "cut to %d of %d", n, len(data)); err != nil {
				return err
			}
			changed, bit := slices.Clone(data), r.IntN(8)
			changed[n] ^= 1 << bit
			if err := refuse(changed, "with bit %d of byte %d inverted", bit, n); err != nil {
				return err
			}
			noise := make([]byte, n)
			for i := range noise {
				noise[i] = byte(r.Uint64())
			}
			if err := refuse(noise, "of noise"); err != nil {
				return err
			}
		}
		if body, err := engine.Unseal(data); err == nil && at.line+at.ply == 0 {
			for n := range body {
				if err := refuse(engine.Seal(slices.Clone(body[:n]), 0), "cut to %d of %d and sealed again", n, len(body)); err != nil {
					return err
				}
			}
		}
		if err := refuse(nil, "of length 0"); err != nil {
			return err
		}
		return refuse(append(slices.Clone(data), 0), "with one added")
	})
}

// ForeignSnapshots checks that no variant reads the snapshots of another one,
// and returns the first fault.
func ForeignSnapshots(variants []*variant.Variant) error {
	for _, v := range variants {
		data, err := snapshot(env.NewState(v.Game))
		if err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
		for _, other := range variants {
			reader, ok := env.NewState(other.Game).(env.Snapshotter)
			if !ok || data == nil || other.Digest == v.Digest {
				continue
			}
			if reader.UnmarshalBinary(data) == nil {
				return fmt.Errorf("%s reads a snapshot of %s", other.Name, v.Name)
			}
		}
	}
	return nil
}
