package variant

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strings"
)

// strict finds every place where a parsed value does not have the shape of type
// t: unknown and missing names, and values of the wrong kind. Names must match
// to the letter. A struct field tagged omitempty may be missing.
func strict(faults *Faults, field string, value any, t reflect.Type) {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		data, _ := json.Marshal(value)
		if err := json.Unmarshal(data, reflect.New(t).Interface()); err != nil {
			faults.Add(field, "%v", err)
		}
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		strictStruct(faults, field, value, t)
	case reflect.Map:
		object, ok := value.(document)
		if !ok {
			faults.Add(field, "must be an object in braces")
			return
		}
		for _, name := range sortedNames(object) {
			if !ascii(name) {
				faults.Add(join(field, name), "has a name that is not plain ASCII")
			}
			strict(faults, join(field, name), object[name], t.Elem())
		}
	case reflect.Slice:
		list, ok := value.([]any)
		if !ok {
			faults.Add(field, "must be a list in brackets")
			return
		}
		for i, element := range list {
			strict(faults, fmt.Sprintf("%s[%d]", field, i), element, t.Elem())
		}
	case reflect.Int:
		number, ok := value.(json.Number)
		if !ok {
			faults.Add(field, "must be a whole number")
		} else if n, err := number.Int64(); err != nil || n != int64(int32(n)) || number == "-0" {
			faults.Add(field, "is %s, must be a whole number", number)
		}
	case reflect.Bool:
		if _, ok := value.(bool); !ok {
			faults.Add(field, "must be true or false")
		}
	case reflect.String:
		if _, ok := value.(string); !ok {
			faults.Add(field, "must be a text in quotes")
		}
	default:
		panic(fmt.Sprintf("variant: a rule set may not hold a %s (%s)", t, field))
	}
}

func strictStruct(faults *Faults, field string, value any, t reflect.Type) {
	object, ok := value.(document)
	if !ok {
		faults.Add(field, "must be an object in braces")
		return
	}
	known := map[string]bool{}
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		known[name] = true
		if inner, given := object[name]; given {
			strict(faults, join(field, name), inner, f.Type)
		} else if !strings.Contains(options, "omitempty") {
			faults.Add(join(field, name), "is missing")
		}
	}
	for _, name := range sortedNames(object) {
		if !known[name] {
			faults.Add(join(field, name), "is unknown; known are %s", strings.Join(sortedNames(known), ", "))
		}
	}
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
