package tankchess

import (
	"math/bits"
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
)

// A list of actions is written through a pointer, eight at a time of which some
// may be waste: behind the list there must be room for slack actions more.

// slack is how many actions may be wasted behind a list.
const slack = 8

// actionSize is the size of an action in bytes.
const actionSize = unsafe.Sizeof(env.Action(0))

// room returns dst with room for so many actions more, and where they begin.
func room(dst []env.Action, actions int) ([]env.Action, unsafe.Pointer) {
	n := len(dst)
	if cap(dst)-n < actions {
		dst = append(dst, make([]env.Action, actions)...)[:n]
	}
	return dst, unsafe.Pointer(&dst[n:cap(dst)][0])
}

// filled returns dst with what has been written between two places behind it.
func filled(dst []env.Action, start, end unsafe.Pointer) []env.Action {
	return dst[:len(dst)+int((uintptr(end)-uintptr(start))/actionSize)]
}

// add writes an action at p and returns where the next one goes.
func add(p unsafe.Pointer, a env.Action) unsafe.Pointer {
	*(*env.Action)(p) = a
	return unsafe.Add(p, actionSize)
}

// nibble is how many actions the usual rule sets have for an end state: none
// and three shots.
const nibble = 4

// expansions are tables by a set of eight numbers.
type expansions struct {
	ends   [256]eight  // S times the members
	plain  [256]eight  // the members
	spread [256]uint32 // the members times four, as a set
}

// eight are up to eight actions, two a word as they lie in memory, and how many
// bytes they fill. What is added to all does not carry.
type eight struct {
	actions [4]uint64
	bytes   uint64
}

func newExpansions(shots int) *expansions {
	x := new(expansions)
	for set := range 256 {
		var ends, plain [8]env.Action
		n := 0
		for member := range 8 {
			if set>>member&1 != 0 {
				ends[n], plain[n] = env.Action(member*shots), env.Action(member)
				x.spread[set] |= 1 << (nibble * member)
				n++
			}
		}
		x.ends[set], x.plain[set] = pack(&ends, n), pack(&plain, n)
	}
	return x
}

// pack makes a row of the first n actions.
func pack(actions *[8]env.Action, n int) eight {
	return eight{*(*[4]uint64)(unsafe.Pointer(actions)), uint64(n) * uint64(actionSize)}
}

// both writes a number into both halves of a word.
func both(n int) uint64 { return uint64(n) | uint64(n)<<32 }

// write writes the actions of a row at p, all raised by first, and returns where
// the next ones go.
func (row *eight) write(p unsafe.Pointer, first uint64) unsafe.Pointer {
	*(*[4]uint64)(p) = [4]uint64{row.actions[0] + first, row.actions[1] + first, row.actions[2] + first, row.actions[3] + first}
	return unsafe.Add(p, row.bytes)
}

// quiet writes the actions without a shot for the end states of the first words
// of a set, so many bytes of it, and returns where the next ones go. Eight end
// states are step apart.
func (x *expansions) quiet(p unsafe.Pointer, first, step uint64, e *ends, bytes int) unsafe.Pointer {
	w := 0
	for ; bytes >= 8; bytes -= 8 {
		rest := e[w&(len(e)-1)]
		p = x.ends[rest&0xff].write(p, first)
		p = x.ends[rest>>8&0xff].write(p, first+step)
		p = x.ends[rest>>16&0xff].write(p, first+2*step)
		p = x.ends[rest>>24&0xff].write(p, first+3*step)
		first += 4 * step
		p = x.ends[rest>>32&0xff].write(p, first)
		p = x.ends[rest>>40&0xff].write(p, first+step)
		p = x.ends[rest>>48&0xff].write(p, first+2*step)
		p = x.ends[rest>>56].write(p, first+3*step)
		first += 4 * step
		w++
	}
	for rest := e[w&(len(e)-1)]; bytes > 0; bytes-- {
		p = x.ends[rest&0xff].write(p, first)
		first += step
		rest >>= 8
	}
	return p
}

// fourShots is quiet for a piece that can fire, where there are four actions for
// an end state.
func (x *expansions) fourShots(p unsafe.Pointer, first uint64, e *ends, fire []uint64, bytes int) unsafe.Pointer {
	step, part := both(8*nibble), both(8)
	for w := 0; bytes > 0; w++ {
		rest := e[w&(len(e)-1)]
		for i := range min(bytes, 8) {
			set := rest & 0xff
			rest >>= 8
			half := w*8 + i // of a word of fire
			shots := uint32(fire[half/2] >> (half % 2 * 32))
			if shots == 0 {
				p = x.ends[set].write(p, first)
				first += step
				continue
			}
			shots |= x.spread[set]
			for range 4 {
				p = x.plain[shots&0xff].write(p, first)
				first += part
				shots >>= 8
			}
		}
		bytes -= 8
	}
	return p
}

// anyShots is fourShots for any number of actions for an end state.
func (g *Game) anyShots(p unsafe.Pointer, first int, e *ends, fire []uint64) unsafe.Pointer {
	for w, rest := range e {
		for ; rest != 0; rest &= rest - 1 {
			base := (w<<6 | bits.TrailingZeros64(rest)) * g.shots
			p = add(p, env.Action(first+base))
			for bit := base + 1; bit < base+g.shots; bit++ {
				if fire[bit>>6]>>(bit&63)&1 != 0 {
					p = add(p, env.Action(first+bit))
				}
			}
		}
	}
	return p
}

// mask sets the bits of a piece's actions.
func (s *State) mask(mask []uint64, first int, e *ends, bytes int, fires bool) {
	g := s.game
	if g.shots != nibble {
		s.anyMask(mask, first, e, fires)
		return
	}
	x, fire := g.expansions, s.scratch.fire
	shift := first & 63
	to := mask[first>>6:]
	before := uint64(0)
	rest := uint64(0)
	words := (bytes + 1) / 2
	for i := range words {
		if i%4 == 0 {
			rest = e[i/4&(len(e)-1)]
		}
		word := uint64(x.spread[rest&0xff]) | uint64(x.spread[rest>>8&0xff])<<32
		rest >>= 16
		if fires {
			word |= fire[i]
		}
		to[i] |= word<<shift | before>>1>>(63-shift)
		before = word
	}
	if over := before >> 1 >> (63 - shift); over != 0 {
		to[words] |= over
	}
}

// anyMask is mask for any number of actions for an end state.
func (s *State) anyMask(mask []uint64, first int, e *ends, fires bool) {
	set := func(bit int) { mask[bit>>6] |= 1 << (bit & 63) }
	for w, rest := range e {
		for ; rest != 0; rest &= rest - 1 {
			set(first + (w<<6|bits.TrailingZeros64(rest))*s.game.shots)
		}
	}
	if !fires {
		return
	}
	for w, rest := range s.scratch.fire {
		for ; rest != 0; rest &= rest - 1 {
			set(first + (w<<6 | bits.TrailingZeros64(rest)))
		}
	}
}
