package tablebase

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/sandtable-farm/sandtable/env/variant"
)

// Options say how a table is solved.
type Options struct {
	Seeds   int // of a player, at most
	Workers int // goroutines
	// Progress is told again and again how many positions are decided, of how many;
	// it may be nil.
	Progress func(done, total int64)
}

// mostPositions is the greatest size of a pair, which is solved in memory.
const mostPositions = 1 << 34

// Validate tells whether there can be a table with these options.
func (o *Options) Validate(v *variant.Variant) error {
	spec := v.Game.Spec()
	if spec.Game != gameName {
		return fmt.Errorf("%s is no game of houses and seeds, tables are made for %s", v.Name, gameName)
	}
	if most := seedsOf(v.Game); o.Seeds < 1 || o.Seeds > most {
		return fmt.Errorf("seeds is %d, must be 1 to %d, those of a player of %s at the start", o.Seeds, most, v.Name)
	}
	c := newCircuits(2*spec.Width, o.Seeds)
	if c.size(o.Seeds, o.Seeds) <= mostPositions {
		return nil
	}
	most := o.Seeds
	for c.size(most, most) > mostPositions {
		most--
	}
	return fmt.Errorf("seeds is %d, must be %d at most: there are too many positions of %d seeds against %d in %s", o.Seeds, most, o.Seeds, o.Seeds, v.Name)
}

// Needs returns how many positions the table has, each a byte of the file, and
// how many bytes of memory solving takes, about.
func (o *Options) Needs(v *variant.Variant) (positions, memory int64) {
	c := newCircuits(2*v.Game.Spec().Width, o.Seeds)
	for few, many := 1, 1; many <= o.Seeds; few, many = following(few, many) {
		size := c.size(few, many)
		positions, memory = positions+size, max(memory, size+size/8*matrices)
	}
	return positions, memory
}

