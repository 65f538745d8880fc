package tablebase

import (
	"encoding/binary"
	"math/bits"
	"sync/atomic"
)

// A side has the positions in which a player with own seeds is to move against an enemy
// with enemy seeds. Row x of its matrices is that of the own layout of rank x, and element
// y of a row is that of the enemy's layout of rank y. So a move leads from one row to
// another and is applied to 64 positions at once. A quiet move leads to a position of the
// other side.
type side struct {
	rules      *rules
	own, enemy int // seeds
	rows       int
	columns    int
	words      int // of a row of bits
	other      *side

	// values has the value of each decided position, as in the file. For other positions
	// it summarises the captures: the odd level at which one of them wins, or else the even
	// level from which on all of them lose, or else neverLost.
	values  []byte
	pending []levels // by row: the levels in values

	open  []uint64 // undecided
	ready []uint64 // all captures lose
	fresh []uint64 // decided at the current level

	// Positions of the other side, by own layout and enemy layout: those in which the
	// enemy, who is to move, wins, and those found lost at the previous level.
	enemyWins, enemyLost           []uint64
	enemyWinsChanged, enemyLostNew []atomic.Bool // by row

	quiet [][]uint64 // by target: the enemy's layouts from which it captures nothing
}

// Levels are numbers of plies to the end, at most mostPlies.
const (
	mostPlies = 252
	neverLost = 254
)

// matrices is the number of bits that a side stores for each position besides its value.
const matrices = 5

// levels is a set of levels.
type levels [4]uint64

func (l *levels) add(level int)      { l[level>>6&3] |= 1 << (level & 63) }
func (l *levels) has(level int) bool { return l[level>>6&3]>>(level&63)&1 != 0 }

func newSide(r *rules, own, enemy int) *side {
	s := &side{rules: r, own: own, enemy: enemy, rows: r.circuits.count(own), columns: r.circuits.count(enemy)}
	s.words = (s.columns + 63) / 64
	s.values = make([]byte, s.rows*s.words*64)
	s.pending = make([]levels, s.rows)
	for _, matrix := range [matrices]*[]uint64{&s.open, &s.ready, &s.fresh, &s.enemyWins, &s.enemyLost} {
		*matrix = make([]uint64, s.rows*s.words)
	}
	s.enemyWinsChanged, s.enemyLostNew = make([]atomic.Bool, s.rows), make([]atomic.Bool, s.rows)
	for x := range s.rows {
		open := s.row(s.open, x)
		for y := range s.columns {
			open[y/64] |= 1 << (y % 64)
		}
	}
	s.quiet = make([][]uint64, len(r.targets))
	circuit := make([]uint8, r.circuits.houses)
	for i := range s.quiet {
		s.quiet[i] = make([]uint64, s.words)
	}
	for y := range s.columns {
		r.circuits.unrank(circuit, enemy, y)
		for i := range s.quiet {
			if circuit[r.targets[i].attack] == 0 {
				s.quiet[i][y/64] |= 1 << (y % 64)
			}
		}
	}
	return s
}

// row returns row x of a matrix of bits.
func (s *side) row(matrix []uint64, x int) []uint64 {
	return matrix[x*s.words : (x+1)*s.words : (x+1)*s.words]
}

// valuesOf returns row x of the values, padded to whole words of bits.
func (s *side) valuesOf(x int) []byte {
	return s.values[x*s.words*64 : (x+1)*s.words*64 : (x+1)*s.words*64]
}

// find sets the row of fresh to the positions decided at a level.
func (s *side) find(x, level int) {
	if level%2 == 0 {
		s.findLost(x, level)
	} else {
		s.findWon(x, level)
	}
}

