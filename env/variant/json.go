package variant

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// document is a JSON object as parsed: numbers are json.Number.
type document = map[string]any

// parse reads one JSON object and nothing after it. Unlike encoding/json it
// refuses a name that occurs twice.
func parse(data []byte) (document, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	value, err := parseValue(dec, "")
	if err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("not JSON at byte %d: %w", syntax.Offset, err)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errors.New("not JSON: it ends too early")
		}
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("not JSON: something follows the object at byte %d", dec.InputOffset())
	}
	doc, ok := value.(document)
	if !ok {
		return nil, errors.New("a rule set is a JSON object in braces")
	}
	return doc, nil
}

func parseValue(dec *json.Decoder, field string) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		object := document{}
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			name := key.(string)
			inner := join(field, name)
			if _, twice := object[name]; twice {
				return nil, fmt.Errorf("%s is given twice", inner)
			}
			if object[name], err = parseValue(dec, inner); err != nil {
				return nil, err
			}
		}
		_, err = dec.Token()
		return object, err
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			element, err := parseValue(dec, fmt.Sprintf("%s[%d]", field, len(list)))
			if err != nil {
				return nil, err
			}
			list = append(list, element)
		}
		_, err = dec.Token()
		return list, err
	}
	return token, nil
}

// merge lays a JSON merge patch over a value (RFC 7396). It may change target.
func merge(target, patch any) any {
	changes, ok := patch.(document)
	if !ok {
		return patch
	}
	object, ok := target.(document)
	if !ok {
		object = document{}
	}
	for name, value := range changes {
		if value == nil {
			delete(object, name)
		} else {
			object[name] = merge(object[name], value)
		}
	}
	return object
}

// canonical returns the canonical JSON (RFC 8785) of a document. Rule sets hold
// only whole numbers and ASCII names, checked by strict; for these encoding/json
// with sorted names and without HTML escapes writes just that form.
func canonical(doc document) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(doc); err != nil {
		panic(fmt.Sprintf("a parsed document does not encode: %v", err)) // it holds only what parse made
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

func join(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}
