package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// stdin is the name of a rule set from standard input.
const stdin = "stdin"

// checkJSON is the output of rules --check --json.
type checkJSON struct {
	Checked     string           `json:"checked"`
	Sound       bool             `json:"sound"`
	Name        string           `json:"name,omitempty"`
	Digest      string           `json:"digest,omitempty"`
	Nearest     string           `json:"nearest_preset,omitempty"`
	Differences []differenceJSON `json:"differences"`
	Faults      []findingJSON    `json:"faults"`
	Warnings    []findingJSON    `json:"warnings"`
}

// findingJSON is a fault or a warning with its place. Line and Column are 0 if it does
// not come from a text.
type findingJSON struct {
	Field  string `json:"field"`
	Text   string `json:"text"`
	Source string `json:"source"`
	Line   int    `json:"line"`
	Column int    `json:"column"`

	place, message string
}

type differenceJSON struct {
	Field string          `json:"field"`
	From  json.RawMessage `json:"from"` // null if the preset has no such field
	To    json.RawMessage `json:"to"`
}

// check validates a rule set and explains it. If the rule set has faults, the error has
// exit code 3.
func (a *app) check(arg string, asJSON bool) error {
	report, err := a.checked(arg)
	if err != nil {
		return err
	}
	if asJSON {
		err = writeJSON(a.out, report)
	} else {
		err = report.write(a.out)
	}
	if err == nil && !report.Sound {
		err = exitError{fmt.Errorf("%s has %s", report.Checked, plural(len(report.Faults), "fault")), exitFault}
	}
	return err
}

func (a *app) checked(arg string) (*checkJSON, error) {
	text, shown := checkTarget(arg)
	report := &checkJSON{Checked: shown, Differences: []differenceJSON{}, Faults: []findingJSON{}, Warnings: []findingJSON{}}
	v, err := games.Load(text, func(name string) ([]byte, error) {
		if arg == "-" {
			return io.ReadAll(a.in)
		}
		return os.ReadFile(name)
	})
	var invalid *variant.Invalid
	if errors.As(err, &invalid) {
		for _, f := range invalid.Faults {
			report.Faults = append(report.Faults, finding(f))
		}
		return report, nil
	}
	if err != nil {
		if text == arg && !strings.HasPrefix(arg, "@") {
			err = fmt.Errorf("%w; a file %s does not exist either", err, arg)
		}
		return nil, usage(err)
	}
	report.Sound, report.Name, report.Digest = true, v.Name, v.Digest
	for _, w := range v.Warnings() {
		report.Warnings = append(report.Warnings, finding(variant.Fault{Field: w.Field, Text: w.Text, At: v.Place(w.Field)}))
	}
	preset, differences, err := v.Nearest()
	if err != nil {
		return nil, err
	}
	report.Nearest = preset
	for _, d := range differences {
		report.Differences = append(report.Differences, differenceJSON{d.Field, d.From, d.To})
	}
	return report, nil
}

// checkTarget returns the variant string for an argument, and the argument's name in
// reports. The argument may also be the name of a file without @, or - for standard input.
func checkTarget(arg string) (text, shown string) {
	if arg == "-" {
		return "@" + stdin, stdin
	}
	if strings.HasPrefix(arg, "@") {
		return arg, strings.TrimPrefix(arg, "@")
	}
	if _, err := os.Stat(arg); err == nil || strings.HasSuffix(arg, ".json") {
		return "@" + arg, arg
	}
	return arg, arg
}

func finding(f variant.Fault) findingJSON {
	return findingJSON{Field: f.Field, Text: f.Text, Source: f.At.Source, Line: f.At.Line, Column: f.At.Column, message: f.Message(), place: f.At.String()}
}

// write writes the report as text, with findings in the format of compiler messages.
func (c *checkJSON) write(out io.Writer) error {
	var b strings.Builder
	for _, f := range c.Faults {
		fmt.Fprintln(&b, c.message("error", f))
	}
	for _, w := range c.Warnings {
		fmt.Fprintln(&b, c.message("warning", w))
	}
	if c.Sound {
		fmt.Fprintf(&b, "%s: valid, %s\n%s %s\n%s\n", c.Checked, plural(len(c.Warnings), "warning"), c.Name, c.Digest, c.differs())
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// message returns a finding as PLACE: KIND: FIELD TEXT.
func (c *checkJSON) message(kind string, f findingJSON) string {
	return cmp.Or(f.place, c.Checked) + ": " + kind + ": " + f.message
}

// differs lists the differences from the nearest preset, one line per field.
func (c *checkJSON) differs() string {
	if len(c.Differences) == 0 {
		return "same rules as " + c.Nearest
	}
	text := "same as " + c.Nearest + ", except"
	for _, d := range c.Differences {
		switch {
		case d.From == nil:
			text += fmt.Sprintf("\n  %s is added: %s", d.Field, valueText(d.To))
		case d.To == nil:
			text += fmt.Sprintf("\n  %s is removed", d.Field)
		default:
			text += fmt.Sprintf("\n  %s is %s instead of %s", d.Field, valueText(d.To), valueText(d.From))
		}
	}
	return text
}

// valueText shortens a value of a rule set.
func valueText(value json.RawMessage) string { return shortened(string(value), 80) }
