package library

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/sandtable-farm/sandtable/env/vec"
)

// A Kind of error, by which callers choose the type of an exception.
type Kind string

// Kinds of errors.
const (
	Value    Kind = "value"    // an argument is wrong
	Illegal  Kind = "illegal"  // an action is not legal
	Closed   Kind = "closed"   // the handle is closed, or never was one
	Busy     Kind = "busy"     // another thread or an earlier call uses the handle
	Internal Kind = "internal" // an error of the library itself
)

// Kinds lists the kinds of errors.
func Kinds() []Kind { return []Kind{Value, Illegal, Closed, Busy, Internal} }

// fault is an error with its kind.
type fault struct {
	kind Kind
	text string
}

func (f *fault) Error() string { return f.text }

// faultf returns an error of a kind.
func faultf(kind Kind, format string, args ...any) error {
	return &fault{kind, fmt.Sprintf(format, args...)}
}

// kindOf returns the kind of an error. An error that has none is about an argument.
func kindOf(err error) Kind {
	var f *fault
	switch {
	case errors.As(err, &f):
		return f.kind
	case errors.Is(err, vec.ErrIllegal):
		return Illegal
	}
	return Value
}

// Panicked returns the error of a recovered panic.
func Panicked(recovered any) error {
	return faultf(Internal, "panic: %v\n%s", recovered, debug.Stack())
}

// keptFaults is the number of errors that are kept until they are read.
const keptFaults = 1024

// faults keeps the errors of which callers have only a code.
type faults struct {
	mu   sync.Mutex
	last int64
	ring [keptFaults]struct {
		number int64
		text   []byte
	}
}

// add keeps an error and returns its code, which is negative.
func (f *faults) add(err error) int64 {
	text, _ := json.Marshal(map[string]string{"kind": string(kindOf(err)), "text": err.Error()}) // strings always encode
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last++
	kept := &f.ring[f.last%keptFaults]
	kept.number, kept.text = f.last, text
	return -f.last
}

// Code returns what a function of the library returns to C: n, or a negative code for an
// error.
func (l *Library) Code(n int64, err error) int64 {
	if err != nil {
		return l.faults.add(err)
	}
	return n
}

// Fault writes the error of a code to buffer, as JSON with the members kind and text,
// and forgets it. It returns the length, and 0 for a code that has no error.
func (l *Library) Fault(code int64, buffer []byte) int64 {
	f := &l.faults
	f.mu.Lock()
	defer f.mu.Unlock()
	if code >= 0 {
		return 0
	}
	kept := &f.ring[uint64(-code)%keptFaults]
	if kept.number != -code {
		return 0
	}
	n := put(buffer, kept.text)
	if n <= int64(len(buffer)) {
		kept.number, kept.text = 0, nil
	}
	return n
}

// put copies data to a buffer that is long enough, and returns the length of data.
func put(buffer, data []byte) int64 {
	if len(data) <= len(buffer) {
		copy(buffer, data)
	}
	return int64(len(data))
}
