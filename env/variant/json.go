package variant

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// merge applies a JSON merge patch to the draft (RFC 7396). The place of a field
// that the patch changes or removes is its place in the patch.
func (d draft) merge(patch draft) {
	d.places[""] = patch.places[""]
	d.mergeObject(d.doc, patch.doc, "", patch.places)
}

func (d draft) mergeObject(object, changes document, field string, from places) {
	for name, value := range changes {
		inner := join(field, name)
		change, nested := value.(document)
		if !nested {
			d.places.replace(inner, from)
			if value == nil {
				delete(object, name)
			} else {
				object[name] = value
			}
			continue
		}
		target, ok := object[name].(document)
		if !ok {
			d.places.replace(inner, nil)
			target = document{}
			object[name] = target
		}
		d.places[inner] = from[inner]
		d.mergeObject(target, change, inner, from)
	}
}

// moved sets the place of every field and returns the draft.
func (d draft) moved(to Place) draft {
	for field := range d.places {
		d.places[field] = to
	}
	return d
}

// canonical returns the canonical JSON (RFC 8785) of a document. Rule sets contain
// only integers and ASCII names, which shape checks. For these, encoding/json with
// sorted names and without HTML escapes writes the canonical form.
func canonical(value any) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic(fmt.Sprintf("a parsed document does not encode: %v", err)) // it consists of what parse returned
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// join returns the path of a member of a field.
func join(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}
