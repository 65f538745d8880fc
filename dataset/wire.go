package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/sandtable-farm/sandtable/env"
)

// # The wire format
//
// Version 2 of the encoding of an episode in a message. uvarint and varint are those of
// encoding/binary. A string is its length as uvarint, followed by its bytes. A hash or a
// seed is 8 bytes, and a float is its IEEE 754 bits in 4 bytes, both little-endian.
//
//	byte     version, 2
//	string   run
//	uvarint  number
//	uvarint  pair + 1
//	8 bytes  seed
//	string   agent of the first player
//	string   agent of the second player
//	string   start
//	uvarint  opening plies
//	byte     result + 1 | terminated << 2 | truncated << 3
//	byte     reason
//	uvarint  resign ply + 1
//	varint   points of the first player
//	varint   points of the second player
//	8 bytes  final hash
//	uvarint  plies, then for each
//	  byte     player | source << 1 | fast << 2 | searched << 3
//	  uvarint  action as uint32
//	  uvarint  legal count as uint32
//	  8 bytes  hash
//	  byte     has          only if searched is 1, like the rest
//	  float    value        only if its bit in has is set, like the rest
//	  varint   score
//	  uvarint  nodes as uint64
//	  varint   depth
//	  uvarint  visits, then for each
//	    uvarint  action as uint32
//	    uvarint  count as uint32
//
// Missing fields are omitted and read as zero. A ply without search statistics takes 11 or
// 12 bytes. The part after the run is also the canonical encoding that [Digest] hashes; it
// changes only with SchemaVersion.
const wireVersion = 2

// minStep and minVisit are the least sizes of a step and a visit in bytes. They bound the
// memory that damaged input can request.
const (
	minStep  = 11
	minVisit = 2
)

// ErrWire is wrapped by the errors of ReadEpisode.
var ErrWire = errors.New("damaged episode")

// AppendEpisode appends the encoding of an episode to dst.
func AppendEpisode(dst []byte, ep *Episode) []byte {
	dst = append(dst, wireVersion)
	dst = appendString(dst, ep.Run)
	return appendCanonical(dst, ep)
}

func appendCanonical(dst []byte, ep *Episode) []byte {
	dst = binary.AppendUvarint(dst, uint64(ep.Number))
	dst = binary.AppendUvarint(dst, uint64(ep.Pair+1))
	dst = binary.LittleEndian.AppendUint64(dst, ep.Seed)
	dst = appendString(dst, ep.Agents[0])
	dst = appendString(dst, ep.Agents[1])
	dst = appendString(dst, ep.Start)
	dst = binary.AppendUvarint(dst, uint64(ep.OpeningPlies))
	dst = append(dst, byte(ep.Result+1)|bit(ep.Terminated)<<2|bit(ep.Truncated)<<3, byte(ep.Reason))
	dst = binary.AppendUvarint(dst, uint64(ep.ResignPly+1))
	dst = binary.AppendVarint(dst, int64(ep.Points[0]))
	dst = binary.AppendVarint(dst, int64(ep.Points[1]))
	dst = binary.LittleEndian.AppendUint64(dst, ep.FinalHash)
	dst = binary.AppendUvarint(dst, uint64(len(ep.Steps)))
	for i := range ep.Steps {
		dst = appendStep(dst, &ep.Steps[i])
	}
	return dst
}

func appendStep(dst []byte, s *Step) []byte {
	has := s.Search.Has
	dst = append(dst, byte(s.Player)&1|byte(s.Source)<<1|bit(s.Search.Fast && has&HasFast != 0)<<2|bit(has != 0)<<3)
	dst = binary.AppendUvarint(dst, uint64(uint32(s.Action)))
	dst = binary.AppendUvarint(dst, uint64(uint32(s.LegalCount)))
	dst = binary.LittleEndian.AppendUint64(dst, s.Hash)
	if has == 0 {
		return dst
	}
	dst = append(dst, byte(has))
	if has&HasValue != 0 {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(s.Search.Value))
	}
	if has&HasScore != 0 {
		dst = binary.AppendVarint(dst, int64(s.Search.Score))
	}
	if has&HasNodes != 0 {
		dst = binary.AppendUvarint(dst, uint64(s.Search.Nodes))
	}
	if has&HasDepth != 0 {
		dst = binary.AppendVarint(dst, int64(s.Search.Depth))
	}
	if has&HasVisits != 0 {
		dst = binary.AppendUvarint(dst, uint64(len(s.Search.Visits)))
		for _, v := range s.Search.Visits {
			dst = binary.AppendUvarint(dst, uint64(uint32(v.Action)))
			dst = binary.AppendUvarint(dst, uint64(uint32(v.Count)))
		}
	}
	return dst
}

