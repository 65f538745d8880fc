package dataset

import (
	"fmt"
	"strings"
)

// A Fault is an error in the content of a data set.
type Fault struct {
	File    string // path relative to the folder; empty if the episode is not read from a file
	Episode int64  // or None
	Ply     int    // or None
	What    string // the faulty field or fact, such as "hash"
	Found   string // its value, or what is wrong with it
	Want    string // the right value; empty if unknown
}

// None is the Episode or Ply of a Fault that does not concern a single one.
const None = -1

func (f *Fault) Error() string {
	var where []string
	if f.File != "" {
		where = append(where, f.File)
	}
	if f.Episode != None {
		where = append(where, fmt.Sprintf("episode %d", f.Episode))
	}
	if f.Ply != None {
		where = append(where, fmt.Sprintf("ply %d", f.Ply))
	}
	what := f.What + ": " + f.Found
	if f.Want != "" {
		what = fmt.Sprintf("%s is %s, must be %s", f.What, f.Found, f.Want)
	}
	return strings.Join(where, ", ") + ": " + what
}

// Faults are the errors in the content of a data set. As an error it wraps each of them.
type Faults []*Fault

func (f Faults) Error() string {
	if len(f) == 1 {
		return f[0].Error()
	}
	return fmt.Sprintf("%s (the first of %d faults)", f[0].Error(), len(f))
}

// Unwrap returns the faults as errors.
func (f Faults) Unwrap() []error {
	list := make([]error, len(f))
	for i := range f {
		list[i] = f[i]
	}
	return list
}
