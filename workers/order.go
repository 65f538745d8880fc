package workers

import (
	"github.com/sandtable-farm/sandtable/dataset"
)

// An order hands out the episodes of a run in order of number, as whole jobs
// arrive. A collector with an order writes no job before those below it have
// arrived, so the data set has no gap.
type order struct {
	each   func(*dataset.Episode) (more bool)
	next   int64         // the first job that has not arrived
	enough chan struct{} // closed when no more episodes are wanted
	over   bool          // likewise
}

func newOrder(each func(*dataset.Episode) (more bool)) *order {
	return &order{each: each, enough: make(chan struct{})}
}

// advance hands out the next jobs that are whole, apart from those that written
// holds. It returns a *badResultError when a result cannot be read.
func (o *order) advance(arrivals *arrivals, written dataset.Jobs, settings *dataset.Settings) error {
	for ; ; o.next++ {
		if written.Has(o.next) {
			continue
		}
		job := arrivals.jobs[o.next]
		if job == nil || !job.whole {
			return nil
		}
		if o.over {
			continue
		}
		for ep, err := range arrivals.read(settings, []int64{o.next}, nil) {
			if err != nil {
				return err
			}
			if !o.each(ep) {
				o.over = true
				close(o.enough)
				break
			}
		}
	}
}