// Solve writes the table of all positions in which no player has more than so
// many seeds. Where the file is there already, of the same rule set, it is
// verified and goes on. What was solved when ctx ends stays in it. The bytes do
// not depend on the workers, nor on how often it was interrupted.
func Solve(ctx context.Context, v *variant.Variant, path string, o Options) error {
	if err := o.Validate(v); err != nil {
		return err
	}
	r, err := newRules(v.Game, o.Seeds)
	if err != nil {
		return err
	}
	file, err := create(path, v)
	if err != nil {
		return err
	}
	defer file.Close() // a second time does nothing
	t, err := newTable(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if t.variant.Digest != v.Digest {
		return fmt.Errorf("%s holds positions of another rule set, %s (%s), not of %s (%s)", path, t.variant.Name, t.variant.Digest, v.Name, v.Digest)
	}
	s := &solver{rules: r, table: t, workers: max(1, o.Workers), progress: o.Progress}
	s.total, _ = o.Needs(v)
	if err := s.run(ctx, o.Seeds); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return file.Close()
}

type solver struct {
	rules       *rules
	table       *Table
	workers     int
	done, total int64 // positions of the pairs that are done, and of all
	progress    func(done, total int64)
}

// tell tells of the progress, with so many positions of the present pair.
func (s *solver) tell(decided uint64) {
	if s.progress != nil {
		s.progress(s.done+int64(decided), s.total)
	}
}

func (s *solver) run(ctx context.Context, seeds int) error {
	for few, many := 1, 1; many <= seeds; few, many = following(few, many) {
		var err error
		if i := pairIndex(few, many); i < len(s.table.pairs) {
			err = s.table.verifyPair(ctx, &s.table.pairs[i])
		} else {
			err = s.solve(ctx, few, many)
		}
		if err != nil {
			return err
		}
		s.done += s.rules.circuits.size(few, many)
		s.tell(0)
	}
	return nil
}

// solve solves a pair and writes it.
func (s *solver) solve(ctx context.Context, few, many int) error {
	sides := s.sides(few, many)
	for _, side := range sides {
		if err := s.prepare(ctx, side); err != nil {
			return err
		}
	}
	p := pair{Mark: [8]byte([]byte(pairMark)), Few: uint32(few), Many: uint32(many)}
	if err := s.levels(ctx, sides, &p); err != nil {
		return err
	}
	return s.write(ctx, sides, &p)
}

// sides returns the side with few seeds to move and the one with many, which are
// the same where the numbers are equal.
func (s *solver) sides(few, many int) []*side {
	one := newSide(s.rules, few, many)
	one.other = one
	if few == many {
		return []*side{one}
	}
	two := newSide(s.rules, many, few)
	one.other, two.other = two, one
	return []*side{one, two}
}

// levels decides positions by the plies to the end, those of 0 first.
func (s *solver) levels(ctx context.Context, sides []*side, p *pair) error {
	last := 0
	for _, side := range sides {
		last = max(last, side.lastPending())
	}
	for level := 0; level <= last; level++ {
		if level > mostPlies {
			return fmt.Errorf("positions of %d seeds against %d take more than %d plies, which the file has no form for", p.Few, p.Many, mostPlies)
		}
		found, err := s.level(ctx, sides, level)
		if err != nil {
			return err
		}
		for i, n := range found {
			if n == 0 {
				continue
			}
			if c := &p.Sides[i]; level%2 == 0 {
				c.Lost += n
			} else {
				c.Won += n
			}
			p.Sides[i].Longest, last = uint64(level), max(last, level+1)
		}
		s.tell(p.Sides[0].Won + p.Sides[0].Lost + p.Sides[1].Won + p.Sides[1].Lost)
	}
	for i, side := range sides {
		c := &p.Sides[i]
		c.Drawn = uint64(side.rows)*uint64(side.columns) - c.Won - c.Lost
		if err := s.rowsOf(ctx, side, side.draw); err != nil {
			return err
		}
	}
	return nil
}

// level decides the positions of one level and returns how many there are of each
// side. Nothing is settled before everything is found.
func (s *solver) level(ctx context.Context, sides []*side, level int) (found [2]uint64, err error) {
	for _, side := range sides {
		if err := s.rowsOf(ctx, side, func(x int) { side.find(x, level) }); err != nil {
			return found, err
		}
	}
	for _, side := range sides {
		if err := s.rowsOf(ctx, side, func(x int) { side.forget(x, level) }); err != nil {
			return found, err
		}
	}
	for i, side := range sides {
		var count atomic.Uint64
		if err := s.rowsOf(ctx, side, func(x int) { count.Add(uint64(side.settle(x, level))) }); err != nil {
			return found, err
		}
		found[i] = count.Load()
	}
	return found, nil
}

// write appends the pair to the file: the values, then the head that makes them
// part of the table.
func (s *solver) write(ctx context.Context, sides []*side, p *pair) error {
	t := s.table
	sum := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(io.NewOffsetWriter(t.file, t.end+headSize), sum), 1<<20)
	for _, side := range sides {
		if err := side.write(ctx, out); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := t.file.Sync(); err != nil {
		return err
	}
	sum.Sum(p.Values[:0])
	if _, err := t.file.WriteAt(p.append(nil), t.end); err != nil {
		return err
	}
	if err := t.file.Sync(); err != nil {
		return err
	}
	t.add(*p)
	return nil
}

// write writes the values of a side, turned so that a row belongs to a circuit of
// the enemy.
func (s *side) write(ctx context.Context, out io.Writer) error {
	const block = 64
	turned := make([]byte, block*s.rows)
	for y := 0; y < s.columns; y += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		for x := range s.rows {
			for i, v := range s.valuesOf(x)[y : y+block] {
				turned[i*s.rows+x] = v
			}
		}
		if _, err := out.Write(turned[:min(block, s.columns-y)*s.rows]); err != nil {
			return err
		}
	}
	return nil
}
