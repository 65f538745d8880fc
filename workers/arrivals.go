package workers

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// arrivals are the results that a collector holds, by job. None of them is in the data
// set.
type arrivals struct {
	jobs  map[int64]*arrived
	ready queue.Arrived // the jobs that are ready
	bytes int64         // of these
}

// arrived is what a collector holds of one job.
type arrived struct {
	since  time.Time // when the first part arrived
	copies []*result // by different workers
	chosen *result   // the copy that is written; nil until the job is ready
	acks   []func()  // of all parts and audits
	looks  int       // in a row at which nothing more of it was to be expected

	audited *audit // nil if the job is not audited
}

// A result is what one worker process has stored of a job.
type result struct {
	worker   string
	parts    map[int][]byte
	total    *queue.Total
	last     int  // index of the last part, once total is known
	whole    bool // every part has arrived, and they match; nothing is added any more
	accepted bool // it is whole and replays
}

// mostCopies is the most copies of a job that are held while none is ready.
const mostCopies = 8

// add takes a part and returns the result that it has made whole, or nil. A part that
// differs from an earlier one of the same worker replaces it, so that a false part does
// not stand in the way of the true one. The error says that the parts of a worker do not
// match; they are forgotten.
func (a *arrivals) add(part *queue.Part, ack func()) (whole *result, err error) {
	job := a.jobs[part.Job]
	if job == nil {
		job = &arrived{since: time.Now()}
		a.jobs[part.Job] = job
	}
	job.acks, job.looks = append(job.acks, ack), 0
	if job.chosen != nil {
		return nil, nil
	}
	c := job.copyOf(part.Worker)
	if c.whole {
		return nil, nil
	}
	c.parts[part.Index] = part.Data
	if part.Total != nil {
		c.total, c.last = part.Total, part.Index
	}
	if c.total == nil || len(c.parts) <= c.last {
		return nil, nil
	}
	if !c.matches() {
		job.forget(c)
		return nil, fmt.Errorf("the parts of the result of worker %q do not match", part.Worker)
	}
	c.whole = true
	return c, nil
}

// copyOf returns the copy of a worker, which it makes when it is new.
func (a *arrived) copyOf(worker string) *result {
	for _, c := range a.copies {
		if c.worker == worker {
			return c
		}
	}
	c := &result{worker: worker, parts: map[int][]byte{}}
	if len(a.copies) == mostCopies {
		a.copies = slices.DeleteFunc(a.copies, func(c *result) bool { return !c.whole })
	}
	if len(a.copies) < mostCopies {
		a.copies = append(a.copies, c)
	}
	return c
}

// forget removes a copy.
func (a *arrived) forget(c *result) {
	a.copies = slices.DeleteFunc(a.copies, func(other *result) bool { return other == c })
}

func (a *arrived) has(c *result) bool { return slices.Contains(a.copies, c) }

// hasWhole reports whether one of the copies is whole, checked or not.
func (a *arrived) hasWhole() bool {
	return a.chosen != nil || slices.ContainsFunc(a.copies, func(c *result) bool { return c.whole })
}

// matches compares the parts with the total that came with the last one.
func (c *result) matches() bool {
	var sum uint32
	for i := range c.last + 1 {
		sum = checksum(sum, c.parts[i])
	}
	return sum == c.total.Sum && len(c.parts) == c.last+1
}

// join appends the bytes of a whole result.
func (c *result) join(data []byte) []byte {
	for i := range c.last + 1 {
		data = append(data, c.parts[i]...)
	}
	return data
}

func (c *result) bytes() (n int64) {
	for _, part := range c.parts {
		n += int64(len(part))
	}
	return n
}

// choose makes a job ready to be written with one of its copies.
func (a *arrivals) choose(number int64, c *result) {
	job := a.jobs[number]
	job.chosen, job.copies, job.audited = c, nil, nil
	a.count(c, 1)
}

// count adds a chosen result to the sums, or takes it out of them with sign −1.
func (a *arrivals) count(c *result, sign int64) {
	a.ready.Jobs += sign
	a.ready.Episodes += sign * c.total.Episodes
	a.ready.Plies += sign * c.total.Plies
	a.bytes += sign * c.bytes()
}

// remove forgets a job and returns what to acknowledge.
func (a *arrivals) remove(number int64) []func() {
	job := a.jobs[number]
	if job == nil {
		return nil
	}
	delete(a.jobs, number)
	if job.chosen != nil {
		a.count(job.chosen, -1)
	}
	return job.acks
}

// isReady reports whether a job can be written.
func (a *arrivals) isReady(number int64) bool {
	job := a.jobs[number]
	return job != nil && job.chosen != nil
}

// oldest returns the age of the oldest result, 0 if there is none.
func (a *arrivals) oldest(now time.Time) (age time.Duration) {
	for job := range maps.Values(a.jobs) {
		age = max(age, now.Sub(job.since))
	}
	return age
}

// read yields the episodes of the given ready jobs, which are ascending. It shows each of
// them to watch first, unless watch is nil.
func (a *arrivals) read(settings *dataset.Settings, numbers []int64, watch func(*dataset.Episode)) iter.Seq2[*dataset.Episode, error] {
	return func(yield func(*dataset.Episode, error) bool) {
		var r resultReader
		for _, number := range numbers {
			more, job := true, a.jobs[number]
			err := r.read(settings, number, job.chosen, func(ep *dataset.Episode) error {
				if watch != nil {
					watch(ep)
				}
				if more = yield(ep, nil); !more {
					return selfplay.ErrEnough
				}
				return nil
			})
			if !more {
				return
			}
			if err != nil {
				yield(nil, &falseResultError{number, err})
				return
			}
		}
	}
}
