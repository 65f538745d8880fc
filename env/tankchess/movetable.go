package tankchess

import (
	"math/bits"
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
)

// The end states that a piece can reach are looked up, not searched. An end state
// has one minimal route or a few (see routes.go), and each route is a bit in one of
// a few words. The squares around the piece that any route enters are gathered from
// the board into one word or a few. For every six of these squares, a table holds
// the routes that closed squares among them block. An end state is reachable if a
// bit of one of its routes remains.

// margin is how many squares off the board the fastest type could step.
const margin = maxSpeed

// closedRows are the squares that a movement may not enter: row y at index
// y+margin, file x at bit x+margin. All squares off the board are closed.
type closedRows [maxSize + 2*margin]uint64

// toggle closes an open square or opens a closed one.
func (r *closedRows) toggle(x, y int) { r[y+margin] ^= 1 << (x + margin) }

// has reports whether a square is closed. It may lie up to margin off the board.
func (r *closedRows) has(x, y int) bool { return r[y+margin]>>(x+margin)&1 != 0 }

// endSet is a set of end states, by template.
type endSet [maxTemplates / 64]uint64

// A moveTable holds what pieces of one speed can reach.
type moveTable struct {
	setBytes   int         // leading bytes of an endSet that can have members
	routeWords int         // words of routes
	routeEnds  [2][]endSet // by diagonal facing and word of routes: the end states with a route in that word
	byFacing   [8]facingTable
}

// A facingTable is the part of a moveTable for one facing.
type facingTable struct {
	rowMasks []rowMask // the same number for each facing of a moveTable
	blocked  []uint64  // [chunk][closed squares of the chunk][word of routes]
	chunks   int
}

// A rowMask selects squares of one row and says where they are gathered.
type rowMask struct {
	squares  uint64 // at their places in the gathered word
	row      uint8  // dy + margin
	rotation int8   // of the row that brings the squares there, for a piece on file 0
	word     uint8  // of the gathered words
}

const (
	chunkBits = 6
	chunkSize = 1 << chunkBits // entries of a chunk
	perWord   = 64 / chunkBits // chunks in a gathered word
	wordBits  = perWord * chunkBits
	maxWords  = 4 // gathered; the squares of the fastest type need three
)

func newMoveTable(t *templates, speed int) *moveTable {
	m := new(moveTable)
	var all [2][][]route
	var bitsOf [2][][]routeBit
	for diagonal := range all {
		all[diagonal] = t.routes(env.Direction(diagonal), speed)
		bitsOf[diagonal] = m.assignBits(diagonal, all[diagonal])
		for template, routes := range all[diagonal] {
			if len(routes) > 0 {
				m.setBytes = max(m.setBytes, template/8+1)
			}
		}
	}
	m.routeWords = max(len(m.routeEnds[0]), len(m.routeEnds[1]))
	rows := 0
	for facing := range m.byFacing {
		diagonal := facing & 1
		m.routeEnds[diagonal] = append(m.routeEnds[diagonal], make([]endSet, m.routeWords-len(m.routeEnds[diagonal]))...)
		m.byFacing[facing] = m.newFacingTable(all[diagonal], bitsOf[diagonal], facing/2)
		rows = max(rows, len(m.byFacing[facing].rowMasks))
	}
	for facing := range m.byFacing {
		f := &m.byFacing[facing]
		f.rowMasks = append(f.rowMasks, make([]rowMask, rows-len(f.rowMasks))...)
	}
	return m
}

// A routeBit is the bit of a route.
type routeBit struct{ word, bit int }

// assignBits gives each route the bit of its template, modulo 64, in the first word
// that has it free, the first route of every end state before all others.
func (m *moveTable) assignBits(diagonal int, all [][]route) [][]routeBit {
	assigned := make([][]routeBit, len(all))
	words := &m.routeEnds[diagonal]
	assign := func(template, word int) {
		bit := template % 64
		free := func(ends *endSet) bool {
			var taken uint64
			for _, w := range ends {
				taken |= w
			}
			return taken>>bit&1 == 0
		}
		for ; ; word++ {
			for len(*words) <= word {
				*words = append(*words, endSet{})
			}
			if ends := &(*words)[word]; free(ends) {
				ends[template/64] |= 1 << bit
				assigned[template] = append(assigned[template], routeBit{word, bit})
				return
			}
		}
	}
	for template, routes := range all {
		if len(routes) > 0 {
			assign(template, template/64)
		}
	}
	for template, routes := range all {
		for i := 1; i < len(routes); i++ {
			assign(template, 0)
		}
	}
	return assigned
}

func (m *moveTable) newFacingTable(all [][]route, bitsOf [][]routeBit, quarterTurns int) (f facingTable) {
	var used [2*margin + 1]uint64 // by row, file dx at bit dx+margin
	for _, routes := range all {
		for _, r := range routes {
			for _, o := range r {
				o = o.rotated(quarterTurns)
				used[o.dy+margin] |= 1 << (o.dx + margin)
			}
		}
	}
	gathered := map[offset]int{} // bit of a square, over all gathered words
	next := 0
	for row, squares := range used {
		if squares == 0 {
			continue
		}
		first := bits.TrailingZeros64(squares)
		width := bits.Len64(squares) - first
		if next/wordBits != (next+width-1)/wordBits {
			next = (next/wordBits + 1) * wordBits
		}
		word, bit := next/wordBits, next%wordBits
		f.rowMasks = append(f.rowMasks, rowMask{squares: squares >> first << bit, row: uint8(row), rotation: int8(bit - first), word: uint8(word)})
		for dx := range width {
			gathered[offset{dx + first - margin, row - margin}] = next + dx
		}
		next += width
	}
	f.chunks = (next + chunkBits - 1) / chunkBits
	// One chunk more than needed keeps the pointer that walks over them inside.
	f.blocked = make([]uint64, (f.chunks+1)*chunkSize*m.routeWords)
	entry := func(chunk, closed int) []uint64 {
		return f.blocked[(chunk*chunkSize+closed)*m.routeWords:][:m.routeWords]
	}
	for template, routes := range all {
		for i, r := range routes {
			b := bitsOf[template][i]
			for _, o := range r {
				n := gathered[o.rotated(quarterTurns)]
				entry(n/chunkBits, 1<<(n%chunkBits))[b.word] |= 1 << b.bit
			}
		}
	}
	for chunk := range f.chunks {
		for closed := 1; closed < chunkSize; closed++ {
			lowest, others := entry(chunk, closed&-closed), entry(chunk, closed&(closed-1))
			for i, word := range lowest {
				entry(chunk, closed)[i] = word | others[i]
			}
		}
	}
	return f
}

