package variant

import (
	"fmt"
	"strings"
)

// A Place is a position in a text. The zero Place means no position.
type Place struct {
	Source       string // the file's name as given; "override" for the patch in a variant string
	Line, Column int    // from 1; columns count characters
	Base         string // the preset that supplies the value, if the text at the place only names that preset
}

// String returns FILE:LINE:COLUMN, or "" for a Place without a line.
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

// places maps the fields of a document to their places. The place of a member is that
// of its name, and the place of a list element that of its value. The field "" is the
// document.
type places map[string]Place

// at returns the place of a field, or else of the innermost object or list around
// it that has one.
func (p places) at(field string) Place {
	for field != "" {
		if place, ok := p[field]; ok {
			return place
		}
		field = field[:max(strings.LastIndexAny(field, ".["), 0)]
	}
	return p[""]
}

// within reports whether a field is outer or lies inside it.
func within(field, outer string) bool {
	rest, ok := strings.CutPrefix(field, outer)
	return ok && (outer == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}

// replace replaces the places of a field, and of all fields inside it, with those in
// from.
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
