package variant

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// A Difference is one field in which two rule sets differ.
type Difference struct {
	Field    string
	From, To json.RawMessage // nil if the rule set lacks the field
}

// Differences returns the fields in which two variants of one game differ, apart
// from name, description, source and digest. A list counts as one field.
func Differences(from, to *Variant) []Difference { return differ(reread(from.Rules), reread(to.Rules)) }

// Nearest returns the preset of v's game that differs from v in the fewest fields,
// and the differences from that preset to v.
func (v *Variant) Nearest() (preset string, differences []Difference, err error) {
	return v.engine.nearest(reread(v.Rules))
}

func (e *Engine) nearest(doc document) (preset string, differences []Difference, err error) {
	for i, name := range e.PresetNames() {
		d, err := e.preset(name)
		if err != nil {
			return "", nil, err
		}
		if list := differ(e.normal(d.doc), e.normal(doc)); i == 0 || len(list) < len(differences) {
			preset, differences = name, list
		}
	}
	return preset, differences, nil
}

// normal returns a document as its rule set writes it. Lists whose order has no
// meaning are sorted.
func (e *Engine) normal(doc document) document {
	rules := e.Rules()
	if err := json.Unmarshal(canonical(doc), rules); err != nil {
		return doc
	}
	return reread(indented(rules))
}

// reread parses a rule set that this package wrote.
func reread(rules []byte) document {
	var faults Faults
	d, ok := parse("", rules, &faults)
	if !ok {
		panic(fmt.Sprintf("a valid rule set does not parse: %v", faults.Err()))
	}
	return d.doc
}

// differ compares two rule sets.
func differ(from, to document) []Difference {
	var list []Difference
	differObject(&list, "", from, to)
	return slices.DeleteFunc(list, func(d Difference) bool { return slices.Contains(headNames(), d.Field) })
}

// headNames lists the fields that do not affect the game.
func headNames() []string { return []string{"name", "description", "source", "digest"} }

func differObject(list *[]Difference, field string, from, to document) {
	both := make(map[string]bool)
	for name := range from {
		both[name] = true
	}
	for name := range to {
		both[name] = true
	}
	for _, name := range sortedNames(both) {
		inner := join(field, name)
		a, inFrom := from[name]
		b, inTo := to[name]
		before, ok := a.(document)
		after, ok2 := b.(document)
		switch {
		case ok && ok2:
			differObject(list, inner, before, after)
		case !inFrom:
			*list = append(*list, Difference{Field: inner, To: canonical(b)})
		case !inTo:
			*list = append(*list, Difference{Field: inner, From: canonical(a)})
		case !reflect.DeepEqual(a, b):
			*list = append(*list, Difference{Field: inner, From: canonical(a), To: canonical(b)})
		}
	}
}
