package raster

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env/render/shape"
)

// style holds the properties of a shape, its groups' included.
type style struct {
	fill, stroke               string
	fillOpacity, strokeOpacity float64
	width                      float64
	dashes                     string
	roundCap, roundJoin        bool
	fontSize                   float64
	bold, middle               bool
}

func defaults() style {
	return style{fill: "#000000", stroke: shape.None, fillOpacity: 1, strokeOpacity: 1, width: 1, fontSize: 16}
}

// with returns the style with properties that take precedence.
func (s style) with(paint shape.Paint) (style, error) {
	for _, p := range paint {
		switch p.Name {
		case shape.NameFill:
			s.fill = p.Text
		case shape.NameFillOpacity:
			s.fillOpacity = p.Number
		case shape.NameStroke:
			s.stroke = p.Text
		case shape.NameStrokeOpacity:
			s.strokeOpacity = p.Number
		case shape.NameStrokeWidth:
			s.width = shape.Round(p.Number)
		case shape.NameDashes:
			s.dashes = p.Text
		case shape.NameCap:
			s.roundCap = p.Text == "round"
		case shape.NameJoin:
			s.roundJoin = p.Text == "round"
		case shape.NameFontSize:
			s.fontSize = shape.Round(p.Number)
		case shape.NameFontWeight:
			s.bold = p.Text == "bold"
		case shape.NameAnchor:
			s.middle = p.Text == "middle"
		default:
			return s, fmt.Errorf("unknown property %q", p.Name)
		}
	}
	return s, nil
}

// painter paints shapes on a canvas.
type painter struct {
	canvas   *canvas
	fonts    *fonts
	patterns []shape.Pattern
}

func (t *painter) paint(s shape.Shape, style style, m matrix) error {
	return t.visit(s, style, m, t.paintContours)
}

// visit calls f with the contours of a shape, or of each shape of a group.
func (t *painter) visit(s shape.Shape, style style, m matrix, f func([]contour, style, matrix) error) error {
	n := &pen{scale: m.scale()}
	var err error
	switch s := s.(type) {
	case shape.Group:
		return t.visitGroup(s, style, m, f)
	case shape.Path:
		if style, err = style.with(s.Paint); err == nil {
			err = n.follow(s.D)
		}
	case shape.Rect:
		style, err = style.with(s.Paint)
		n.rect(shape.Round(s.X), shape.Round(s.Y), shape.Round(s.Width), shape.Round(s.Height), shape.Round(s.Radius))
	case shape.Circle:
		style, err = style.with(s.Paint)
		n.circle(point{shape.Round(s.X), shape.Round(s.Y)}, shape.Round(s.Radius))
	case shape.Text:
		if style, err = style.with(s.Paint); err == nil {
			err = t.fonts.outlines(n, s.Content, point{shape.Round(s.X), shape.Round(s.Y)}, style.fontSize, style.bold, style.middle)
		}
	default:
		err = fmt.Errorf("unknown shape %T", s)
	}
	if err != nil {
		return err
	}
	return f(n.contours, style, m)
}

func (t *painter) visitGroup(g shape.Group, style style, m matrix, f func([]contour, style, matrix) error) error {
	style, err := style.with(g.Paint)
	if err != nil {
		return err
	}
	if at := g.Place; at != nil {
		m = m.then(matrix{1, 0, 0, 1, shape.Round(at.X), shape.Round(at.Y)})
		if at.Scale != 0 {
			m = m.then(matrix{a: shape.Round(at.Scale), d: shape.Round(at.Scale)})
		} else {
			sin, cos := math.Sincos(float64(at.Degrees) * math.Pi / 180)
			m = m.then(matrix{cos, sin, -sin, cos, 0, 0})
		}
	}
	for _, s := range g.Shapes {
		if err := t.visit(s, style, m, f); err != nil {
			return err
		}
	}
	return nil
}

