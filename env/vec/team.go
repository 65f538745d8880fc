package vec

import (
	"runtime"
	"sync/atomic"
)

// A team is a few goroutines that may help the one that leads it with a job.
// Between jobs that follow each other closely the helpers keep looking for the
// next one; after that they sleep. The leader does not wait for a helper that
// comes too late to begin.
type team struct {
	state   atomic.Uint64 // round·round1 + flags + helpers at work
	job     func(number int)
	looks   int // before a sleeper sleeps
	helpers []sleeper
	leader  sleeper
}

// The parts of a team's state.
const (
	working = 1<<16 - 1 // number of helpers at work
	open    = 1 << 16   // helpers may begin
	ended   = 1 << 17   // helpers shall end
	round1  = 1 << 18
)

// newTeam makes a team of so many goroutines, the leader's included.
func newTeam(size int) *team {
	t := &team{helpers: make([]sleeper, size-1)}
	if size <= runtime.GOMAXPROCS(0) {
		t.looks = looks
	}
	t.leader.wake = make(chan struct{}, 1)
	for i := range t.helpers {
		t.helpers[i].wake = make(chan struct{}, 1)
		go t.serve(i)
	}
	return t
}

// run does a job: the leader as number 0, and each helper that comes in time. It
// returns when the leader's call has and nobody is at work. The job must be done
// when the leader's call returns, but for what helpers are at.
func (t *team) run(job func(number int)) {
	t.job = job
	t.state.Store(t.state.Load()/round1*round1 + round1 + open)
	t.call()
	job(0)
	if t.state.And(^uint64(open))&working != 0 {
		t.leader.until(t.looks, func() bool { return t.state.Load()&working == 0 })
	}
	t.job = nil
}

func (t *team) call() {
	for i := range t.helpers {
		t.helpers[i].rouse()
	}
}

// close ends the goroutines.
func (t *team) close() {
	t.state.Or(ended)
	t.call()
}

func (t *team) serve(helper int) {
	done := uint64(0) // the last round looked at
	for {
		t.helpers[helper].until(t.looks, func() bool {
			state := t.state.Load()
			return state&ended != 0 || state&open != 0 && state/round1 != done
		})
		state := t.state.Load()
		if state&ended != 0 {
			return
		}
		if state&open == 0 || !t.state.CompareAndSwap(state, state+1) {
			continue
		}
		done = state / round1
		t.job(helper + 1)
		if t.state.Add(^uint64(0))&(working|open) == 0 {
			t.leader.rouse()
		}
	}
}

// A sleeper waits for a condition that another goroutine brings about. It fills
// whole cache lines.
type sleeper struct {
	asleep atomic.Bool
	wake   chan struct{} // room for one
	_      [48]byte
}

// Looks before a sleeper gives way to other goroutines, and before it sleeps:
// some two and some fifty microseconds, the time that passes between two Steps
// of a caller who only draws actions. A team that has not a processor for each
// member sleeps at once.
const (
	looksAlone = 2_000
	looks      = 2_500
)

// until returns when the condition holds, for which it looks so often before it
// sleeps. Whoever makes it hold calls rouse afterwards.
func (s *sleeper) until(looks int, holds func() bool) {
	for i := range looks {
		if holds() {
			return
		}
		if i >= looksAlone {
			runtime.Gosched()
		}
	}
	for !holds() {
		s.asleep.Store(true)
		if holds() {
			if !s.asleep.CompareAndSwap(true, false) {
				<-s.wake // a rouse is under way
			}
			return
		}
		<-s.wake
	}
}

// rouse wakes the sleeper if it sleeps.
func (s *sleeper) rouse() {
	if s.asleep.Load() && s.asleep.CompareAndSwap(true, false) {
		s.wake <- struct{}{}
	}
}
