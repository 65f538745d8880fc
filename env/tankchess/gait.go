package tankchess

import (
	"math/bits"
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
)

// How far a piece gets is looked up, not searched. Every end state has one
// least route, or a few; each route is a bit of some words. The squares that
// any route of a stance enters are gathered from the board into a
// word or a few, and for every six of them a table has the routes that they bar. An end
// state can be reached when a bit of one of its routes is left.

// margin is how many squares around the board the fastest type could step to.
const margin = maxSpeed

// rows are the squares that a movement may not enter: row y at index y+margin,
// file x at bit x+margin. Beside the board every bit is set.
type rows [maxSize + 2*margin]uint64

// flip opens or closes a square.
func (r *rows) flip(x, y int) { r[y+margin] ^= 1 << (x + margin) }

// has tells whether a square is closed, also one up to margin off the board.
func (r *rows) has(x, y int) bool { return r[y+margin]>>(x+margin)&1 != 0 }

// ends is a set of end states.
type ends [maxTemplates / 64]uint64

// A gait is what pieces of one speed can do.
type gait struct {
	bytes   int // of a set of end states that can have members
	words   int // of routes
	owners  [2][]ends
	stances [8]stance
}

// A stance is a gait in one facing.
type stance struct {
	strips []strip  // as many in each stance of a gait
	bars   []uint64 // [chunk][squares of the chunk that are closed][word of routes]
	chunks int
}

// A strip is a piece of a row.
type strip struct {
	squares uint64 // where they stand when gathered
	row     uint8  // dy + margin
	turn    int8   // how far to turn the row to bring them there from file 0
	word    uint8  // into which they are gathered
}

const (
	chunkBits = 6
	chunkSize = 1 << chunkBits // entries of a chunk
	perWord   = 64 / chunkBits // chunks gathered in a word
	wordBits  = perWord * chunkBits
	maxWords  = 4 // gathered; the squares of the fastest gait need three
)

func newGait(t *templates, speed int) *gait {
	g := new(gait)
	var all [2][][]route
	var places [2][][]place
	for class := range all {
		all[class] = t.routes(env.Direction(class), speed)
		places[class] = g.assign(class, all[class])
		for end, routes := range all[class] {
			if len(routes) > 0 {
				g.bytes = max(g.bytes, end/8+1)
			}
		}
	}
	g.words = max(len(g.owners[0]), len(g.owners[1]))
	strips := 0
	for f := range g.stances {
		g.owners[f&1] = append(g.owners[f&1], make([]ends, g.words-len(g.owners[f&1]))...)
		g.stances[f] = g.newStance(all[f&1], places[f&1], f/2)
		strips = max(strips, len(g.stances[f].strips))
	}
	for f := range g.stances {
		s := &g.stances[f]
		s.strips = append(s.strips, make([]strip, strips-len(s.strips))...)
	}
	return g
}

// A place is the bit that stands for a route.
type place struct{ word, bit int }

// assign gives each route the bit of its end state's number in the first word
// in which it is free, the first route of every end state before all others.
func (g *gait) assign(class int, all [][]route) [][]place {
	places := make([][]place, len(all))
	owners := &g.owners[class]
	put := func(end, word int) {
		bit := end % 64
		free := func(o *ends) bool {
			var taken uint64
			for _, w := range o {
				taken |= w
			}
			return taken>>bit&1 == 0
		}
		for ; ; word++ {
			for len(*owners) <= word {
				*owners = append(*owners, ends{})
			}
			if o := &(*owners)[word]; free(o) {
				o[end/64] |= 1 << bit
				places[end] = append(places[end], place{word, bit})
				return
			}
		}
	}
	for end, routes := range all {
		if len(routes) > 0 {
			put(end, end/64)
		}
	}
	for end, routes := range all {
		for i := 1; i < len(routes); i++ {
			put(end, 0)
		}
	}
	return places
}

func (g *gait) newStance(all [][]route, places [][]place, quarters int) (s stance) {
	var used [2*margin + 1]uint64 // by row, file dx at bit dx+margin
	for _, routes := range all {
		for _, r := range routes {
			for _, o := range r {
				o = o.turned(quarters)
				used[o.dy+margin] |= 1 << (o.dx + margin)
			}
		}
	}
	at := map[offset]int{} // number of a gathered square
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
		s.strips = append(s.strips, strip{squares: squares >> first << bit, row: uint8(row), turn: int8(bit - first), word: uint8(word)})
		for dx := range width {
			at[offset{dx + first - margin, row - margin}] = next + dx
		}
		next += width
	}
	s.chunks = (next + chunkBits - 1) / chunkBits
	// One chunk more than there are: the pointer that walks them stays inside.
	s.bars = make([]uint64, (s.chunks+1)*chunkSize*g.words)
	entry := func(chunk, closed int) []uint64 { return s.bars[(chunk*chunkSize+closed)*g.words:][:g.words] }
	for end, routes := range all {
		for i, r := range routes {
			p := places[end][i]
			for _, o := range r {
				n := at[o.turned(quarters)]
				entry(n/chunkBits, 1<<(n%chunkBits))[p.word] |= 1 << p.bit
			}
		}
	}
	for chunk := range s.chunks {
		for closed := 1; closed < chunkSize; closed++ {
			lowest, others := entry(chunk, closed&-closed), entry(chunk, closed&(closed-1))
			for i, word := range lowest {
				entry(chunk, closed)[i] = word | others[i]
			}
		}
	}
	return s
}

