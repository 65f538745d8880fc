package tankchess

import (
	"math/bits"
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Actions are written through a pointer, eight at a time, and the pointer advances
// by the number of legal ones. The at most eight actions that a write leaves beyond
// it lie in the engine.Slack that engine.Room adds.

// writeAction writes an action at p and returns the address behind it.
func writeAction(p unsafe.Pointer, a env.Action) unsafe.Pointer {
	*(*env.Action)(p) = a
	return unsafe.Add(p, engine.ActionSize)
}

// usualShots is the number of actions for each end state in the usual rule sets: no
// shot, or one of three.
const usualShots = 4

// expansionTables turn a set of eight numbers, given as a byte, into actions.
type expansionTables struct {
	scaled  [256]packedActions // the members times S
	members [256]packedActions
	nibbles [256]uint32 // the members times four, as a set
}

// packedActions are up to eight actions, two in a word as they lie in memory. What
// is added to all of them does not carry.
type packedActions struct {
	actions [4]uint64
	bytes   uint64 // size of the actions
}

func newExpansionTables(shotCount int) *expansionTables {
	x := new(expansionTables)
	for set := range 256 {
		var scaled, members [8]env.Action
		n := 0
		for member := range 8 {
			if set>>member&1 != 0 {
				scaled[n], members[n] = env.Action(member*shotCount), env.Action(member)
				x.nibbles[set] |= 1 << (usualShots * member)
				n++
			}
		}
		x.scaled[set], x.members[set] = packActions(&scaled, n), packActions(&members, n)
	}
	return x
}

// packActions packs the first n actions.
func packActions(actions *[8]env.Action, n int) packedActions {
	// The arrays have the same size, and packedActions are written back as they are.
	return packedActions{*(*[4]uint64)(unsafe.Pointer(actions)), uint64(n) * uint64(engine.ActionSize)}
}

// inBothHalves returns a word with a number in both halves.
func inBothHalves(n int) uint64 { return uint64(n) | uint64(n)<<32 }

// write writes packed actions at p, first added to each, and returns the address
// behind them.
func (a *packedActions) write(p unsafe.Pointer, first uint64) unsafe.Pointer {
	*(*[4]uint64)(p) = [4]uint64{a.actions[0] + first, a.actions[1] + first, a.actions[2] + first, a.actions[3] + first}
	return unsafe.Add(p, a.bytes)
}

// writeMoves writes the actions without a shot for the end states in the first bytes
// of a set, and returns the address behind them. First is the action of template 0,
// and step the distance between the actions of template n and n+8, in both halves.
func (x *expansionTables) writeMoves(p unsafe.Pointer, first, step uint64, reached *endSet, bytes int) unsafe.Pointer {
	w := 0
	for ; bytes >= 8; bytes -= 8 {
		rest := reached[w&(len(reached)-1)]
		p = x.scaled[rest&0xff].write(p, first)
		p = x.scaled[rest>>8&0xff].write(p, first+step)
		p = x.scaled[rest>>16&0xff].write(p, first+2*step)
		p = x.scaled[rest>>24&0xff].write(p, first+3*step)
		first += 4 * step
		p = x.scaled[rest>>32&0xff].write(p, first)
		p = x.scaled[rest>>40&0xff].write(p, first+step)
		p = x.scaled[rest>>48&0xff].write(p, first+2*step)
		p = x.scaled[rest>>56].write(p, first+3*step)
		first += 4 * step
		w++
	}
	for rest := reached[w&(len(reached)-1)]; bytes > 0; bytes-- {
		p = x.scaled[rest&0xff].write(p, first)
		first += step
		rest >>= 8
	}
	return p
}

// writeFourShots does what writeMoves does for a piece that can fire, in rule sets
// with usualShots.
func (x *expansionTables) writeFourShots(p unsafe.Pointer, first uint64, reached *endSet, shotSet []uint64, bytes int) unsafe.Pointer {
	step, part := inBothHalves(8*usualShots), inBothHalves(8)
	for w := 0; bytes > 0; w++ {
		rest := reached[w&(len(reached)-1)]
		for i := range min(bytes, 8) {
			ends := rest & 0xff
			rest >>= 8
			half := w*8 + i // of a word of shotSet
			actions := uint32(shotSet[half/2] >> (half % 2 * 32))
			if actions == 0 {
				p = x.scaled[ends].write(p, first)
				first += step
				continue
			}
			actions |= x.nibbles[ends]
			for range 4 {
				p = x.members[actions&0xff].write(p, first)
				first += part
				actions >>= 8
			}
		}
		bytes -= 8
	}
	return p
}

// writeAnyShots does what writeFourShots does for any number of actions for each
// end state.
func (g *Game) writeAnyShots(p unsafe.Pointer, first int, reached *endSet, shotSet []uint64) unsafe.Pointer {
	for w, rest := range reached {
		for ; rest != 0; rest &= rest - 1 {
			base := (w<<6 | bits.TrailingZeros64(rest)) * g.shotCount
			p = writeAction(p, env.Action(first+base))
			for bit := base + 1; bit < base+g.shotCount; bit++ {
				if shotSet[bit>>6]>>(bit&63)&1 != 0 {
					p = writeAction(p, env.Action(first+bit))
				}
			}
		}
	}
	return p
}
