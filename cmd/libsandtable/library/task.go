package library

import (
	"context"
	"time"
)

// Pending is what a call returns that has not ended yet. No other result is as great.
const Pending int64 = 1 << 62

const (
	// shortWait is how long a call waits for its task.
	shortWait = 200 * time.Millisecond
	// mostWait is how long Wait waits at most.
	mostWait = 500 * time.Millisecond
)

// A task is a call that runs in a goroutine.
type task struct {
	cancel context.CancelFunc
	writes bool // to the memory of the caller
	done   chan struct{}
	n      int64
	err    error
	broken bool // the task panicked
}

func (t *task) ended() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// start runs work as the task of an entry and waits for it for a short time. writes says
// that it writes to the memory of the caller. The caller has locked the entry.
func (e *entry) start(writes bool, work func(context.Context) (int64, error)) (int64, error) {
	return e.await(e.launch(writes, work), shortWait)
}

// launch is start without waiting.
func (e *entry) launch(writes bool, work func(context.Context) (int64, error)) *task {
	ctx, cancel := context.WithCancel(context.Background())
	t := &task{cancel: cancel, writes: writes, done: make(chan struct{})}
	e.task.Store(t)
	go func() {
		defer close(t.done)
		defer cancel()
		defer func() {
			if r := recover(); r != nil {
				t.n, t.err, t.broken = 0, Panicked(r), true
			}
		}()
		t.n, t.err = work(ctx)
	}()
	return t
}

// await waits for the task of an entry. The caller has locked the entry.
func (e *entry) await(t *task, wait time.Duration) (int64, error) {
	if wait <= 0 {
		if !t.ended() {
			return Pending, nil
		}
	} else {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-t.done:
		case <-timer.C:
			return Pending, nil
		}
	}
	e.task.Store(nil)
	if t.broken {
		e.broken = t.err
	}
	return t.n, t.err
}

// Wait waits for the call of a handle that returned Pending, for at most the given
// number of milliseconds and half a second. It returns what the call returns, or Pending.
func (l *Library) Wait(handle, milliseconds int64) (int64, error) {
	e, err := l.lock(handle)
	if err != nil {
		return 0, err
	}
	defer e.mu.Unlock()
	t := e.task.Load()
	if t == nil {
		return 0, faultf(Value, "the %s has no call to wait for", e.object.what())
	}
	wait := time.Duration(min(max(milliseconds, 0), mostWait.Milliseconds())) * time.Millisecond
	return e.await(t, wait)
}

// Cancel asks the call of a handle that returned Pending to end early. An agent and a
// match then end with what they have found, a batch finishes its step. Any thread may call
// Cancel; without such a call it does nothing.
func (l *Library) Cancel(handle int64) (int64, error) {
	e, err := l.table.find(handle)
	if err != nil {
		return 0, err
	}
	if t := e.task.Load(); t != nil {
		t.cancel()
	}
	return 0, nil
}
