package workers

import (
	"errors"
	"fmt"
	"iter"

	"github.com/sandtable-farm/sandtable/dataset"
)

// arrivals are the parts that a collector holds, by job. None of them is in the
// data set.
type arrivals struct {
	jobs  map[int64]*arrived
	whole Arrived
	bytes int64 // of the whole jobs
}

// arrived is what a collector holds of one job.
type arrived struct {
	parts  map[int]*Part
	total  *Total
	last   int      // index of the last part, once total is known
	worker string   // that played the last part
	whole  bool     // every part has arrived, and they match
	acks   []func() // of all parts, copies included
}

// add takes a part and reports whether its job has become whole. The error says
// that the parts of the job do not match; the job is then not whole.
func (a *arrivals) add(part *Part, ack func()) (whole bool, err error) {
	job := a.jobs[part.Job]
	if job == nil {
		job = &arrived{parts: map[int]*Part{}}
		a.jobs[part.Job] = job
	}
	job.acks = append(job.acks, ack)
	if job.parts[part.Index] != nil {
		return false, nil // a copy; if it differs, the checksum shows it
	}
	job.parts[part.Index] = part
	if part.Total != nil {
		job.total, job.last, job.worker = part.Total, part.Index, part.Worker
	}
	if job.whole || job.total == nil || len(job.parts) <= job.last {
		return false, nil
	}
	if err := job.check(); err != nil {
		return false, err
	}
	job.whole = true
	a.count(job, 1)
	return true, nil
}

// count adds a whole job to the sums, or takes it out of them with sign −1.
func (a *arrivals) count(job *arrived, sign int64) {
	a.whole.Jobs += sign
	a.whole.Episodes += sign * job.total.Episodes
	a.whole.Plies += sign * job.total.Plies
	for _, part := range job.parts {
		a.bytes += sign * int64(len(part.Data))
	}
}

// check compares the parts with the total that came with the last one.
func (a *arrived) check() error {
	var sum uint32
	for i := range a.last + 1 {
		if part := a.parts[i]; part != nil {
			sum = checksum(sum, part.Data)
		}
	}
	if sum != a.total.Sum || len(a.parts) != a.last+1 {
		return errors.New("the parts of its result do not match: they come from programs, or from processors, that play differently")
	}
	return nil
}

// remove forgets a job and returns what to acknowledge.
func (a *arrivals) remove(number int64) []func() {
	job := a.jobs[number]
	if job == nil {
		return nil
	}
	delete(a.jobs, number)
	if job.whole {
		a.count(job, -1)
	}
	return job.acks
}

// badResultError reports that the result of a job cannot be used.
type badResultError struct {
	job int64
	err error
}

func (e *badResultError) Error() string { return e.err.Error() }
func (e *badResultError) Unwrap() error { return e.err }

// read yields the episodes of the given whole jobs, which are ascending. It shows each of
// them to watch first, unless watch is nil.
func (a *arrivals) read(settings *dataset.Settings, numbers []int64, watch func(*dataset.Episode)) iter.Seq2[*dataset.Episode, error] {
	return func(yield func(*dataset.Episode, error) bool) {
		r := resultReader{run: settings.Run(), watch: watch, yield: yield}
		for _, number := range numbers {
			first, count := settings.Job(number)
			if more, err := r.read(a.jobs[number], first, count); err != nil {
				yield(nil, &badResultError{number, err})
				return
			} else if !more {
				return
			}
		}
	}
}

// resultReader yields the episodes of whole jobs from memory that it reuses.
type resultReader struct {
	run    string
	watch  func(*dataset.Episode)
	yield  func(*dataset.Episode, error) bool
	ep     dataset.Episode
	buffer []byte
}

// read yields the episodes of one job and reports whether more are wanted.
func (r *resultReader) read(job *arrived, first, count int64) (more bool, err error) {
	data := job.parts[0].Data
	if job.last > 0 {
		r.buffer = r.buffer[:0]
		for i := range job.last + 1 {
			r.buffer = append(r.buffer, job.parts[i].Data...)
		}
		data = r.buffer
	}
	for number := first; number < first+count; number++ {
		if len(data) == 0 {
			return false, fmt.Errorf("its result ends before episode %d", number)
		}
		if data, err = dataset.ReadEpisode(data, &r.ep); err != nil {
			return false, fmt.Errorf("episode %d of its result cannot be read: %w", number, err)
		}
		if r.ep.Run != r.run || r.ep.Number != number {
			return false, fmt.Errorf("its result has episode %d of run %s in place of episode %d", r.ep.Number, r.ep.Run, number)
		}
		if r.watch != nil {
			r.watch(&r.ep)
		}
		if !r.yield(&r.ep, nil) {
			return false, nil
		}
	}
	if len(data) > 0 {
		return false, fmt.Errorf("its result has more data after episode %d", first+count-1)
	}
	return true, nil
}
