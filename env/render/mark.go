package render

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/render/shape"
)

// markSquares draws the marks of the last ply that lie below the pieces: a dashed
// frame where it began, a solid frame where it ended, and dots between.
func (p *picture) markSquares() {
	for _, e := range p.options.Last {
		switch {
		case e.Kind == env.LeftBoard && p.on(e.From):
			p.frame(int(e.From), shape.Dashes("5 4"))
		case e.Kind != env.Moved || !p.on(e.From) || !p.on(e.To):
		case e.From == e.To:
			p.frame(int(e.To))
		default:
			p.frame(int(e.From), shape.Dashes("5 4"))
			p.frame(int(e.To))
			x1, y1 := p.centre(int(e.From))
			x2, y2 := p.centre(int(e.To))
			if way := p.way(); way != "" {
				p.dotted(way)
			} else {
				p.dots(x1, y1, x2, y2)
			}
			p.add(shape.Circle{X: x1, Y: y1, Radius: 5, Paint: shape.Paint{shape.Fill(shape.None), shape.Stroke(accent), shape.StrokeWidth(2.4)}})
		}
	}
}

// markAbove draws the marks of the last ply that lie above the pieces.
func (p *picture) markAbove() {
	for _, e := range p.options.Last {
		switch e.Kind {
		case env.Moved:
			if e.From == e.To && p.on(e.To) {
				p.turned(int(e.To))
			}
		case env.Captured, env.Destroyed:
			// A wreck has its own cross.
			if p.on(e.To) && !p.Cells[e.To].Wreck {
				x, y := p.corner(int(e.To))
				p.cross(x+cell-8, y+8, taken, accent)
			}
		case env.Fired:
			p.shot(e)
		case env.LeftBoard:
			p.exit(e)
		}
	}
}

// way returns the path along the squares of the route, empty without two of them.
func (p *picture) way() string {
	var path strings.Builder
	for i, square := range p.options.Route {
		if !p.on(square) {
			return ""
		}
		x, y := p.centre(int(square))
		path.WriteString([...]string{"M", "L"}[min(i, 1)] + number(x) + " " + number(y))
	}
	if len(p.options.Route) < 2 {
		return ""
	}
	return path.String()
}

func (p *picture) dots(x1, y1, x2, y2 float64) { p.dotted(line(x1, y1, x2, y2)) }

func (p *picture) dotted(path string) {
	p.add(shape.Path{D: path, Paint: shape.Paint{shape.Fill(shape.None), shape.Stroke(accent), shape.StrokeWidth(2.6), shape.Dashes("0.1 6"), shape.RoundCap()}})
}

func (p *picture) frame(square int, dashes ...shape.Property) {
	const inset = 2.2
	x, y := p.corner(square)
	p.add(shape.Rect{X: x + inset, Y: y + inset, Width: cell - 2*inset, Height: cell - 2*inset,
		Paint: append(shape.Paint{shape.Fill(shape.None), shape.Stroke(accent), shape.StrokeWidth(2.6)}, dashes...)})
}

// turned draws a round arrow in the corner of a square on which a piece turned without
// moving.
func (p *picture) turned(square int) {
	const radius = 5.5
	x, y := p.corner(square)
	x, y = x+cell-9, y+9
	p.add(shape.Circle{X: x, Y: y, Radius: radius + 4.5, Paint: shape.Paint{shape.Fill(paper)}})
	p.add(shape.Path{D: fmt.Sprintf("M%s %sa%[3]s %[3]s 0 1 1 %[3]s -%[3]s", number(x-radius), number(y), number(radius)),
		Paint: shape.Paint{shape.Fill(shape.None), shape.Stroke(accent), shape.StrokeWidth(2.4)}})
	p.add(shape.Path{D: fmt.Sprintf("M%s %sl6 4.5l-6 4.5Z", number(x-0.5), number(y-radius-4.5)), Paint: shape.Paint{shape.Fill(accent)}})
}

const taken = 4.0 // half the size of a cross over a capture

// cross draws an X of half size r with a halo.
func (p *picture) cross(x, y, r float64, colour string) {
	path := fmt.Sprintf("M%[1]s %[2]sL%[3]s %[4]sM%[3]s %[2]sL%[1]s %[4]s", number(x-r), number(y-r), number(x+r), number(y+r))
	p.add(shape.Path{D: path, Paint: shape.Paint{shape.Stroke(paper), shape.StrokeWidth(5.2), shape.RoundCap()}})
	p.add(shape.Path{D: path, Paint: shape.Paint{shape.Stroke(colour), shape.StrokeWidth(2.8), shape.RoundCap()}})
}

// on reports whether a square is on the board.
func (p *picture) on(square int16) bool { return square >= 0 && int(square) < len(p.Cells) }