// reach sets out to the end states of a piece at file x and rank y.
func (g *gait) reach(closed *rows, x, y int, facing env.Direction, out *ends) {
	s, owners := &g.stances[facing&7], g.owners[facing&1]
	switch g.words {
	case 1:
		*out = ends{s.free1(closed, x, y, owners)}
	case 2:
		*out = ends{s.free2(closed, x, y, owners)}
	case 5:
		s.free5(closed, x, y, owners, out)
	default:
		g.freeAny(closed, x, y, facing, out)
	}
}

// gather returns which squares of the stance are closed, of a stance whose
// squares fit into one word.
func (s *stance) gather(closed *rows, x, y int) (squares uint64) {
	first := unsafe.Pointer(&closed[y])
	for i := range s.strips {
		strip := &s.strips[i]
		row := *(*uint64)(unsafe.Add(first, uintptr(strip.row)*8))
		squares |= bits.RotateLeft64(row, int(strip.turn)-x) & strip.squares
	}
	return squares
}

// The following three are freeAny for the numbers of words that the usual gaits
// have: speeds up to 3, 4 and 5.

func (s *stance) free1(closed *rows, x, y int, owners []ends) uint64 {
	squares := s.gather(closed, x, y)
	var a uint64
	bars := (*[chunkSize]uint64)(s.bars)
	for range s.chunks {
		a |= bars[squares%chunkSize]
		squares >>= chunkBits
		bars = (*[chunkSize]uint64)(unsafe.Add(unsafe.Pointer(bars), unsafe.Sizeof(*bars)))
	}
	return owners[0][0] &^ a
}

func (s *stance) free2(closed *rows, x, y int, owners []ends) uint64 {
	squares := s.gather(closed, x, y)
	var a, b uint64
	bars := (*[chunkSize][2]uint64)(unsafe.Pointer(&s.bars[0]))
	for range s.chunks {
		row := &bars[squares%chunkSize]
		a |= row[0]
		b |= row[1]
		squares >>= chunkBits
		bars = (*[chunkSize][2]uint64)(unsafe.Add(unsafe.Pointer(bars), unsafe.Sizeof(*bars)))
	}
	return owners[0][0]&^a | owners[1][0]&^b
}

func (s *stance) free5(closed *rows, x, y int, owners []ends, out *ends) {
	squares := s.gather(closed, x, y)
	var a, b, c, d, e uint64
	bars := (*[chunkSize][5]uint64)(unsafe.Pointer(&s.bars[0]))
	for range s.chunks {
		row := &bars[squares%chunkSize]
		a |= row[0]
		b |= row[1]
		c |= row[2]
		d |= row[3]
		e |= row[4]
		squares >>= chunkBits
		bars = (*[chunkSize][5]uint64)(unsafe.Add(unsafe.Pointer(bars), unsafe.Sizeof(*bars)))
	}
	o := (*[5]ends)(owners)
	*out = ends{
		o[0][0]&^a | o[1][0]&^b | o[2][0]&^c | o[3][0]&^d | o[4][0]&^e,
		o[0][1]&^a | o[1][1]&^b | o[2][1]&^c | o[3][1]&^d | o[4][1]&^e,
		o[0][2]&^a | o[1][2]&^b | o[2][2]&^c | o[3][2]&^d | o[4][2]&^e,
	}
}

// maxRouteWords bounds the words of routes: the fastest gait with mixed reverse
// has 21.
const maxRouteWords = 24

func (g *gait) freeAny(closed *rows, x, y int, facing env.Direction, out *ends) {
	s := &g.stances[facing&7]
	var squares [maxWords]uint64
	for i := range s.strips {
		strip := &s.strips[i]
		squares[strip.word%maxWords] |= bits.RotateLeft64(closed[y+int(strip.row)], int(strip.turn)-x) & strip.squares
	}
	var barred [maxRouteWords]uint64
	for chunk := range s.chunks {
		closed := int(squares[chunk/perWord] >> (chunk % perWord * chunkBits) % chunkSize)
		for i, w := range s.bars[(chunk*chunkSize+closed)*g.words:][:g.words] {
			barred[i] |= w
		}
	}
	*out = ends{}
	for w := range (g.bytes + 7) / 8 {
		for i := range g.words {
			out[w] |= g.owners[facing&1][i][w] &^ barred[i]
		}
	}
}
