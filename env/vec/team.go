package vec

import (
	"runtime"
	"sync/atomic"
)

// A team is a leader and its helpers, goroutines that take part in the leader's
// jobs. After a job, the helpers spin for a short time in case the next one follows
// soon, and then sleep. The leader does not wait for helpers that start too late.
type team struct {
	state   atomic.Uint64 // round·oneRound + flags + number of helpers at work
	job     func(number int)
	spins   int // checks of a condition before a sleeper sleeps
	helpers []sleeper
	leader  sleeper
}

// The parts of a team's state.
const (
	working  = 1<<16 - 1 // number of helpers at work
	open     = 1 << 16   // helpers may start the job
	closed   = 1 << 17   // helpers must return
	oneRound = 1 << 18
)

// newTeam returns a team of size goroutines, including the leader's.
func newTeam(size int) *team {
	t := &team{helpers: make([]sleeper, size-1)}
	if size <= runtime.GOMAXPROCS(0) {
		t.spins = spins
	}
	t.leader.signal = make(chan struct{}, 1)
	for i := range t.helpers {
		t.helpers[i].signal = make(chan struct{}, 1)
		go t.serve(i)
	}
	return t
}

// run calls job in the leader, as number 0, and in each helper that starts in time.
// It returns when all these calls have returned. When the leader's call returns, no
// work may be left except what helpers have begun.
func (t *team) run(job func(number int)) {
	t.job = job
	t.state.Store(t.state.Load()/oneRound*oneRound + oneRound + open)
	t.wakeHelpers()
	job(0)
	if t.state.And(^uint64(open))&working != 0 {
		t.leader.wait(t.spins, func() bool { return t.state.Load()&working == 0 })
	}
	t.job = nil
}

func (t *team) wakeHelpers() {
	for i := range t.helpers {
		t.helpers[i].wake()
	}
}

// close makes the helpers return.
func (t *team) close() {
	t.state.Or(closed)
	t.wakeHelpers()
}

// serve is the loop of a helper.
func (t *team) serve(helper int) {
	done := uint64(0) // last round in which the helper took part
	for {
		t.helpers[helper].wait(t.spins, func() bool {
			state := t.state.Load()
			return state&closed != 0 || state&open != 0 && state/oneRound != done
		})
		state := t.state.Load()
		if state&closed != 0 {
			return
		}
		if state&open == 0 || !t.state.CompareAndSwap(state, state+1) {
			continue
		}
		done = state / oneRound
		t.job(helper + 1)
		if t.state.Add(^uint64(0))&(working|open) == 0 {
			t.leader.wake()
		}
	}
}

// A sleeper is a goroutine that waits for a condition which another goroutine
// makes true. It fills whole cache lines.
type sleeper struct {
	asleep atomic.Bool
	signal chan struct{} // has room for one
	_      [48]byte
}

// A sleeper checks its condition spinsAlone times before it yields to other
// goroutines between checks, and spins times before it sleeps: about 2 µs and about
// 50 µs, the time between two Steps of a caller that only draws actions. If there
// are fewer processors than members, a sleeper sleeps at once.
const (
	spinsAlone = 2_000
	spins      = 2_500
)

// wait returns when the condition holds, that is, when holds returns true. It calls
// holds up to spins times before it sleeps. A goroutine that makes the condition true
// must call wake afterwards.
func (s *sleeper) wait(spins int, holds func() bool) {
	for i := range spins {
		if holds() {
			return
		}
		if i >= spinsAlone {
			runtime.Gosched()
		}
	}
	for !holds() {
		s.asleep.Store(true)
		if holds() {
			if !s.asleep.CompareAndSwap(true, false) {
				<-s.signal // another goroutine is in wake
			}
			return
		}
		<-s.signal
	}
}

// wake wakes the sleeper if it sleeps.
func (s *sleeper) wake() {
	if s.asleep.Load() && s.asleep.CompareAndSwap(true, false) {
		s.signal <- struct{}{}
	}
}
