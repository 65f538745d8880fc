package library

import (
	"io"
	"sync"
	"sync/atomic"
)

// Library holds the objects that the caller has opened. It is safe for concurrent use.
type Library struct {
	table  table
	faults faults
	names  nameOnce
}

// New returns a library without objects.
func New() *Library { return &Library{} }

// Version is the version of the functions of the library. Callers refuse another one.
const Version = 1

// table maps handles to entries. A handle is the generation of its place, which each
// use of the place raises, times 2³², plus the index of the place.
type table struct {
	mu     sync.RWMutex
	places []place
	free   []uint32
	live   int64
}

type place struct {
	generation uint32
	entry      *entry
}

// An entry is an open object.
type entry struct {
	mu     sync.Mutex // held by the thread that uses the object
	object object
	closed bool
	broken error // why the object can only be closed, or nil
	task   atomic.Pointer[task]
}

// mostGenerations keeps handles positive.
const mostGenerations = 1<<31 - 1

// add opens an object.
func (t *table) add(o object) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	var index uint32
	if n := len(t.free); n > 0 {
		index, t.free = t.free[n-1], t.free[:n-1]
	} else {
		index = uint32(len(t.places))
		t.places = append(t.places, place{})
	}
	p := &t.places[index]
	p.generation = p.generation%mostGenerations + 1
	p.entry = &entry{object: o}
	t.live++
	return int64(p.generation)<<32 | int64(index)
}

func (t *table) find(handle int64) (*entry, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if p := t.at(handle); p != nil {
		return p.entry, nil
	}
	return nil, errClosed(handle)
}

// at returns the place of an open object, or nil.
func (t *table) at(handle int64) *place {
	index, generation := uint32(handle), uint32(handle>>32)
	if uint64(index) >= uint64(len(t.places)) || t.places[index].generation != generation || t.places[index].entry == nil {
		return nil
	}
	return &t.places[index]
}

func (t *table) remove(handle int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.at(handle); p != nil {
		p.entry = nil
		t.free = append(t.free, uint32(handle))
		t.live--
	}
}

func errClosed(handle int64) error {
	return faultf(Closed, "handle %d is closed or was never opened", handle)
}

// An object is what a handle names. An object that holds more than memory is an io.Closer.
// what names its type in errors.
type object interface{ what() string }

// open opens an object and returns its handle.
func (l *Library) open(o object) int64 { return l.table.add(o) }

// Live returns the number of open objects.
func (l *Library) Live() int64 {
	l.table.mu.RLock()
	defer l.table.mu.RUnlock()
	return l.table.live
}

// lock returns the entry of a handle, locked for the calling thread.
func (l *Library) lock(handle int64) (*entry, error) {
	e, err := l.table.find(handle)
	if err != nil {
		return nil, err
	}
	if !e.mu.TryLock() {
		return nil, faultf(Busy, "the %s is in use by another thread", e.object.what())
	}
	if e.closed {
		e.mu.Unlock()
		return nil, errClosed(handle)
	}
	return e, nil
}

// ready returns an error if the object cannot be used now.
func (e *entry) ready() error {
	switch {
	case e.broken != nil:
		return faultf(Internal, "the %s must be closed after an earlier error: %v", e.object.what(), e.broken)
	case e.task.Load() != nil:
		return faultf(Busy, "the %s is still busy with an earlier call; wait for it first", e.object.what())
	}
	return nil
}

// use calls f with the object of a handle, which must be a T. No other thread uses the
// object meanwhile.
func use[T object](l *Library, handle int64, f func(T) (int64, error)) (int64, error) {
	return useEntry(l, handle, func(_ *entry, o T) (int64, error) { return f(o) })
}

// useEntry is use for functions that start a task.
func useEntry[T object](l *Library, handle int64, f func(*entry, T) (int64, error)) (n int64, err error) {
	e, err := l.lock(handle)
	if err != nil {
		return 0, err
	}
	defer e.mu.Unlock()
	o, err := as[T](e)
	if err != nil {
		return 0, err
	}
	if err := e.ready(); err != nil {
		return 0, err
	}
	defer func() {
		if r := recover(); r != nil {
			e.broken = Panicked(r)
			n, err = 0, e.broken
		}
	}()
	return f(e, o)
}

func as[T object](e *entry) (T, error) {
	o, ok := any(e.object).(T)
	if !ok {
		var want T
		return o, faultf(Value, "the handle is that of a %s, must be that of a %s", e.object.what(), want.what())
	}
	return o, nil
}

// game returns the game of a handle, which any number of threads may use.
func (l *Library) game(handle int64) (*game, error) {
	e, err := l.table.find(handle)
	if err != nil {
		return nil, err
	}
	return as[*game](e)
}

// Close closes an object. A task of it is cancelled. An object whose task writes to the
// memory of the caller cannot be closed before the end of the task.
func (l *Library) Close(handle int64) (int64, error) {
	e, err := l.lock(handle)
	if err != nil {
		return 0, err
	}
	defer e.mu.Unlock()
	if t := e.task.Load(); t != nil {
		t.cancel()
		if !t.ended() && t.writes {
			return 0, faultf(Busy, "the %s is still busy with an earlier call; wait for it first", e.object.what())
		}
	}
	e.closed = true
	l.table.remove(handle)
	c, ok := e.object.(io.Closer)
	if !ok {
		return 0, nil
	}
	if t := e.task.Load(); t != nil && !t.ended() {
		go func() {
			<-t.done
			closeSafely(c)
		}()
		return 0, nil
	}
	return 0, closeSafely(c)
}

func closeSafely(c io.Closer) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = Panicked(r)
		}
	}()
	return c.Close()
}
