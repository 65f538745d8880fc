package tablebase

import "context"

// A capture leads from a layout of the enemy to one with fewer seeds, which is ranked
// among all layouts with fewer seeds.
type capture struct{ from, to int32 }

// captures lists, for each target, its captures from the layouts of the enemy.
func (s *side) captures() [][]capture {
	c := s.rules.circuits
	list := make([][]capture, len(s.rules.targets))
	before, after := make([]uint8, c.houses), make([]uint8, c.houses)
	for y := range s.columns {
		c.unrank(before, s.enemy, y)
		for i, p := range s.rules.targets {
			if before[p.attack] == 0 {
				continue
			}
			copy(after, before)
			for _, house := range p.taken {
				after[house] = 0
			}
			left := total(after)
			list[i] = append(list[i], capture{int32(y), int32(c.below(left) + c.rank(after, left))})
		}
	}
	return list
}

// A preparer evaluates the captures of a row of positions with the pairs that are
// solved. It belongs to one goroutine.
type preparer struct {
	side       *side
	table      *Table
	captures   [][]capture
	values     []byte // after a capture, by the enemy's layout
	first, all []byte // by enemy layout: level at which a capture wins, from which on all lose
}

func newPreparer(s *side, t *Table, captures [][]capture) *preparer {
	c := s.rules.circuits
	return &preparer{
		side: s, table: t, captures: captures,
		values: make([]byte, c.below(s.enemy)),
		first:  make([]byte, s.columns), all: make([]byte, s.columns),
	}
}

const neverWon = 255

// captureWins and captureLoses return the level at which the mover wins, and from which on
// it loses, by a capture after which the enemy's position has the given value.
func captureWins(value byte) byte {
	if value%2 != 0 {
		return value
	}
	return neverWon
}

func captureLoses(value byte) byte {
	if value%2 == 0 && value != drawn {
		return value
	}
	return neverLost
}

// prepare sets row x of the side's values.
func (p *preparer) prepare(x int) error {
	for y := range p.first {
		p.first[y], p.all[y] = neverWon, 0
	}
	for _, m := range p.side.rules.sowings[p.side.own].of(x) {
		if m.drawn || m.target == noTarget {
			continue
		}
		if err := p.load(int(m.after)); err != nil {
			return err
		}
		for _, c := range p.captures[m.target] {
			v := p.values[c.to]
			p.first[c.from] = min(p.first[c.from], captureWins(v))
			p.all[c.from] = max(p.all[c.from], captureLoses(v))
		}
	}
	values, pending := p.side.valuesOf(x), &p.side.pending[x]
	for y, level := range p.first {
		if level == neverWon {
			level = p.all[y]
		}
		values[y] = level
		pending.add(int(level))
	}
	return nil
}

// load reads the values of all positions with the given layout of the mover in which the
// enemy is to move and has fewer seeds than now. An enemy without seeds has lost.
func (p *preparer) load(circuit int) error {
	p.values[0] = lostNow
	c := p.table.circuits
	for n := 1; n < p.side.enemy; n++ {
		begin := c.below(n)
		if _, err := p.table.file.ReadAt(p.values[begin:begin+c.count(n)], p.table.row(n, p.side.own, circuit)); err != nil {
			return err
		}
	}
	return nil
}

// prepare sets the values of a side.
func (s *solver) prepare(ctx context.Context, side *side) error {
	captures := side.captures()
	return s.blocks(ctx, side.rows, func() func(begin, end int) error {
		p := newPreparer(side, s.table, captures)
		return func(begin, end int) error {
			for x := begin; x < end; x++ {
				if err := p.prepare(x); err != nil {
					return err
				}
			}
			return nil
		}
	})
}

// lastPending returns the last level at which a capture decides a position.
func (s *side) lastPending() int {
	last := 0
	for x := range s.pending {
		for level := last; level < neverLost; level++ {
			if s.pending[x].has(level) {
				last = level
			}
		}
	}
	return last
}
