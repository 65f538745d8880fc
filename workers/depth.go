package workers

import "sync"

// depths adds up how deep the queue is over the runs that share it.
type depths struct {
	meter Meter
	mu    sync.Mutex
	runs  map[string][2]int64 // jobs and parts
}

// of returns the meter of a run.
func (d *depths) of(run string) Meter { return &runMeter{d.meter, run, d} }

// runMeter is the meter of one of several runs.
type runMeter struct {
	Meter
	run string
	all *depths
}

func (m *runMeter) QueueDepth(jobs, parts int64) {
	m.all.mu.Lock()
	defer m.all.mu.Unlock()
	m.all.runs[m.run] = [2]int64{jobs, parts}
	var sum [2]int64
	for _, depth := range m.all.runs {
		sum[0] += depth[0]
		sum[1] += depth[1]
	}
	m.Meter.QueueDepth(sum[0], sum[1])
}
