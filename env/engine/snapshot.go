package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// A SnapshotHead begins every snapshot of a rule set: the mark of the engine, the
// version of the form (1 byte) and the fingerprint of the rules. What the engine
// stores follows, then the past, little-endian (the quiet plies and the plies played,
// 4 bytes each, and the history), and a seal.
type SnapshotHead struct {
	mark    string
	version byte
	rules   [16]byte
	// Not stored: names of the game and of the rule set, for errors.
	game, name string
}

// NewSnapshotHead returns the head for a valid rule set. Mark is the engine's, of
// four letters; version is raised when the form of its snapshots changes;
// behaviour is the engine's behaviour version.
func NewSnapshotHead(mark string, version byte, rules variant.RuleSet, behaviour int) SnapshotHead {
	return SnapshotHead{mark: mark, version: version, rules: variant.Fingerprint(rules, behaviour), game: rules.Head().Game, name: rules.Head().Name}
}

// Append implements env.Snapshotter's AppendBinary: it appends the snapshot of a state
// with the given base. Body appends what the engine stores.
func (h *SnapshotHead) Append(dst []byte, body func(dst []byte) []byte, b *Base) []byte {
	begin := len(dst)
	dst = append(dst, h.mark...)
	dst = append(dst, h.version)
	dst = body(append(dst, h.rules[:]...))
	dst = b.History.Append(AppendCounts(dst, b.Quiet, b.Plies))
	return Seal(dst, begin)
}

// Restore implements env.Snapshotter's UnmarshalBinary: it calls restore with what
// stands between the head and the seal, and names the game in the errors.
func (h *SnapshotHead) Restore(data []byte, restore func(body []byte) error) error {
	body, err := h.open(data)
	if err == nil {
		err = restore(body)
	}
	if err != nil {
		return fmt.Errorf("%s snapshot: %w", h.game, err)
	}
	return nil
}

// open returns what stands between the head and the seal of a snapshot. Its
// errors report a missing mark, another version, damage, and other rules.
func (h *SnapshotHead) open(data []byte) (body []byte, err error) {
	mark := len(h.mark)
	if len(data) < mark+1+len(h.rules)+sealLength || string(data[:mark]) != h.mark {
		return nil, fmt.Errorf("the bytes are not a whole snapshot, which begins with %s", h.mark)
	}
	if version := data[mark]; version != h.version {
		return nil, fmt.Errorf("version is %d, must be %d", version, h.version)
	}
	if body, err = Unseal(data); err != nil {
		return nil, err
	}
	body = body[mark+1:]
	if [16]byte(body) != h.rules {
		return nil, fmt.Errorf("the snapshot belongs to rules other than %s", h.name)
	}
	return body[len(h.rules):], nil
}

// sealLength is the length of a seal: CRC-32 (Castagnoli), little-endian.
const sealLength = 4

// Seal appends the checksum of dst from begin on.
func Seal(dst []byte, begin int) []byte {
	return binary.LittleEndian.AppendUint32(dst, checksum(dst[begin:]))
}

// Unseal checks sealed bytes and returns them without their checksum.
func Unseal(data []byte) ([]byte, error) {
	end := len(data) - sealLength
	if end < 0 {
		return nil, errors.New("the checksum is missing")
	}
	if checksum(data[:end]) != binary.LittleEndian.Uint32(data[end:]) {
		return nil, errors.New("the checksum is wrong: the bytes are damaged")
	}
	return data[:end], nil
}

func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

// AppendCounts appends numbers that are not negative, 4 bytes each, little-endian.
func AppendCounts(dst []byte, counts ...int32) []byte {
	for _, n := range counts {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
	return dst
}

// RestoreCounts reads what AppendCounts wrote from the front of data and returns
// the rest.
func RestoreCounts(data []byte, to ...*int32) (rest []byte, err error) {
	for i, n := range to {
		if len(data) < 4 {
			return nil, fmt.Errorf("%d of %d numbers are missing", len(to)-i, len(to))
		}
		value := binary.LittleEndian.Uint32(data)
		if value > 1<<31-1 {
			return nil, fmt.Errorf("number %d is %d, which is too great", i+1, value)
		}
		*n, data = int32(value), data[4:]
	}
	return data, nil
}

// RestorePlayer reads the player to move from a byte of a snapshot.
func RestorePlayer(b byte) (env.Player, error) {
	if b > byte(env.Second) {
		return env.NoPlayer, fmt.Errorf("player to move is %d, must be 0 or 1", b)
	}
	return env.Player(b), nil
}

// RestorePast reads the past, which must be all of data, into t and h. After an
// error the history is unchanged.
func RestorePast(data []byte, t *Turn, h *History) error {
	history, err := RestoreCounts(data, &t.Quiet, &t.Plies)
	if err != nil {
		return err
	}
	if keys := len(history)/8 - 1; keys > int(t.Quiet)+1 {
		return fmt.Errorf("the history has %d positions after %d quiet plies", keys, t.Quiet)
	}
	return h.Restore(history)
}
