package external

import (
	"errors"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
)

// Answer reads an answer as Choose does; the reason is env.NoReason where it is
// no fault.
func Answer(line string, s env.State, number int, told *dataset.Search) (a env.Action, more bool, reason env.Reason, detail string) {
	a, more, err := parseAnswer(line, s.ParseAction, number, told)
	var f *fault
	if errors.As(err, &f) {
		reason, detail = f.reason, f.detail
	} else if err != nil {
		panic("an error of an answer that is no fault")
	}
	return a, more, reason, detail
}

// Environment is what programs inherit.
func Environment() []string { return environment() }
