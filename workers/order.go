package workers

import (
	"context"
	"errors"

	"github.com/sandtable-farm/sandtable/dataset"
)

// An order hands the episodes of a run out in order of number, as whole jobs arrive.
// The collector that has one writes no job before those below it have arrived, so that
// the data set has no gap.
type order struct {
	each   func(*dataset.Episode) (more bool)
	next   int64         // the first job that has not arrived
	enough chan struct{} // closed when no more are wanted
	over   bool          // likewise
}

func newOrder(each func(*dataset.Episode) (more bool)) *order {
	return &order{each: each, enough: make(chan struct{})}
}

// advance hands out the jobs that are whole and next.
func (c *collector) advance(ctx context.Context) error {
	o := c.order
	for ; ; o.next++ {
		if c.jobs.Has(o.next) {
			continue
		}
		job := c.arrivals.jobs[o.next]
		if job == nil || !job.whole {
			return nil
		}
		if o.over {
			continue
		}
		for ep, err := range c.arrivals.read(&c.writer.Manifest().Settings, []int64{o.next}) {
			var bad *badResultError
			if errors.As(err, &bad) {
				return c.bury(ctx, o.next, bad.err)
			}
			if !o.each(ep) {
				o.over = true
				close(o.enough)
				break
			}
		}
	}
}

// writable reports whether a whole job may be written.
func (c *collector) writable(number int64) bool { return c.order == nil || number < c.order.next }
