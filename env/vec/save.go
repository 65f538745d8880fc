package vec

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// A saved batch is, little-endian:
//
//	4 bytes  "SVEC"
//	1 byte   saveVersion
//	8 bytes  seed of the batch
//	4 bytes  number n of slots
//	n times  4 bytes length and the slot
//	4 bytes  CRC-32 (Castagnoli) of all bytes before
//
// A slot is:
//
//	8 bytes   number of the episode
//	8 bytes   plies and steps of the episode, 4 each
//	3 bytes   the learner's seat, the viewer of the observation, and the end of the episode
//	40 bytes  the random generators of the episode and of SampleActions, 20 each
//	the rest  snapshot of the state, which identifies the rule set
//
// A saved slot is a batch of one.
const (
	saveMark    = "SVEC"
	saveVersion = 1
	saveHead    = len(saveMark) + 1 + 8 + 4
	slotHead    = 8 + 8 + 3 + 2*randSize
	randSize    = 20
)

var errNoSnapshots = errors.New("the game has no snapshots, so its batches cannot be saved or loaded")

// Save appends the whole batch to dst: positions with their history, random
// generators and counters. It returns an error if the game has no snapshots.
func (v *Vec) Save(dst []byte) ([]byte, error) {
	if err := v.ready("Save"); err != nil {
		return nil, err
	}
	return v.save(dst, v.slots)
}

// SaveSlot appends slot i to dst, in the same form.
func (v *Vec) SaveSlot(dst []byte, i int) ([]byte, error) {
	if err := v.ready("SaveSlot"); err != nil {
		return nil, err
	}
	if i < 0 || i >= len(v.slots) {
		return nil, fmt.Errorf("vec: SaveSlot: slot is %d, must be 0 to %d", i, len(v.slots)-1)
	}
	return v.save(dst, v.slots[i:i+1])
}

func (v *Vec) save(dst []byte, slots []slot) ([]byte, error) {
	begin := len(dst)
	dst = append(dst, saveMark...)
	dst = append(dst, saveVersion)
	dst = binary.LittleEndian.AppendUint64(dst, v.seed)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(slots)))
	for i := range slots {
		length := len(dst)
		dst = binary.LittleEndian.AppendUint32(dst, 0)
		var err error
		if dst, err = slots[i].appendBinary(dst); err != nil {
			return nil, fmt.Errorf("vec: %s: %w", v.spec.Name, err)
		}
		binary.LittleEndian.PutUint32(dst[length:], uint32(len(dst)-length-4))
	}
	return engine.Seal(dst, begin), nil
}

func (s *slot) appendBinary(dst []byte) ([]byte, error) {
	state, ok := s.state.(env.Snapshotter)
	if !ok {
		return nil, errNoSnapshots
	}
	dst = binary.LittleEndian.AppendUint64(dst, uint64(s.episode))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(s.plies))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(s.steps))
	dst = append(dst, byte(s.seat), byte(s.viewer), byte(s.end))
	for _, r := range []*env.Rand{&s.rand, &s.sampleRand} {
		var err error
		if dst, err = r.AppendBinary(dst); err != nil {
			return nil, err
		}
	}
	return state.AppendBinary(dst)
}

// Load restores what Save wrote. The saved batch must have the same rule set, size
// and opponent options as this one. This batch then continues exactly as the saved
// batch would have. The outputs
// describe the slots as after a Reset, except that Terminated and Truncated are set
// for a finished slot. After an error the batch is unchanged.
func (v *Vec) Load(data []byte) error {
	seed, slots, err := v.unpack(data)
	if err == nil && len(slots) != len(v.slots) {
		err = fmt.Errorf("%d slots were saved, must be %d", len(slots), len(v.slots))
	}
	if err != nil {
		return fmt.Errorf("vec: Load: %w", err)
	}
	v.seed, v.started, v.broken = seed, true, nil
	for i := range slots {
		v.restore(i, &slots[i])
	}
	v.refresh(func(int) bool { return true })
	return nil
}

