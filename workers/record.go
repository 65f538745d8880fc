package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay/record"
)

// recordWindow is the most jobs of a recording that are queued or being played at
// a time, unless more are finished between two looks: enough for the workers of a
// few machines, and few, because they are finished when no more are wanted.
const recordWindow = 32

// Record plays a recording on the farm, as [record.Play] does on this machine
// alone. Each receives the same episodes, and either function resumes what the
// other has begun. Record ignores Recording.Workers. When Each wants no more
// episodes, the jobs under way are still finished, so the data set can have some
// episodes that Each has not seen.
//
// The errors are those of [Farm.Play].
func (f *Farm) Record(ctx context.Context, r record.Recording) (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.Episodes < 1 {
		return fmt.Errorf("%s: episodes is %d, must be 1 or more", r.Dir, r.Episodes)
	}
	tuning := f.cfg.Tuning
	tuning.Window = cmp.Or(tuning.Window, recordWindow)
	var games, plies int64
	each := func(ep *dataset.Episode) bool {
		games, plies = games+1, plies+int64(ep.Plies())
		more := r.Each == nil || r.Each(ep)
		if r.Progress != nil {
			r.Progress(games, plies)
		}
		return more
	}
	plan := r.Plan.Cut(0, record.Settings(r.Plan).JobEpisodes)
	run, err := f.open(&Run{Dir: r.Dir, Plan: plan, Episodes: r.Episodes}, each, tuning)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.close()) }()
	if run.collector != nil {
		if more, err := r.Recall(ctx, run.collector.writer.Manifest()); err != nil || !more {
			return err
		}
	}
	return f.play(ctx, nil, []*activeRun{run})
}

// An order hands out the episodes of a run in order of number, as jobs become
// ready. A collector with an order writes no job before those below it have
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

// advance hands out the next jobs that are ready, apart from those that written
// holds. It returns a *falseResultError when a result cannot be read.
func (o *order) advance(arrivals *arrivals, written dataset.Jobs, settings *dataset.Settings) error {
	for ; ; o.next++ {
		if written.Has(o.next) {
			continue
		}
		if !arrivals.isReady(o.next) {
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
