package variant

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// document is a parsed JSON object. Its numbers are json.Number.
type document = map[string]any

// A draft is an unchecked document with the places of its fields.
type draft struct {
	doc    document
	places places
}

// parser reads a text that is one JSON object. Unlike encoding/json, it records the
// place of each member, refuses duplicate names, and reports what it expected.
type parser struct {
	source    string
	data      []byte
	pos       int
	line      int
	lineStart int
	depth     int
	places    places
	faults    *Faults
}

// maxDepth bounds the nesting of objects and lists.
const maxDepth = 100

// parse reads a text and adds its faults to faults. A duplicate member is a fault,
// but parse continues. If the text is not a JSON object, ok is false.
func parse(source string, data []byte, faults *Faults) (d draft, ok bool) {
	byteOrderMark := []byte("\ufeff")
	p := parser{source: source, data: bytes.TrimPrefix(data, byteOrderMark), line: 1, places: places{}, faults: faults}
	p.space()
	p.places[""] = p.here()
	if p.peek() != '{' {
		return d, p.fail("expected a JSON object in braces, found %s", p.found())
	}
	value, ok := p.value("")
	if !ok {
		return d, false
	}
	p.space()
	if p.pos < len(p.data) {
		return d, p.fail("is not JSON: expected nothing after the object, found %s", p.found())
	}
	return draft{value.(document), p.places}, true
}

func (p *parser) value(field string) (value any, ok bool) {
	switch c := p.peek(); {
	case c == '{' || c == '[':
		if p.depth++; p.depth > maxDepth {
			return nil, p.fail("is nested deeper than %d", maxDepth)
		}
		defer func() { p.depth-- }()
		if c == '{' {
			return p.object(field)
		}
		return p.list(field)
	case c == '"':
		return p.text()
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	}
	switch word := string(p.word()); word {
	case "true", "false":
		p.pos += len(word)
		return word == "true", true
	case "null":
		p.pos += len(word)
		return nil, true
	}
	return nil, p.fail("is not JSON: expected a value, found %s", p.found())
}

func (p *parser) object(field string) (any, bool) {
	object := document{}
	p.pos++
	for p.space(); p.peek() != '}'; p.space() {
		if p.peek() != '"' {
			return nil, p.fail("is not JSON: expected a name in quotes%s, found %s", orEnd(len(object) == 0, '}'), p.found())
		}
		at := p.here()
		name, ok := p.text()
		if !ok {
			return nil, false
		}
		inner := join(field, name)
		if _, twice := object[name]; twice {
			first := p.places[inner]
			p.faults.put(Fault{Field: inner, At: at, Text: fmt.Sprintf("is given twice, first at line %d, column %d", first.Line, first.Column)})
			at = first
		}
		p.places[inner] = at
		if p.space(); p.peek() != ':' {
			return nil, p.fail("is not JSON: expected : after the name %q, found %s", name, p.found())
		}
		p.pos++
		p.space()
		if object[name], ok = p.value(inner); !ok {
			return nil, false
		}
		if !p.comma('}', inner) {
			return nil, false
		}
	}
	p.pos++
	return object, true
}

func (p *parser) list(field string) (any, bool) {
	list := []any{}
	p.pos++
	for p.space(); p.peek() != ']'; p.space() {
		inner := fmt.Sprintf("%s[%d]", field, len(list))
		p.places[inner] = p.here()
		element, ok := p.value(inner)
		if !ok || !p.comma(']', inner) {
			return nil, false
		}
		list = append(list, element)
	}
	p.pos++
	return list, true
}

// comma reads what follows a value of an object or list: either a comma, which another
// value must follow, or end, which it does not consume.
func (p *parser) comma(end byte, before string) bool {
	p.space()
	if p.peek() == end {
		return true
	}
	if p.peek() != ',' {
		return p.fail("is not JSON: expected , or %c after %s, found %s", end, before, p.found())
	}
	comma := p.here()
	p.pos++
	if p.space(); p.peek() == end {
		p.faults.put(Fault{At: comma, Text: fmt.Sprintf("is not JSON: there must be no comma after the last value, %s", before)})
		return false
	}
	return true
}

// text reads a string. encoding/json decodes its escapes.
func (p *parser) text() (text string, ok bool) {
	end := p.pos + 1
	for end < len(p.data) && p.data[end] != '"' && p.data[end] != '\n' {
		if p.data[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(p.data) || p.data[end] != '"' {
		return "", p.fail("is not JSON: the string has no closing quote on its line")
	}
	if err := json.Unmarshal(p.data[p.pos:end+1], &text); err != nil {
		return "", p.fail("is not JSON: %v", err)
	}
	p.pos = end + 1
	return text, true
}

func (p *parser) number() (any, bool) {
	digits := p.word()
	var number json.Number
	if err := json.Unmarshal(digits, &number); err != nil {
		return nil, p.fail("is not JSON: %s is not a number", quoted(digits))
	}
	p.pos += len(digits)
	return number, true
}

// word returns the letters, digits and signs that come next.
func (p *parser) word() []byte {
	end := p.pos
	for end < len(p.data) && !bytes.ContainsRune([]byte(" \t\r\n,:{}[]\"/"), rune(p.data[end])) {
		end++
	}
	return p.data[p.pos:end]
}

func (p *parser) space() {
	for ; p.pos < len(p.data); p.pos++ {
		switch p.data[p.pos] {
		case ' ', '\t', '\r':
		case '\n':
			p.line, p.lineStart = p.line+1, p.pos+1
		default:
			return
		}
	}
}

// peek returns the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.data) {
		return p.data[p.pos]
	}
	return 0
}

func (p *parser) here() Place {
	return Place{Source: p.source, Line: p.line, Column: utf8.RuneCount(p.data[p.lineStart:p.pos]) + 1}
}

// fail adds a fault at the current place and returns false.
func (p *parser) fail(format string, args ...any) bool {
	p.faults.put(Fault{At: p.here(), Text: fmt.Sprintf(format, args...)})
	return false
}

// found describes what comes next.
func (p *parser) found() string {
	switch {
	case p.pos >= len(p.data):
		return "the end of the input"
	case p.peek() == '/':
		return "/ (JSON has no comments)"
	case len(p.word()) > 0:
		return quoted(p.word())
	}
	return string(p.data[p.pos : p.pos+1])
}

// quoted returns the beginning of a word in quotes.
func quoted(word []byte) string {
	const most = 20
	if len(word) > most {
		return fmt.Sprintf("%.*q…", most, word)
	}
	return fmt.Sprintf("%q", word)
}

func orEnd(empty bool, end byte) string {
	if empty {
		return " or " + string(end)
	}
	return ""
}