// findWon finds the positions won at a level: a move leads to a position lost one level
// earlier.
func (s *side) findWon(x, level int) {
	fresh, open := s.row(s.fresh, x), s.row(s.open, x)
	clear(fresh)
	if s.pending[x].has(level) {
		equal(fresh, s.valuesOf(x), level)
	}
	for _, m := range s.rules.sowings[s.own].of(x) {
		if m.drawn || !s.enemyLostNew[m.after].Load() {
			continue
		}
		lost := s.row(s.enemyLost, int(m.after))
		if m.target == noTarget {
			for i := range fresh {
				fresh[i] |= lost[i]
			}
			continue
		}
		quiet := s.quiet[m.target]
		for i := range fresh {
			fresh[i] |= lost[i] & quiet[i]
		}
	}
	for i := range fresh {
		fresh[i] &= open[i]
	}
}

// findLost finds the positions lost at a level: every move leads to a position won at an
// earlier level.
func (s *side) findLost(x, level int) {
	fresh, ready := s.row(s.fresh, x), s.row(s.ready, x)
	moves := s.rules.sowings[s.own].of(x)
	changed := false
	if s.pending[x].has(level) {
		equal(fresh, s.valuesOf(x), level)
		for i := range ready {
			ready[i] |= fresh[i]
		}
		changed = true
	}
	for _, m := range moves {
		changed = changed || s.enemyWinsChanged[m.after].Load()
	}
	if !changed {
		clear(fresh)
		return
	}
	open := s.row(s.open, x)
	for i := range fresh {
		fresh[i] = open[i] & ready[i]
	}
	for _, m := range moves {
		if m.drawn {
			clear(fresh)
			return
		}
		wins := s.row(s.enemyWins, int(m.after))
		if m.target == noTarget {
			for i := range fresh {
				fresh[i] &= wins[i]
			}
			continue
		}
		quiet := s.quiet[m.target]
		for i := range fresh {
			fresh[i] &= wins[i] | ^quiet[i]
		}
	}
}

// assign sets the values of the positions of a row that were found at a level, marks them
// for the other side and returns their number. One goroutine must assign all 64 rows that
// share a word of the other side's rows.
func (s *side) assign(x, level int) (count int) {
	fresh, open, values := s.row(s.fresh, x), s.row(s.open, x), s.valuesOf(x)
	matrix, changed := s.other.enemyLost, s.other.enemyLostNew
	if level%2 != 0 {
		matrix, changed = s.other.enemyWins, s.other.enemyWinsChanged
	}
	word, bit := x/64, uint64(1)<<(x%64)
	for i, set := range fresh {
		open[i] &^= set
		count += bits.OnesCount64(set)
		for ; set != 0; set &= set - 1 {
			y := i*64 + bits.TrailingZeros64(set)
			values[y] = byte(level + 1)
			matrix[y*s.other.words+word] |= bit
			if flag := &changed[y]; !flag.Load() {
				flag.Store(true)
			}
		}
	}
	return count
}

// forget clears the lost positions and the marks of the previous level in a row, once they
// have been used.
func (s *side) forget(x, level int) {
	if level%2 == 0 {
		s.enemyWinsChanged[x].Store(false)
	} else if s.enemyLostNew[x].Load() {
		clear(s.row(s.enemyLost, x))
		s.enemyLostNew[x].Store(false)
	}
}

// draw sets the value of the open positions of a row.
func (s *side) draw(x int) {
	values := s.valuesOf(x)
	for i, set := range s.row(s.open, x) {
		for ; set != 0; set &= set - 1 {
			values[i*64+bits.TrailingZeros64(set)] = drawn
		}
	}
}

// equal sets the bits of the values that equal a level.
func equal(set []uint64, values []byte, level int) {
	const low7 = 0x7f7f7f7f7f7f7f7f
	pattern := uint64(level) * 0x0101010101010101
	for i := range set {
		block, word := values[i*64:i*64+64], uint64(0)
		for j := 0; j < 64; j += 8 {
			d := binary.LittleEndian.Uint64(block[j:]) ^ pattern
			zero := ^((d&low7 + low7) | d | low7) >> 7 // bit 8k where byte k is 0
			word |= zero * 0x0102040810204080 >> 56 << j
		}
		set[i] = word
	}
}
