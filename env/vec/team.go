package vec

import (
	"runtime"
	"sync/atomic"
)

// A team is a few goroutines that do one job at a time together with the one
// that asks for it. Between jobs that follow each other closely the members
// keep looking for the next one; after that they sleep.
type team struct {
	members []member // of which the asking goroutine is number 0
	looks   int      // before a member sleeps
	job     func(number int)
	left    atomic.Int32 // members that have not done the job yet
	leader  sleeper
	closed  bool
}

// member is one goroutine of a team. It fills whole cache lines.
type member struct {
	round atomic.Uint32 // number of the job to do
	sleep sleeper
	_     [64]byte
}

func newTeam(size int) *team {
	t := &team{members: make([]member, size)}
	if size <= runtime.GOMAXPROCS(0) {
		t.looks = looks
	}
	t.leader.wake = make(chan struct{}, 1)
	for number := 1; number < size; number++ {
		t.members[number].sleep.wake = make(chan struct{}, 1)
		go t.serve(number)
	}
	return t
}

// run does a job with every member and returns when all are done.
func (t *team) run(job func(number int)) {
	t.job = job
	t.left.Store(int32(len(t.members) - 1))
	t.call()
	job(0)
	t.leader.until(t.looks, func() bool { return t.left.Load() == 0 })
	t.job = nil
}

// call lets the members look at what is asked.
func (t *team) call() {
	for number := 1; number < len(t.members); number++ {
		m := &t.members[number]
		m.round.Add(1)
		m.sleep.rouse()
	}
}

// close ends the goroutines.
func (t *team) close() {
	t.closed = true
	t.call()
}

func (t *team) serve(number int) {
	m := &t.members[number]
	for round := uint32(1); ; round++ {
		m.sleep.until(t.looks, func() bool { return m.round.Load() == round })
		if t.closed {
			return
		}
		t.job(number)
		if t.left.Add(-1) == 0 {
			t.leader.rouse()
		}
	}
}

// A sleeper waits for a condition that another goroutine brings about.
type sleeper struct {
	asleep atomic.Bool
	wake   chan struct{} // room for one
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
