package render

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/render/shape"
)

const (
	bodyRadius  = 13.0
	nearestTip  = 17.5 // radius of a point with a reach of one square
	furthestTip = 21.5 // radius of the longest point on the board
	pointHalf   = 0.36 // half the base of a point, in eighths of a circle
	bluntHalf   = 0.10 // half the end of a blunt point, in eighths of a circle
)

// piece draws the piece of a cell around (x, y).
func (p *picture) piece(c env.Cell, x, y float64) {
	switch {
	case c.Wreck:
		p.wreck(c, x, y)
	case c.Faced:
		p.tank(c, x, y)
	default:
		p.star(c, x, y)
	}
}

// star draws a piece that has no facing.
func (p *picture) star(c env.Cell, x, y float64) {
	fill, line, letter := darkPiece, onDark, onDark
	if p.light(c.Owner) {
		fill, line, letter = lightPiece, onLight, onLight
	}
	outline := p.outline(c, x, y)
	size := 15.0
	if len(c.Symbol) > 1 {
		size = 23.0 / float64(len(c.Symbol))
	}
	p.add(shape.Group{Paint: shape.Paint{shape.RoundJoin()}, Shapes: []shape.Shape{
		// The halo separates dark pieces from dark ground.
		shape.Path{D: outline, Paint: shape.Paint{shape.Fill(paper), shape.Stroke(paper), shape.StrokeWidth(4.4)}},
		shape.Path{D: outline, Paint: shape.Paint{shape.Fill(fill), shape.Stroke(ink), shape.StrokeWidth(1.5)}},
		shape.Circle{X: x, Y: y, Radius: bodyRadius - 2.4, Paint: shape.Paint{shape.Fill(shape.None), shape.Stroke(line), shape.StrokeWidth(0.9)}},
		symbol(c.Symbol, x, y, size, letter),
	}})
}

// outline returns the body with a point for each direction, as one path clockwise
// from the top.
func (p *picture) outline(c env.Cell, x, y float64) string {
	if c.Spokes == 0 {
		return fmt.Sprintf("M%s %sA%[3]s %[3]s 0 1 1 %[4]s %[5]sA%[3]s %[3]s 0 1 1 %[1]s %[2]sZ", number(x), number(y-bodyRadius),
			number(bodyRadius), number(x), number(y+bodyRadius))
	}
	tip := nearestTip
	if p.furthest > 1 {
		tip += (furthestTip - nearestTip) * float64(c.Reach-1) / float64(p.furthest-1)
	}
	var path strings.Builder
	to := func(command string, radius, eighths float64) {
		px, py := polar(x, y, radius, eighths)
		fmt.Fprintf(&path, "%s%s %s", command, number(px), number(py))
	}
	arc := fmt.Sprintf("A%[1]s %[1]s 0 %%d 1 ", number(bodyRadius))
	last, first := -1.0, -1.0
	for eighth := range 8 {
		d := env.Direction(eighth)
		if c.Spokes>>p.seen(d)&1 == 0 {
			continue
		}
		at := float64(eighth)
		if last < 0 {
			first = at
			to("M", bodyRadius, at-pointHalf)
		} else {
			to(fmt.Sprintf(arc, long(at-last)), bodyRadius, at-pointHalf)
		}
		if p.light(c.Owner) {
			to("L", tip-1, at-bluntHalf)
			to("L", tip-1, at+bluntHalf)
		} else {
			to("L", tip, at)
		}
		to("L", bodyRadius, at+pointHalf)
		last = at
	}
	to(fmt.Sprintf(arc, long(first+8-last)), bodyRadius, first-pointHalf)
	path.WriteByte('Z')
	return path.String()
}

// long returns SVG's large-arc flag for the arc between two neighbouring points,
// given their angle in eighths of a circle.
func long(eighths float64) int {
	if eighths-2*pointHalf > 4 {
		return 1
	}
	return 0
}
