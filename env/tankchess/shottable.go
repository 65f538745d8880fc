package tankchess

import (
	"math/bits"
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
)

// Few pieces have a shot, so shots are looked up from their targets. The ray of a
// target in direction d is the distance, against that direction, to the first thing
// that stops fire: a shell flying in direction d hits the target from all nearer
// squares. The eight rays of a target are the bytes of one word. A shotTable says how
// long each ray must be for some end state of a piece to lie on it, which depends
// only on the type and the facing of the piece and on the offset of the target. So
// one subtraction of words tests all eight directions. The few pairs that pass are
// examined square by square.

const (
	everyByte  = 0x0101010101010101
	highBits   = 0x80 * everyByte
	endlessRay = 0x7f // longer than any ray
	overflyRay = 0x60 // added to the rays of targets of a gun that fires over things
)

// A shotTable holds what the shots of a type of piece depend on.
type shotTable struct {
	// minRay[diagonal][offset] holds in byte d the least ray that a target at that
	// offset must have in direction d, for the facings N and NE. For other facings
	// the board is rotated by multiples of 90°.
	minRay [2][]uint64
	// farthest[diagonal][offset] holds in byte d the greatest distance from which
	// some end state hits a target at that offset in direction d.
	farthest [2][]uint64
	arcs     []arc
	power    uint64 // in every byte, with its high bit
	overfly  uint64 // in every byte
}

// An arc is a direction in which a gun fires.
type arc struct {
	turn      env.Direction // clockwise from the facing
	firstShot int16         // number of its first shot
}

// rotatedIndices returns the index of a square on the board as it is, and on the
// board rotated so that E, S and W are ahead. The difference of the indices of two
// squares is the index of the offset between them.
func (g *Game) rotatedIndices(x, y int) [4]uint16 {
	last := g.size - 1
	index := func(x, y int) uint16 { return uint16(y*2*g.size + x) }
	return [4]uint16{index(x, y), index(last-y, x), index(last-x, last-y), index(y, last-x)}
}

func (g *Game) newShotTable(k *kind) shotTable {
	table := shotTable{power: uint64(k.power)*everyByte | highBits}
	if k.gun.Indirect {
		table.overfly = overflyRay * everyByte
	}
	for i, turn := range k.gun.Arcs {
		table.arcs = append(table.arcs, arc{turn: env.Direction(turn & 7), firstShot: int16(k.firstShot[i])})
	}
	for diagonal := range table.minRay {
		table.minRay[diagonal], table.farthest[diagonal] = g.rayTables(k, diagonal)
	}
	return table
}

// rayTables returns shotTable.minRay and shotTable.farthest for facing N or NE.
func (g *Game) rayTables(k *kind, diagonal int) (minRay, farthest []uint64) {
	minRay, farthest = make([]uint64, 2*g.offsetOrigin+1), make([]uint64, 2*g.offsetOrigin+1)
	for i := range minRay {
		minRay[i] = endlessRay * everyByte
	}
	onBoard := func(o offset) bool { return max(abs(o.dx), abs(o.dy)) < g.size }
	lower := func(o offset, d env.Direction, ray int) {
		at := &minRay[g.offsetOrigin+o.dy*2*g.size+o.dx]
		if ray < rayLength(*at, d) {
			*at = *at&^(0xff<<(8*d)) | uint64(ray)<<(8*d)
		}
	}
	for _, end := range g.templates.endStates[diagonal][:g.templates.countBySpeed[diagonal][k.speed]] {
		for _, arc := range k.gun.Arcs {
			d := env.Direction(diagonal).Turned(int(end.turn) + arc)
			dx, dy := d.Delta()
			for distance := k.minRange; distance <= min(k.maxRange, g.size-1); distance++ {
				o := offset{int(end.dx) + distance*dx, int(end.dy) + distance*dy}
				if !onBoard(o) {
					continue
				}
				lower(o, d, distance+1)
				if greatest := &farthest[g.offsetOrigin+o.dy*2*g.size+o.dx]; distance > rayLength(*greatest, d) {
					*greatest = *greatest&^(0xff<<(8*d)) | uint64(distance)<<(8*d)
				}
			}
		}
	}
	if k.gun.Indirect {
		return minRay, farthest
	}
	// The piece that fires may itself end the ray, on the square that it leaves.
	for d := env.N; d <= env.NW; d++ {
		dx, dy := d.Delta()
		for distance := 1; distance < g.size; distance++ {
			if o := (offset{distance * dx, distance * dy}); rayLength(minRay[g.offsetOrigin+o.dy*2*g.size+o.dx], d) < endlessRay {
				lower(o, d, distance)
			}
		}
	}
	return minRay, farthest
}

// mayHit returns the set of targets that a piece may have a shot at. Own is the
// index of the piece's square on the rotated board subtracted from offsetOrigin.
// An offset from there lies in minRay for every square of the board.
func (table *shotTable) mayHit(list []target, minRay []uint64, own, quarterTurns int) (set uint32) {
	rotation := -16 * quarterTurns
	power, overfly := bits.RotateLeft64(table.power, rotation), table.overfly|highBits
	entries := unsafe.Pointer(&minRay[own])
	index := unsafe.Offsetof(list[0].rotated) + uintptr(quarterTurns&3)*unsafe.Sizeof(list[0].rotated[0])
	for i := len(list) - 1; i >= 0; i-- {
		t := &list[i]
		offset := *(*uint16)(unsafe.Add(unsafe.Pointer(t), index))
		hits := (bits.RotateLeft64(t.rays, rotation) | overfly) - *(*uint64)(unsafe.Add(entries, uintptr(offset)*8))
		hits &= (power - bits.RotateLeft64(t.armour, rotation)) & highBits
		set = set<<1 | uint32((hits|-hits)>>63)
	}
	return set
}
