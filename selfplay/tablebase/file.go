package tablebase

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// The file. Numbers are little-endian.
//
//	0   8 bytes   fileMark, whose last byte is the version
//	8   uint32    length n of the rules
//	12  n bytes   the complete rule set as JSON, with its digest
//	    32 bytes  SHA-256 of everything before
//	              zeros to a multiple of alignment
//
// The pairs follow. Each begins at a multiple of alignment with its head, then come its
// values. After the last pair, in place of the mark of a head, there are zeros or the end
// of the file.
const (
	fileMark  = "sandend\x01"
	pairMark  = "seedpair"
	alignment = 256 // so that a head lies in one disk sector and is written atomically
	mostRules = 1 << 20
)

// A pair has the positions in which one player has Few and the other Many seeds, Few ≤ Many:
// first those in which the player with Few seeds is to move, then, if the numbers differ, the
// others. Each part is a matrix of bytes, with a row for each layout of the player not to move
// and an element for each layout of the player to move.
type pair struct {
	Mark      [8]byte
	Few, Many uint32
	Sides     [2]Count
	Values    [sha256.Size]byte // SHA-256 of the values
}

// headSize is the size of a pair's head: the pair and its own SHA-256.
const headSize = 8 + 2*4 + 2*countSize + 2*sha256.Size

// A Count counts the positions of one side by value.
type Count struct {
	Won, Drawn, Lost uint64
	Longest          uint64 // plies of the longest win or loss
}

const countSize = 4 * 8

// following returns the pair after the given one. Captures lead to earlier pairs.
func following(few, many int) (int, int) {
	if few < many {
		return few + 1, many
	}
	return 1, many + 1
}

// size returns the number of positions of a pair.
func (c *circuits) size(few, many int) int64 {
	n := int64(c.count(few)) * int64(c.count(many))
	if few != many {
		n *= 2
	}
	return n
}

func (p *pair) size(c *circuits) int64 { return c.size(int(p.Few), int(p.Many)) }

func aligned(offset int64) int64 { return (offset + alignment - 1) / alignment * alignment }

// ErrDamaged means that a file differs from what was written.
var ErrDamaged = errors.New("tablebase file is damaged")

func fileHead(v *variant.Variant) []byte {
	head := append([]byte(fileMark), binary.LittleEndian.AppendUint32(nil, uint32(len(v.Rules)))...)
	head = append(head, v.Rules...)
	sum := sha256.Sum256(head)
	head = append(head, sum[:]...)
	return append(head, make([]byte, aligned(int64(len(head)))-int64(len(head)))...)
}

// readFileHead returns the rule set of a file and the offset of the first pair.
func readFileHead(file io.ReaderAt) (*variant.Variant, int64, error) {
	fixed := make([]byte, len(fileMark)+4)
	if _, err := file.ReadAt(fixed, 0); err != nil || !bytes.HasPrefix(fixed, []byte(fileMark[:len(fileMark)-1])) {
		return nil, 0, errors.New("not an endgame table")
	}
	if version := fixed[len(fileMark)-1]; version != fileMark[len(fileMark)-1] {
		return nil, 0, fmt.Errorf("endgame table has version %d, must be %d", version, fileMark[len(fileMark)-1])
	}
	length := binary.LittleEndian.Uint32(fixed[len(fileMark):])
	if length > mostRules {
		return nil, 0, fmt.Errorf("rules have %d bytes: %w", length, ErrDamaged)
	}
	head := make([]byte, len(fixed)+int(length)+sha256.Size)
	if _, err := file.ReadAt(head, 0); err != nil {
		return nil, 0, fmt.Errorf("file ends within its rules: %w", ErrDamaged)
	}
	text, sum := head[:len(head)-sha256.Size], head[len(head)-sha256.Size:]
	if want := sha256.Sum256(text); !bytes.Equal(sum, want[:]) {
		return nil, 0, fmt.Errorf("rules do not match their checksum: %w", ErrDamaged)
	}
	var named struct {
		Digest string `json:"digest"`
	}
	if err := json.Unmarshal(text[len(fixed):], &named); err != nil {
		return nil, 0, fmt.Errorf("cannot read the rules: %w", err)
	}
	v, err := games.FromRules(text[len(fixed):], named.Digest)
	if err != nil {
		return nil, 0, err
	}
	if game := v.Game.Spec().Game; game != gameName {
		return nil, 0, fmt.Errorf("table is of %s, must be of %s", game, gameName)
	}
	return v, aligned(int64(len(head))), nil
}

func (p *pair) append(dst []byte) []byte {
	begin := len(dst)
	dst, err := binary.Append(dst, binary.LittleEndian, p)
	if err != nil {
		panic(fmt.Sprintf("encoding the head of a pair: %v", err)) // it has a fixed size
	}
	sum := sha256.Sum256(dst[begin:])
	return append(dst, sum[:]...)
}

// readPair reads the head at an offset. ok is false at the end of the table.
func readPair(file io.ReaderAt, offset int64) (p pair, ok bool, err error) {
	head := make([]byte, headSize)
	n, err := file.ReadAt(head, offset)
	if err != nil && err != io.EOF {
		return p, false, err
	}
	if n < headSize || bytes.Equal(head[:len(pairMark)], make([]byte, len(pairMark))) {
		return p, false, nil
	}
	data, sum := head[:headSize-sha256.Size], head[headSize-sha256.Size:]
	if want := sha256.Sum256(data); string(head[:len(pairMark)]) != pairMark || !bytes.Equal(sum, want[:]) {
		return p, false, fmt.Errorf("head at byte %d: %w", offset, ErrDamaged)
	}
	if _, err := binary.Decode(data, binary.LittleEndian, &p); err != nil {
		return p, false, err
	}
	return p, true, nil
}

// create opens the file of a table for writing. If the file does not exist, it creates one
// without pairs.
func create(path string, v *variant.Variant) (*os.File, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := dataset.WriteFile(path, fileHead(v)); err != nil {
			return nil, err
		}
	}
	return os.OpenFile(path, os.O_RDWR, 0)
}

// seedsOf returns the seeds of a player at the start. No player ever has more.
func seedsOf(game env.Game) int { return env.NewState(game).(env.Scorer).Points(env.First) }
