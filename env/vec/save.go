package vec

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// A saved batch is, little-endian:
//
//	4 bytes  "SVEC"
//	1 byte   saveVersion
//	8 bytes  seed of the batch
//	4 bytes  number n of slots
//	n times  4 bytes length and the slot
//	4 bytes  CRC-32 (Castagnoli) of what stands before
//
// A slot is:
//
//	8 bytes   number of the episode
//	8 bytes   plies and steps of the episode, 4 each
//	3 bytes   the learner's seat, whose view the observation is, how the episode ended
//	40 bytes  the generators of the episode and of SampleActions, 20 each
//	the rest  snapshot of the state, which names the rule set
//
// A saved slot is a batch of one.
const (
	saveMark    = "SVEC"
	saveVersion = 1
	saveHead    = len(saveMark) + 1 + 8 + 4
	slotHead    = 8 + 8 + 3 + 2*randSize
	randSize    = 20
)

// Save appends the whole batch to dst: positions with their history, generators,
// counts. The error says that the game has no snapshots.
func (v *Vec) Save(dst []byte) ([]byte, error) {
	if err := v.ready("Save"); err != nil {
		return nil, err
	}
	return v.save(dst, v.slots)
}

// SaveSlot appends one slot to dst.
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
	return env.Seal(dst, begin), nil
}

func (s *slot) appendBinary(dst []byte) ([]byte, error) {
	state, ok := s.state.(env.Snapshotter)
	if !ok {
		return nil, errors.New("the game has no snapshots, so its batches cannot be saved")
	}
	dst = binary.LittleEndian.AppendUint64(dst, uint64(s.episode))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(s.plies))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(s.steps))
	dst = append(dst, byte(s.seat), byte(s.viewer), byte(s.end))
	for _, r := range []*env.Rand{&s.rand, &s.pick} {
		var err error
		if dst, err = r.AppendBinary(dst); err != nil {
			return nil, err
		}
	}
	return state.AppendBinary(dst)
}

// Load puts the batch where Save found one of the same game, size and opponent
// options. It goes on as that one did. The outputs describe the slots as after a
// Reset, but Terminated and Truncated stay set where a slot is finished. After an
// error the batch is as it was.
func (v *Vec) Load(data []byte) error {
	seed, slots, err := v.unpack(data)
	if err == nil && len(slots) != len(v.slots) {
		err = fmt.Errorf("%d slots were saved, the batch has %d", len(slots), len(v.slots))
	}
	if err != nil {
		return fmt.Errorf("vec: Load: %w", err)
	}
	v.seed, v.started, v.broken = seed, true, nil
	for i := range slots {
		v.restore(i, &slots[i])
	}
	v.showAgain(func(int) bool { return true })
	return nil
}

// LoadSlot does the same for slot i with what SaveSlot wrote, of any slot. The
// next episodes are those that slot i of this batch has after the number saved.
func (v *Vec) LoadSlot(i int, data []byte) error {
	if err := v.ready("LoadSlot"); err != nil {
		return err
	}
	if i < 0 || i >= len(v.slots) {
		return fmt.Errorf("vec: LoadSlot: slot is %d, must be 0 to %d", i, len(v.slots)-1)
	}
	_, slots, err := v.unpack(data)
	if err == nil && len(slots) != 1 {
		err = fmt.Errorf("%d slots were saved, must be one", len(slots))
	}
	if err != nil {
		return fmt.Errorf("vec: LoadSlot: slot %d: %w", i, err)
	}
	v.restore(i, &slots[0])
	v.showAgain(func(j int) bool { return i == j })
	return nil
}

func (v *Vec) restore(i int, from *slot) {
	s := &v.slots[i]
	v.replace(s, from)
	v.restart(i)
	v.Terminated[i], v.Truncated[i] = s.end == terminated, s.end == truncated
}

// unpack reads saved slots into states of their own.
func (v *Vec) unpack(data []byte) (seed uint64, slots []slot, err error) {
	if len(data) < saveHead+4 || string(data[:len(saveMark)]) != saveMark {
		return 0, nil, errors.New("these bytes are no saved batch")
	}
	if version := data[len(saveMark)]; version != saveVersion {
		return 0, nil, fmt.Errorf("the bytes have version %d, must have %d", version, saveVersion)
	}
	body, err := env.Unseal(data)
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
			return 0, nil, fmt.Errorf("saved slot %d has %d bytes, where %d follow", i, size, len(body))
		}
		slots[i].adopt(state)
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
		return fmt.Errorf("%s has no snapshots", v.spec.Name)
	}
	s.episode = int64(binary.LittleEndian.Uint64(data))
	s.plies, s.steps = int32(binary.LittleEndian.Uint32(data[8:])), int32(binary.LittleEndian.Uint32(data[12:]))
	s.seat, s.viewer, s.end = env.Player(data[16]), env.Player(data[17]), ending(data[18])
	generators := data[19:slotHead]
	if err := errors.Join(s.rand.UnmarshalBinary(generators[:randSize]), s.pick.UnmarshalBinary(generators[randSize:]),
		state.UnmarshalBinary(data[slotHead:])); err != nil {
		return err
	}
	s.mover, s.rival = s.state.Player(), noRival
	over := s.mover == env.NoPlayer
	if s.end != running {
		s.mover = env.NoPlayer
	}
	if v.options.Opponent != nil {
		if s.seat != env.First && s.seat != env.Second {
			return errors.New("it was saved by a batch without an opponent")
		}
		s.rival = s.seat.Opponent()
	} else if s.seat != env.NoPlayer {
		return errors.New("it was saved by a batch with an opponent")
	}
	switch {
	case s.episode < 0, s.plies < 0, s.steps < 0, s.end >= endings, s.viewer != env.First && s.viewer != env.Second,
		over && s.end != terminated, s.end == running && s.mover != s.viewer:
		return errors.New("its numbers contradict each other")
	case s.end == running && int(s.plies) >= v.options.MaxPlies:
		return fmt.Errorf("it has played %d plies, option MaxPlies is %d", s.plies, v.options.MaxPlies)
	}
	return nil
}
