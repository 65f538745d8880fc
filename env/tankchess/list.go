package tankchess

import (
	"math/bits"
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
)

// A list of actions is written through a pointer, eight at a time of which some
// may be waste: behind the list there must be room for slack actions more.
type list struct {
	dst        []env.Action // as it was given, grown if need be
	start, end unsafe.Pointer
}

// slack is how many actions may be wasted behind a list.
const slack = 8

// actionSize is the size of an action in bytes.
const actionSize = unsafe.Sizeof(env.Action(0))

// newList begins a list behind dst, with room for so many actions.
func newList(dst []env.Action, room int) list {
	n := len(dst)
	if cap(dst)-n < room {
		dst = append(dst, make([]env.Action, room)...)[:n]
	}
	p := unsafe.Pointer(&dst[n:cap(dst)][0])
	return list{dst, p, p}
}

// done returns what has been written behind what was there.
func (l *list) done() []env.Action {
	return l.dst[:len(l.dst)+int((uintptr(l.end)-uintptr(l.start))/actionSize)]
}

func (l *list) add(a env.Action) {
	*(*env.Action)(l.end) = a
	l.end = unsafe.Add(l.end, actionSize)
}

// nibble is how many actions the usual rule sets have for an end state: none
// and three shots.
const nibble = 4

// expansions are tables by a set of eight numbers.
type expansions struct {
	ends   [256]eight  // S times the members
	plain  [256]eight  // the members
	bytes  [256]uint8  // how many members there are, in bytes of actions
	spread [256]uint32 // the members times four, as a set
}

// eight are eight actions, two a word: what is added to all does not carry.
type eight [4]uint64

func newExpansions(shots int) *expansions {
	x := new(expansions)
	for set := range 256 {
		n := 0
		for member := range 8 {
			if set>>member&1 == 0 {
				continue
			}
			x.ends[set][n/2] |= uint64(member*shots) << (n % 2 * 32)
			x.plain[set][n/2] |= uint64(member) << (n % 2 * 32)
			x.spread[set] |= 1 << (nibble * member)
			n++
		}
		x.bytes[set] = uint8(uintptr(n) * actionSize)
	}
	return x
}

// both writes a number into both halves of a word.
func both(n int) uint64 { return uint64(n) | uint64(n)<<32 }

func (l *list) write(e *eight, first uint64, bytes uint8) {
	*(*eight)(l.end) = eight{e[0] + first, e[1] + first, e[2] + first, e[3] + first}
	l.end = unsafe.Add(l.end, bytes)
}

// quiet adds the actions without a shot for a set of end states.
func (l *list) quiet(g *Game, first int, e *ends, bytes int) {
	x := g.expansions
	at, step := both(first), both(8*g.shots)
	out := *l
	for w := 0; bytes > 0; w++ {
		rest := e[w&(len(e)-1)]
		for range min(bytes, 8) {
			set := rest & 0xff
			out.write(&x.ends[set], at, x.bytes[set])
			at += step
			rest >>= 8
		}
		bytes -= 8
	}
	*l = out
}

// fourShots adds the actions of a piece that can fire, where there are four
// actions for an end state.
func (l *list) fourShots(g *Game, first int, e *ends, fire []uint64, bytes int) {
	x := g.expansions
	at, step, part := both(first), both(8*nibble), both(8)
	out := *l
	for w := 0; bytes > 0; w++ {
		rest := e[w&(len(e)-1)]
		for i := range min(bytes, 8) {
			set := rest & 0xff
			rest >>= 8
			half := w*8 + i // of a word of fire
			shots := uint32(fire[half/2] >> (half % 2 * 32))
			if shots == 0 {
				out.write(&x.ends[set], at, x.bytes[set])
				at += step
				continue
			}
			shots |= x.spread[set]
			for range 4 {
				out.write(&x.plain[shots&0xff], at, x.bytes[shots&0xff])
				at += part
				shots >>= 8
			}
		}
		bytes -= 8
	}
	*l = out
}

// anyShots is fourShots for any number of actions for an end state.
func (l *list) anyShots(g *Game, first int, e *ends, fire []uint64) {
	for w, rest := range e {
		for ; rest != 0; rest &= rest - 1 {
			base := (w<<6 | bits.TrailingZeros64(rest)) * g.shots
			l.add(env.Action(first + base))
			for bit := base + 1; bit < base+g.shots; bit++ {
				if fire[bit>>6]>>(bit&63)&1 != 0 {
					l.add(env.Action(first + bit))
				}
			}
		}
	}
}

// mask sets the bits of a piece's actions.
func (s *State) mask(mask []uint64, first int, e *ends, fires bool) {
	g := s.game
	if g.shots != nibble {
		for w, rest := range e {
			for ; rest != 0; rest &= rest - 1 {
				bit := first + (w<<6|bits.TrailingZeros64(rest))*g.shots
				mask[bit>>6] |= 1 << (bit & 63)
			}
		}
	} else {
		for w, rest := range e[:(g.templates.count+63)/64] {
			for i := 0; rest != 0; i++ {
				half := uint64(g.expansions.spread[rest&0xff]) | uint64(g.expansions.spread[rest>>8&0xff])<<32
				orBits(mask, first+(w*4+i)*64, half)
				rest >>= 16
			}
		}
	}
	if fires {
		for w, shots := range s.fire {
			if shots != 0 {
				orBits(mask, first+w*64, shots)
			}
		}
	}
}

// orBits sets the bits of a word in mask, from the given one on.
func orBits(mask []uint64, bit int, word uint64) {
	mask[bit>>6] |= word << (bit & 63)
	if high := word >> 1 >> (63 - bit&63); high != 0 {
		mask[bit>>6+1] |= high
	}
}
