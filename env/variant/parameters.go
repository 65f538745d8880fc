package variant

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A Parameter describes one field of an engine's rule sets.
type Parameter struct {
	Field   string // "pieces.*.speed": * stands for every name in an object, [*] for every element of a list
	Values  string // the values it may have: "1 to 7", "one of pair, attack_only", "true or false"
	Default string // JSON of its value in the default preset; empty for objects, below a *, and if the preset omits it
	Meaning string // the help tag of the Rules struct
}

// Parameters returns the parameters of the engine's rule sets in the order of its
// Rules struct. It takes ranges and choices from the faults that RuleSet.Validate
// reports for wrong values, so that they are defined in one place.
func (e *Engine) Parameters() ([]Parameter, error) {
	d, err := e.preset(e.Name + "/" + e.Default)
	if err != nil {
		return nil, err
	}
	lister := parameterLister{engine: e, whole: d}
	lister.structure("", "", d.doc, reflect.TypeOf(e.Rules()).Elem())
	return lister.list, nil
}

type parameterLister struct {
	engine *Engine
	whole  draft // the default preset
	list   []Parameter
}

// structure lists the members of a struct. field is its path with stars, path the
// path of an instance, and value that instance, which may lack members.
func (l *parameterLister) structure(field, path string, value document, t reflect.Type) {
	for _, m := range members(t) {
		if field == "" && (m.name == "game" || slices.Contains(headNames(), m.name)) {
			continue
		}
		l.parameter(join(field, m.name), join(path, m.name), value[m.name], m)
	}
}

func (l *parameterLister) parameter(field, path string, value any, m member) {
	p := Parameter{Field: field, Values: l.values(path, m.kind), Meaning: m.help}
	if _, nested := value.(document); !nested && value != nil && field == path {
		p.Default = string(canonical(value))
	}
	if m.help != "" || m.kind.Kind() != reflect.Struct {
		l.list = append(l.list, p)
	}
	l.below(field, path, value, m.kind)
}

// below lists the members of an object, or of the objects in a map or list.
func (l *parameterLister) below(field, path string, value any, t reflect.Type) {
	object, _ := value.(document)
	switch t.Kind() {
	case reflect.Struct:
		l.structure(field, path, object, t)
	case reflect.Map:
		if names := sortedNames(object); len(names) > 0 {
			l.below(field+".*", join(path, names[0]), object[names[0]], t.Elem())
		}
	case reflect.Slice:
		if list, _ := value.([]any); len(list) > 0 {
			l.below(field+"[*]", path+"[0]", list[0], t.Elem())
		}
	}
}

// values describes the values that a field of a type may have.
func (l *parameterLister) values(path string, t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		if want := l.want(path, json.Number(strconv.Itoa(math.MinInt32))); want != "" {
			return want
		}
		return "a whole number"
	case reflect.String:
		if want := l.want(path, "\a"); want != "" {
			return want
		}
		return "a string"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a list"
}

// want returns the correct values of a field, as Validate reports them for a wrong
// value. wrong is a value that no field may have.
func (l *parameterLister) want(path string, wrong any) string {
	var patch any = wrong
	for _, name := range slices.Backward(strings.Split(path, ".")) {
		patch = document{name: patch}
	}
	d, err := l.engine.preset(l.engine.Name + "/" + l.engine.Default)
	if err != nil {
		return ""
	}
	d.merge(draft{patch.(document), places{}})
	rules := l.engine.Rules()
	if err := json.Unmarshal(canonical(d.doc), rules); err != nil {
		return ""
	}
	var invalid *Invalid
	if errors.As(rules.Validate(), &invalid) {
		for _, fault := range invalid.Faults {
			if fault.Field == path && fault.Want != "" {
				return fault.Want
			}
		}
	}
	return ""
}
