package variant

import (
	"fmt"
	"strings"
)

// A Place says where in a text something stands. The zero Place is nowhere.
type Place struct {
	Source       string // the file's name as it was given; "override" for the braces of a variant string
	Line, Column int    // from 1; columns count characters
	Base         string // the preset that the value comes from, where the place only names that preset
}

// String returns FILE:LINE:COLUMN, or nothing for a value that stands in no text.
func (p Place) String() string {
	if p.Line == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", p.Source, p.Line, p.Column)
}

// before orders places by source, line and column.
func (p Place) before(q Place) bool {
	if p.Source != q.Source {
		return p.Source < q.Source
	}
	if p.Line != q.Line {
		return p.Line < q.Line
	}
	return p.Column < q.Column
}

// places holds where each field of a document stands: members at their name,
// elements of a list at their value, the document itself under "".
type places map[string]Place

// at returns the place of a field, or of the innermost object or list around it
// that has one.
func (p places) at(field string) Place {
	for field != "" {
		if place, ok := p[field]; ok {
			return place
		}
		field = field[:max(strings.LastIndexAny(field, ".["), 0)]
	}
	return p[""]
}

// within tells whether a field is the outer one or lies inside it.
func within(field, outer string) bool {
	rest, ok := strings.CutPrefix(field, outer)
	return ok && (outer == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}

// replace puts the places of from inside a field in place of those here.
func (p places) replace(field string, from places) {
	for name := range p {
		if within(name, field) {
			delete(p, name)
		}
	}
	for name, place := range from {
		if within(name, field) {
			p[name] = place
		}
	}
}