func appendString(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// ReadEpisode decodes an episode from the front of src into ep, whose memory it reuses,
// and returns the rest of src. It keeps no reference to src. If it returns an error, which
// wraps ErrWire, the content of ep is undefined, but ep can be reused. It never panics, and
// allocates at most a small multiple of the length of src.
func ReadEpisode(src []byte, ep *Episode) (rest []byte, err error) {
	r := wireReader{src: src}
	old := [...]string{ep.Run, ep.Agents[0], ep.Agents[1], ep.Start}
	ep.Reset()
	if version := r.byte(); r.ok() && version != wireVersion {
		return src, fmt.Errorf("%w: version %d, this program reads %d", ErrWire, version, wireVersion)
	}
	ep.Run = r.string(old[0])
	ep.Number = r.count()
	ep.Pair = r.count() - 1
	ep.Seed = r.uint64()
	ep.Agents[0] = r.string(old[1], old[2])
	ep.Agents[1] = r.string(old[2], old[1])
	ep.Start = r.string(old[3])
	ep.OpeningPlies = int(r.count())
	end := r.byte()
	ep.Result = env.Result(end&3) - 1
	ep.Terminated, ep.Truncated = end&4 != 0, end&8 != 0
	ep.Reason = env.Reason(r.byte())
	ep.ResignPly = int(r.count() - 1)
	ep.Points[0], ep.Points[1] = int(r.varint()), int(r.varint())
	ep.FinalHash = r.uint64()
	plies := r.length(minStep)
	if ep.ResignPly > plies {
		r.fail("resignation after the end of the game")
	}
	if _, known := env.ParseReason(ep.Reason.String()); end > 15 || end&3 == 3 || known != nil {
		r.fail("invalid end of the game")
	}
	for range plies {
		r.step(ep.AddStep())
	}
	if !r.ok() {
		return src, fmt.Errorf("%w: %s at byte %d", ErrWire, r.fault, r.at)
	}
	return r.src[r.at:], nil
}

// A wireReader decodes the wire format. After the first fault it returns zeros.
type wireReader struct {
	src   []byte
	at    int
	fault string
}

func (r *wireReader) ok() bool { return r.fault == "" }

func (r *wireReader) fail(fault string) {
	if r.ok() {
		r.fault = fault
	}
}

func (r *wireReader) step(s *Step) {
	if !r.ok() {
		return
	}
	flags := r.byte()
	if flags > 15 || flags&12 == 4 {
		r.fail("invalid flags")
		return
	}
	s.Player, s.Source, s.Search.Fast = env.Player(flags&1), Source(flags>>1&1), flags&4 != 0
	s.Action = env.Action(r.uint32())
	s.LegalCount = int32(r.uint32())
	s.Hash = r.uint64()
	if flags&8 == 0 {
		return
	}
	has := SearchField(r.byte())
	if has == 0 || has >= searchFields {
		r.fail("invalid search fields")
		return
	}
	s.Search.Has = has
	if has&HasValue != 0 {
		s.Search.Value = math.Float32frombits(r.bits32())
	}
	if has&HasScore != 0 {
		s.Search.Score = r.int32()
	}
	if has&HasNodes != 0 {
		s.Search.Nodes = int64(r.uvarint())
	}
	if has&HasDepth != 0 {
		s.Search.Depth = r.int32()
	}
	if has&HasVisits != 0 {
		for range r.length(minVisit) {
			s.Search.Visits = append(s.Search.Visits, Visit{Action: env.Action(r.uint32()), Count: int32(r.uint32())})
		}
	}
}

func (r *wireReader) byte() byte {
	if r.at >= len(r.src) {
		r.fail("unexpected end")
		return 0
	}
	b := r.src[r.at]
	r.at++
	return b
}

func (r *wireReader) uint64() uint64 {
	if len(r.src)-r.at < 8 {
		r.fail("unexpected end")
		return 0
	}
	v := binary.LittleEndian.Uint64(r.src[r.at:])
	r.at += 8
	return v
}

func (r *wireReader) bits32() uint32 {
	if len(r.src)-r.at < 4 {
		r.fail("unexpected end")
		return 0
	}
	v := binary.LittleEndian.Uint32(r.src[r.at:])
	r.at += 4
	return v
}

func (r *wireReader) uvarint() uint64 {
	if r.at < len(r.src) && r.src[r.at] < 0x80 {
		r.at++
		return uint64(r.src[r.at-1])
	}
	v, n := binary.Uvarint(r.src[r.at:])
	if n <= 0 {
		r.fail("invalid number")
		return 0
	}
	r.at += n
	return v
}

func (r *wireReader) varint() int64 {
	v := r.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// count reads an int64 that is 0 or more.
func (r *wireReader) count() int64 {
	v := r.uvarint()
	if v > math.MaxInt64 {
		r.fail("number out of range")
		return 0
	}
	return int64(v)
}

func (r *wireReader) uint32() uint32 {
	v := r.uvarint()
	if v > math.MaxUint32 {
		r.fail("number out of range")
		return 0
	}
	return uint32(v)
}

func (r *wireReader) int32() int32 {
	v := r.varint()
	if int64(int32(v)) != v {
		r.fail("number out of range")
		return 0
	}
	return int32(v)
}

// length reads the length of a list whose elements take at least least bytes each. It
// fails if the rest of the input is too short for the list.
func (r *wireReader) length(least int) int {
	n := r.uvarint()
	if n > uint64((len(r.src)-r.at)/least) {
		r.fail("length beyond the end")
		return 0
	}
	return int(n)
}

// string reads a string. It returns an equal string from known if there is one, so that
// reading similar episodes does not allocate.
func (r *wireReader) string(known ...string) string {
	n := r.length(1)
	b := r.src[r.at : r.at+n]
	r.at += n
	for _, s := range known {
		if s == string(b) {
			return s
		}
	}
	return string(b)
}
