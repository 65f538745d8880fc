package variant

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
)

// shape adds a fault for every part of a parsed value that does not fit type t:
// unknown and missing names, and values of the wrong type. Names are case-sensitive.
// A struct field tagged omitempty, or rules:"optional", may be missing.
//
// It returns the value without these parts, so that the rest can be checked further;
// ok is false if nothing is left. If nothing is left of a list element, the zero value
// replaces it.
func shape(faults *Faults, field string, value any, t reflect.Type) (clean any, ok bool) {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		if err := json.Unmarshal(canonical(value), reflect.New(t).Interface()); err != nil {
			faults.Add(field, "%v", err)
			return nil, false
		}
		return value, true
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		object, ok := value.(document)
		if !ok {
			faults.Add(field, "must be an object in braces")
			return nil, false
		}
		if t.Kind() == reflect.Struct {
			return shapeStruct(faults, field, object, t), true
		}
		return shapeMap(faults, field, object, t.Elem()), true
	case reflect.Slice:
		list, ok := value.([]any)
		if !ok {
			faults.Add(field, "must be a list in brackets")
			return nil, false
		}
		return shapeList(faults, field, list, t.Elem()), true
	case reflect.Int:
		number, ok := value.(json.Number)
		if !ok {
			faults.Add(field, "must be a whole number")
			return nil, false
		}
		if n, err := number.Int64(); err != nil || n != int64(int32(n)) || number == "-0" {
			faults.Add(field, "is %s, must be a whole number", number)
			return nil, false
		}
	case reflect.Bool:
		if _, ok := value.(bool); !ok {
			faults.Add(field, "must be true or false")
			return nil, false
		}
	case reflect.String:
		if _, ok := value.(string); !ok {
			faults.Add(field, "must be a string in quotes")
			return nil, false
		}
	default:
		panic(fmt.Sprintf("variant: a rule set must not contain a %s (%s)", t, field))
	}
	return value, true
}

func shapeStruct(faults *Faults, field string, object document, t reflect.Type) document {
	clean := document{}
	members := members(t)
	for _, m := range members {
		value, given := object[m.name]
		if !given {
			if !m.optional {
				faults.Add(join(field, m.name), "is missing")
			}
			continue
		}
		if value, ok := shape(faults, join(field, m.name), value, m.kind); ok {
			clean[m.name] = value
		}
	}
	for _, name := range sortedNames(object) {
		if !slices.ContainsFunc(members, func(m member) bool { return m.name == name }) {
			faults.Add(join(field, name), "is unknown; %s", suggest(name, members))
		}
	}
	return clean
}

func shapeMap(faults *Faults, field string, object document, elem reflect.Type) document {
	clean := document{}
	for _, name := range sortedNames(object) {
		inner := join(field, name)
		if !ascii(name) {
			faults.Add(inner, "has a name that is not plain ASCII")
		}
		if value, ok := shape(faults, inner, object[name], elem); ok {
			clean[name] = value
		}
	}
	return clean
}

func shapeList(faults *Faults, field string, list []any, elem reflect.Type) []any {
	clean := make([]any, len(list))
	for i, element := range list {
		value, ok := shape(faults, fmt.Sprintf("%s[%d]", field, i), element, elem)
		if !ok {
			value = reflect.Zero(elem).Interface()
		}
		clean[i] = value
	}
	return clean
}

// A member is a field of a struct, as it appears in JSON.
type member struct {
	name     string
	optional bool
	kind     reflect.Type
	help     string // its help tag
}

func members(t reflect.Type) []member {
	var list []member
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		optional := strings.Contains(options, "omitempty") || f.Tag.Get("rules") == "optional"
		list = append(list, member{name, optional, f.Type, f.Tag.Get("help")})
	}
	return list
}

func sortedNames[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}
