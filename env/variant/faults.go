package variant

import (
	"errors"
	"fmt"
	"strings"
)

// Faults gathers everything that is wrong with a rule set.
type Faults struct {
	list []error
}

// Add notes that the named field is at fault; the rest reads on from its name:
// Add("start", "has %d ranks, must have 8", 7).
func (f *Faults) Add(field, format string, args ...any) {
	f.list = append(f.list, fmt.Errorf("%s %s", field, fmt.Sprintf(format, args...)))
}

// Range notes a fault unless least ≤ value ≤ greatest.
func (f *Faults) Range(field string, value, least, greatest int) {
	if value < least || value > greatest {
		f.Add(field, "is %d, must be %d to %d", value, least, greatest)
	}
}

// OneOf notes a fault unless value is one of the choices.
func (f *Faults) OneOf(field, value string, choices ...string) {
	for _, choice := range choices {
		if value == choice {
			return
		}
	}
	f.Add(field, "is %q, must be one of %s", value, strings.Join(choices, ", "))
}

// RepetitionAndProgress checks the two fields that every game has: repetition is
// 0 (off) or 2 to 100, no_progress 1 to 1,000, or 0 (off) when repetition is off.
func (f *Faults) RepetitionAndProgress(repetition, noProgress int) {
	if repetition != 0 {
		f.Range("repetition", repetition, 2, 100)
		f.Range("no_progress", noProgress, 1, 1000)
	} else if noProgress != 0 {
		f.Range("no_progress", noProgress, 1, 1000)
	}
}

// Err returns all faults as one error, or nil.
func (f *Faults) Err() error { return errors.Join(f.list...) }