// rect draws a rectangle clockwise, with round corners if radius is not 0.
func (n *pen) rect(x, y, width, height, radius float64) {
	right, bottom := x+width, y+height
	n.moveTo(point{x + radius, y})
	n.lineTo(point{right - radius, y})
	if radius > 0 {
		n.arc(point{right - radius, y + radius}, radius, -math.Pi/2, math.Pi/2)
	}
	n.lineTo(point{right, bottom - radius})
	if radius > 0 {
		n.arc(point{right - radius, bottom - radius}, radius, 0, math.Pi/2)
	}
	n.lineTo(point{x + radius, bottom})
	if radius > 0 {
		n.arc(point{x + radius, bottom - radius}, radius, math.Pi/2, math.Pi/2)
	}
	n.lineTo(point{x, y + radius})
	if radius > 0 {
		n.arc(point{x + radius, y + radius}, radius, math.Pi, math.Pi/2)
	}
	n.close()
}

func (n *pen) circle(centre point, radius float64) {
	n.moveTo(point{centre.x + radius, centre.y})
	n.arc(centre, radius, 0, 2*math.Pi)
	n.close()
}

// paintContours paints the area and the outline of a shape.
func (t *painter) paintContours(contours []contour, s style, m matrix) error {
	if id, is := strings.CutPrefix(s.fill, "url(#"); is {
		return t.fillPattern(contours, strings.TrimSuffix(id, ")"), m)
	}
	area, err := areaOf(contours, s, m)
	if err != nil {
		return err
	}
	outline, err := outlineOf(contours, s, m)
	if err != nil {
		return err
	}
	for _, l := range [...]layer{area, outline} {
		t.canvas.fill(l.polygons, l.colour)
	}
	return nil
}

// A layer is what one colour paints, in pixels.
type layer struct {
	polygons [][]point
	colour   color.NRGBA
}

func areaOf(contours []contour, s style, m matrix) (layer, error) {
	if s.fill == shape.None {
		return layer{}, nil
	}
	colour, err := parseColour(s.fill, s.fillOpacity)
	var polygons [][]point
	for _, c := range contours {
		polygons = append(polygons, c.points)
	}
	return layer{m.ofAll(polygons), colour}, err
}

func outlineOf(contours []contour, s style, m matrix) (layer, error) {
	if s.stroke == shape.None {
		return layer{}, nil
	}
	colour, err := parseColour(s.stroke, s.strokeOpacity)
	if err != nil {
		return layer{}, err
	}
	lines := contours
	if s.dashes != "" {
		lengths, err := dashLengths(s.dashes)
		if err != nil {
			return layer{}, err
		}
		lines = nil
		for _, c := range contours {
			lines = append(lines, dashed(c, lengths)...)
		}
	}
	k := stroke{half: s.width / 2, roundCap: s.roundCap, round: s.roundJoin, scale: m.scale()}
	for _, c := range lines {
		k.line(c)
	}
	return layer{m.ofAll(k.polygons), colour}, nil
}

// ofAll returns the polygons in pixels.
func (m matrix) ofAll(polygons [][]point) [][]point {
	mapped := make([][]point, len(polygons))
	for i, polygon := range polygons {
		mapped[i] = make([]point, len(polygon))
		for j, p := range polygon {
			mapped[i][j] = m.of(p)
		}
	}
	return mapped
}

func dashLengths(text string) (lengths []float64, err error) {
	sum := 0.0
	for word := range strings.FieldsSeq(text) {
		length, err := strconv.ParseFloat(word, 64)
		if err != nil || length < 0 {
			return nil, fmt.Errorf("dashes %q must be lengths", text)
		}
		lengths, sum = append(lengths, length), sum+length
	}
	if len(lengths)%2 != 0 || sum == 0 {
		return nil, fmt.Errorf("dashes %q must be pairs of a dash and a gap", text)
	}
	return lengths, nil
}

func parseColour(text string, opacity float64) (color.NRGBA, error) {
	value, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	if err != nil || len(text) != len("#rrggbb") {
		return color.NRGBA{}, fmt.Errorf("colour is %q, must be #rrggbb", text)
	}
	return color.NRGBA{R: uint8(value >> 16), G: uint8(value >> 8), B: uint8(value), A: uint8(opacity*255 + 0.5)}, nil
}
