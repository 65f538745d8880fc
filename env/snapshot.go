package env

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// A SnapshotHead is how the snapshots of a game begin: the mark, the version of
// their form (1 byte) and the fingerprint of the rules. They end with a seal.
type SnapshotHead struct {
	Mark    string   // of the engine, four letters
	Version byte     // of what follows the head
	Rules   [16]byte // fingerprint of the rule set
	Name    string   // of the rule set, for errors; not stored
}

// Append appends the head.
func (h *SnapshotHead) Append(dst []byte) []byte {
	dst = append(dst, h.Mark...)
	dst = append(dst, h.Version)
	return append(dst, h.Rules[:]...)
}

// Open returns what stands between the head and the seal of a snapshot. It
// refuses bytes that do not begin with the mark, of another version, damaged
// ones, and those of other rules.
func (h *SnapshotHead) Open(data []byte) (body []byte, err error) {
	mark := len(h.Mark)
	if len(data) < mark+1+len(h.Rules)+sealLength || string(data[:mark]) != h.Mark {
		return nil, fmt.Errorf("these bytes are no whole snapshot, which begins with %s", h.Mark)
	}
	if version := data[mark]; version != h.Version {
		return nil, fmt.Errorf("version is %d, must be %d", version, h.Version)
	}
	if body, err = Unseal(data); err != nil {
		return nil, err
	}
	body = body[mark+1:]
	if [16]byte(body) != h.Rules {
		return nil, fmt.Errorf("it belongs to other rules than %s", h.Name)
	}
	return body[len(h.Rules):], nil
}

// sealLength is the length of a seal: CRC-32 (Castagnoli), little-endian.
const sealLength = 4

// Seal appends the checksum of dst from begin on.
func Seal(dst []byte, begin int) []byte {
	return binary.LittleEndian.AppendUint32(dst, checksum(dst[begin:]))
}

// Unseal returns sealed bytes without their checksum, which must be right.
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
