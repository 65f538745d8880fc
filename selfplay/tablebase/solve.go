package tablebase

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/env/variant"
)

// Options are the options of Solve.
type Options struct {
	Seeds   int // maximum seeds per player
	Workers int // number of goroutines
	// Progress, unless nil, is called repeatedly with the number of decided positions and
	// the number of all positions.
	Progress func(done, total int64)
}

// mostPositions is the maximum size of a pair, which is solved in memory.
const mostPositions = 1 << 34

// Validate returns an error if there cannot be such a table of a rule set.
func (o *Options) Validate(v *variant.Variant) error {
	spec := v.Game.Spec()
	if spec.Game != gameName {
		return fmt.Errorf("cannot solve %s, only variants of %s", v.Name, gameName)
	}
	if most := seedsOf(v.Game); o.Seeds < 1 || o.Seeds > most {
		return fmt.Errorf("seeds is %d, must be 1 to %d, the seeds per player of %s at the start", o.Seeds, most, v.Name)
	}
	c := newCircuits(2*spec.Width, o.Seeds)
	if c.size(o.Seeds, o.Seeds) <= mostPositions {
		return nil
	}
	most := o.Seeds
	for c.size(most, most) > mostPositions {
		most--
	}
	return fmt.Errorf("seeds is %d, must be at most %d: too many positions have %d seeds against %d in %s", o.Seeds, most, o.Seeds, o.Seeds, v.Name)
}

// Needs returns the number of positions of the table, each one byte of the file, and about
// how many bytes of memory solving takes.
func (o *Options) Needs(v *variant.Variant) (positions, memory int64) {
	c := newCircuits(2*v.Game.Spec().Width, o.Seeds)
	for few, many := 1, 1; many <= o.Seeds; few, many = following(few, many) {
		size := c.size(few, many)
		positions, memory = positions+size, max(memory, size+size/8*matrices)
	}
	return positions, memory
}

// Solve writes the table of all positions in which no player has more than o.Seeds seeds.
// If the file exists and is of the same rule set, Solve verifies and extends it. When ctx is
// done, the file keeps the solved pairs. The content of the file does not depend on the
// workers or on interruptions.
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
		return fmt.Errorf("%s has positions of a different rule set, %s (%s), not of %s (%s)", path, t.variant.Name, t.variant.Digest, v.Name, v.Digest)
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
	done, total int64 // positions of the solved pairs, and of all
	progress    func(done, total int64)
}

// report reports the progress, given the decided positions of the current pair.
func (s *solver) report(decided uint64) {
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
		s.report(0)
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

// sides returns the side in which the player with few seeds is to move and, if the numbers
// differ, the other one.
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

// levels decides positions level by level, from level 0 on.
func (s *solver) levels(ctx context.Context, sides []*side, p *pair) error {
	last := 0
	for _, side := range sides {
		last = max(last, side.lastPending())
	}
	for level := 0; level <= last; level++ {
		if level > mostPlies {
			return fmt.Errorf("positions of %d seeds against %d take more than %d plies, the maximum of the file format", p.Few, p.Many, mostPlies)
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
		s.report(p.Sides[0].Won + p.Sides[0].Lost + p.Sides[1].Won + p.Sides[1].Lost)
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

// level decides the positions of one level and returns their number for each side. It
// assigns no value before it has found all positions.
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
		if err := s.rowsOf(ctx, side, func(x int) { count.Add(uint64(side.assign(x, level))) }); err != nil {
			return found, err
		}
		found[i] = count.Load()
	}
	return found, nil
}

// write appends the pair to the file: first the values, then the head, which makes them
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

// write writes the values of a side, transposed: a row of the file is that of a layout of
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

// blockRows is the number of rows that a goroutine takes at once: those that share a word
// in the rows of the other side.
const blockRows = 64

// blocks processes all blocks of rows on several goroutines. Each goroutine calls start
// once and uses the function that it returns.
func (s *solver) blocks(ctx context.Context, rows int, start func() func(begin, end int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range min(s.workers, (rows+blockRows-1)/blockRows) {
		group.Go(func() error {
			do := start()
			for {
				begin := int(next.Add(blockRows)) - blockRows
				if begin >= rows {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := do(begin, min(begin+blockRows, rows)); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}

// rowsOf calls a function for each row of a side.
func (s *solver) rowsOf(ctx context.Context, side *side, do func(x int)) error {
	return s.blocks(ctx, side.rows, func() func(begin, end int) error {
		return func(begin, end int) error {
			for x := begin; x < end; x++ {
				do(x)
			}
			return nil
		}
	})
}