// LoadSlot restores slot i from what SaveSlot wrote, for the same slot or another. The
// following episodes draw from the random streams of slot i of this batch, and their
// numbers continue from the saved one.
func (v *Vec) LoadSlot(i int, data []byte) error {
	if err := v.ready("LoadSlot"); err != nil {
		return err
	}
	if i < 0 || i >= len(v.slots) {
		return fmt.Errorf("vec: LoadSlot: slot is %d, must be 0 to %d", i, len(v.slots)-1)
	}
	_, slots, err := v.unpack(data)
	if err == nil && len(slots) != 1 {
		err = fmt.Errorf("%d slots were saved, must be 1", len(slots))
	}
	if err != nil {
		return fmt.Errorf("vec: LoadSlot: slot %d: %w", i, err)
	}
	v.restore(i, &slots[0])
	v.refresh(func(j int) bool { return i == j })
	return nil
}

func (v *Vec) restore(i int, from *slot) {
	s := &v.slots[i]
	v.replace(s, from)
	v.clearStep(i)
	v.Terminated[i], v.Truncated[i] = s.end == terminated, s.end == truncated
}

// unpack reads saved slots into new states.
func (v *Vec) unpack(data []byte) (seed uint64, slots []slot, err error) {
	if len(data) < saveHead+4 || string(data[:len(saveMark)]) != saveMark {
		return 0, nil, errors.New("the bytes are not a saved batch")
	}
	if version := data[len(saveMark)]; version != saveVersion {
		return 0, nil, fmt.Errorf("saved batch has format version %d, must be %d", version, saveVersion)
	}
	body, err := engine.Unseal(data)
	if err != nil {
		return 0, nil, err
	}
	seed = binary.LittleEndian.Uint64(body[len(saveMark)+1:])
	count := binary.LittleEndian.Uint32(body[saveHead-4:])
	body = body[saveHead:]
	if uint64(count)*(4+slotHead) > uint64(len(body)) {
		return 0, nil, fmt.Errorf("%d slots do not fit in %d bytes", count, len(body))
	}
	slots = make([]slot, count)
	for i, state := range v.game.NewStates(int(count)) {
		if len(body) < 4 {
			return 0, nil, fmt.Errorf("saved slot %d is missing", i)
		}
		size := uint64(binary.LittleEndian.Uint32(body))
		body = body[4:]
		if size < slotHead || size > uint64(len(body)) {
			return 0, nil, fmt.Errorf("saved slot %d should have %d bytes, but %d follow", i, size, len(body))
		}
		slots[i].setState(state)
		if err := v.unpackSlot(&slots[i], body[:size]); err != nil {
			return 0, nil, fmt.Errorf("saved slot %d: %w", i, err)
		}
		body = body[size:]
	}
	if len(body) > 0 {
		return 0, nil, fmt.Errorf("%d bytes follow the last slot", len(body))
	}
	return seed, slots, nil
}

func (v *Vec) unpackSlot(s *slot, data []byte) error {
	state, ok := s.state.(env.Snapshotter)
	if !ok {
		return errNoSnapshots
	}
	s.episode = int64(binary.LittleEndian.Uint64(data))
	s.plies, s.steps = int32(binary.LittleEndian.Uint32(data[8:])), int32(binary.LittleEndian.Uint32(data[12:]))
	s.seat, s.viewer, s.end = env.Player(data[16]), env.Player(data[17]), ending(data[18])
	generators := data[19:slotHead]
	if err := errors.Join(s.rand.UnmarshalBinary(generators[:randSize]), s.sampleRand.UnmarshalBinary(generators[randSize:]),
		state.UnmarshalBinary(data[slotHead:])); err != nil {
		return err
	}
	s.mover, s.opponent = s.state.Player(), noOpponent
	over := s.mover == env.NoPlayer
	if s.end != running {
		s.mover = env.NoPlayer
	}
	if v.options.Opponent != nil {
		if s.seat != env.First && s.seat != env.Second {
			return errors.New("was saved by a batch without an Opponent, but this one has one")
		}
		s.opponent = s.seat.Opponent()
	} else if s.seat != env.NoPlayer {
		return errors.New("was saved by a batch with an Opponent, but this one has none")
	}
	switch {
	case s.episode < 0, s.plies < 0, s.steps < 0, s.end >= endings, s.viewer != env.First && s.viewer != env.Second,
		over && s.end != terminated, s.end == running && s.mover != s.viewer:
		return errors.New("its counters, flags and position contradict each other")
	case s.end == running && int(s.plies) >= v.options.MaxPlies:
		return fmt.Errorf("has played %d plies, must be fewer than option MaxPlies, %d", s.plies, v.options.MaxPlies)
	}
	return nil
}
