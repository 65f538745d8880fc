package variant

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Fault is one error in a rule set.
type Fault struct {
	Field string // "pieces.HT.speed", "layout.mines[3]"; empty for the rule set as a whole
	Text  string // continues the field's name: "is 9, must be 1 to 7"
	Want  string // the correct values, "1 to 7"; empty if unknown
	At    Place  // place of the field, or of the object that lacks it; set by Load
}

// Message returns the field and its error, without the place.
func (f Fault) Message() string {
	if f.Field == "" {
		return f.Text
	}
	text := f.Field + " " + f.Text
	if f.At.Base != "" {
		text += fmt.Sprintf(" (the value comes from %s)", f.At.Base)
	}
	return text
}

// Error returns FILE:LINE:COLUMN and the message.
func (f Fault) Error() string {
	if place := f.At.String(); place != "" {
		return place + ": " + f.Message()
	}
	return f.Message()
}

// Invalid is the error of a rule set that has faults.
type Invalid struct {
	What   string  // what was loaded: "variant @my.json"; empty from Validate
	Faults []Fault // at least one, ordered by place
}

// Error returns a line for each fault.
func (e *Invalid) Error() string {
	var b strings.Builder
	for i, f := range e.Faults {
		if i > 0 {
			b.WriteByte('\n')
		}
		if e.What != "" {
			b.WriteString(e.What + ": ")
		}
		b.WriteString(f.Error())
	}
	return b.String()
}

// Unwrap returns the faults.
func (e *Invalid) Unwrap() []error {
	list := make([]error, len(e.Faults))
	for i, f := range e.Faults {
		list[i] = f
	}
	return list
}

// Faults collects the faults of a rule set. The zero value is empty.
type Faults struct {
	list []Fault
}

// Add adds a fault of the named field. The text continues the field's name:
// Add("start", "has %d ranks, must have 8", 7).
func (f *Faults) Add(field, format string, args ...any) {
	f.put(Fault{Field: field, Text: fmt.Sprintf(format, args...)})
}

func (f *Faults) put(fault Fault) { f.list = append(f.list, fault) }

// want adds a fault of a value. want describes the correct values.
func (f *Faults) want(field string, value any, want string) {
	text := fmt.Sprintf("is %v, must be %s", value, want)
	if word, ok := value.(string); ok {
		text = fmt.Sprintf("is %q, must be %s", word, want)
	}
	f.put(Fault{Field: field, Text: text, Want: want})
}

// Range adds a fault unless least ≤ value ≤ greatest.
func (f *Faults) Range(field string, value, least, greatest int) {
	if value < least || value > greatest {
		f.want(field, value, fmt.Sprintf("%d to %d", least, greatest))
	}
}

// OneOf adds a fault unless value is one of the choices.
func (f *Faults) OneOf(field, value string, choices ...string) {
	if !slices.Contains(choices, value) {
		f.want(field, value, "one of "+strings.Join(choices, ", "))
	}
}

// RepetitionAndProgress checks two fields. repetition must be 0 (off) or 2 to 100.
// no_progress must be 1 to 1,000; it may also be 0 (off) if repetition is 0.
func (f *Faults) RepetitionAndProgress(repetition, noProgress int) {
	if repetition != 0 && (repetition < 2 || repetition > 100) {
		f.want("repetition", repetition, "2 to 100, or 0")
	}
	if noProgress < 0 || noProgress > 1000 || noProgress == 0 && repetition != 0 {
		f.want("no_progress", noProgress, "1 to 1000, or 0 when repetition is 0")
	}
}

// Err returns all faults as an *Invalid, or nil if there are none.
func (f *Faults) Err() error { return f.invalid("") }

func (f *Faults) invalid(what string) error {
	if len(f.list) == 0 {
		return nil
	}
	return &Invalid{What: what, Faults: f.list}
}

// take adds the faults in an error of RuleSet.Validate, except those of fields that
// already have one.
func (f *Faults) take(err error) {
	known := f.list
	var invalid *Invalid
	if !errors.As(err, &invalid) {
		if err != nil {
			f.put(Fault{Text: err.Error()})
		}
		return
	}
	for _, fault := range invalid.Faults {
		if !slices.ContainsFunc(known, func(k Fault) bool { return within(fault.Field, k.Field) || within(k.Field, fault.Field) }) {
			f.put(fault)
		}
	}
}

// place sets the place of every fault that has none, and sorts the faults.
func (f *Faults) place(p places) {
	for i := range f.list {
		if f.list[i].At == (Place{}) {
			f.list[i].At = p.at(f.list[i].Field)
		}
	}
	slices.SortStableFunc(f.list, func(a, b Fault) int {
		switch {
		case a.At.before(b.At):
			return -1
		case b.At.before(a.At):
			return 1
		}
		return 0
	})
}