// reachable sets out to the end states that a piece at file x and rank y can reach.
func (m *moveTable) reachable(closed *closedRows, x, y int, facing env.Direction, out *endSet) {
	f, ends := &m.byFacing[facing&7], m.routeEnds[facing&1]
	switch m.routeWords {
	case 1:
		*out = endSet{f.reach1(closed, x, y, ends)}
	case 2:
		*out = endSet{f.reach2(closed, x, y, ends)}
	case 5:
		f.reach5(closed, x, y, ends, out)
	default:
		m.reachAny(closed, x, y, facing, out)
	}
}

// gather returns the closed squares around a piece, for a facing whose squares fit
// into one word.
func (f *facingTable) gather(closed *closedRows, x, y int) (squares uint64) {
	first := unsafe.Pointer(&closed[y])
	for i := range f.rowMasks {
		mask := &f.rowMasks[i]
		// y is a rank of the board and mask.row at most 2·margin, so the row exists.
		row := *(*uint64)(unsafe.Add(first, uintptr(mask.row)*8))
		squares |= bits.RotateLeft64(row, int(mask.rotation)-x) & mask.squares
	}
	return squares
}

// reach1, reach2 and reach5 are reachAny for 1, 2 and 5 words of routes, which
// speeds up to 3, 4 and 5 have. The pointer to the present chunk ends on the spare
// chunk that newFacingTable adds.

func (f *facingTable) reach1(closed *closedRows, x, y int, ends []endSet) uint64 {
	squares := f.gather(closed, x, y)
	var a uint64
	blocked := (*[chunkSize]uint64)(f.blocked)
	for range f.chunks {
		a |= blocked[squares%chunkSize]
		squares >>= chunkBits
		blocked = (*[chunkSize]uint64)(unsafe.Add(unsafe.Pointer(blocked), unsafe.Sizeof(*blocked)))
	}
	return ends[0][0] &^ a
}

func (f *facingTable) reach2(closed *closedRows, x, y int, ends []endSet) uint64 {
	squares := f.gather(closed, x, y)
	var a, b uint64
	blocked := (*[chunkSize][2]uint64)(unsafe.Pointer(&f.blocked[0]))
	for range f.chunks {
		row := &blocked[squares%chunkSize]
		a |= row[0]
		b |= row[1]
		squares >>= chunkBits
		blocked = (*[chunkSize][2]uint64)(unsafe.Add(unsafe.Pointer(blocked), unsafe.Sizeof(*blocked)))
	}
	return ends[0][0]&^a | ends[1][0]&^b
}

func (f *facingTable) reach5(closed *closedRows, x, y int, ends []endSet, out *endSet) {
	squares := f.gather(closed, x, y)
	var a, b, c, d, e uint64
	blocked := (*[chunkSize][5]uint64)(unsafe.Pointer(&f.blocked[0]))
	for range f.chunks {
		row := &blocked[squares%chunkSize]
		a |= row[0]
		b |= row[1]
		c |= row[2]
		d |= row[3]
		e |= row[4]
		squares >>= chunkBits
		blocked = (*[chunkSize][5]uint64)(unsafe.Add(unsafe.Pointer(blocked), unsafe.Sizeof(*blocked)))
	}
	o := (*[5]endSet)(ends)
	*out = endSet{
		o[0][0]&^a | o[1][0]&^b | o[2][0]&^c | o[3][0]&^d | o[4][0]&^e,
		o[0][1]&^a | o[1][1]&^b | o[2][1]&^c | o[3][1]&^d | o[4][1]&^e,
		o[0][2]&^a | o[1][2]&^b | o[2][2]&^c | o[3][2]&^d | o[4][2]&^e,
	}
}

// maxRouteWords bounds moveTable.routeWords: the greatest speed with mixed reverse
// has 21.
const maxRouteWords = 24

func (m *moveTable) reachAny(closed *closedRows, x, y int, facing env.Direction, out *endSet) {
	f := &m.byFacing[facing&7]
	var squares [maxWords]uint64
	for i := range f.rowMasks {
		mask := &f.rowMasks[i]
		squares[mask.word%maxWords] |= bits.RotateLeft64(closed[y+int(mask.row)], int(mask.rotation)-x) & mask.squares
	}
	var blocked [maxRouteWords]uint64
	for chunk := range f.chunks {
		closed := int(squares[chunk/perWord] >> (chunk % perWord * chunkBits) % chunkSize)
		for i, w := range f.blocked[(chunk*chunkSize+closed)*m.routeWords:][:m.routeWords] {
			blocked[i] |= w
		}
	}
	*out = endSet{}
	for w := range (m.setBytes + 7) / 8 {
		for i := range m.routeWords {
			out[w] |= m.routeEnds[facing&1][i][w] &^ blocked[i]
		}
	}
}
