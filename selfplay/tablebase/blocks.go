package tablebase

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

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
