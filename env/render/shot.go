package render

import (
	"fmt"
	"math"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/render/shape"
)

// shot draws a line from the muzzle to the target, with a burst at its end.
func (p *picture) shot(e env.Event) {
	if !p.on(e.From) || !p.on(e.To) || e.From == e.To {
		return
	}
	const near = 15.0 // distance of the burst from the middle of the target
	x1, y1 := p.centre(int(e.From))
	x2, y2 := p.centre(int(e.To))
	distance := math.Hypot(x2-x1, y2-y1)
	dx, dy := (x2-x1)/distance, (y2-y1)/distance
	start := muzzleTowards(dx, dy)
	x1, y1 = x1+start*dx, y1+start*dy
	x2, y2 = x2-near*dx, y2-near*dy
	for _, ray := range [...]struct {
		colour string
		width  float64
	}{{paper, 6.4}, {accent, 3.2}} {
		p.add(shape.Path{D: line(x1, y1, x2, y2), Paint: shape.Paint{shape.Stroke(ray.colour), shape.StrokeWidth(ray.width)}})
	}
	p.burst(x2, y2)
}

// muzzleTowards returns the distance of the muzzle from the middle of the square for
// a gun that points in a direction.
func muzzleTowards(dx, dy float64) float64 {
	if math.Abs(dx*dy) > 0.25 {
		return diagonalMuzzle
	}
	return straightMuzzle
}

// burst draws a star of eight rays.
func (p *picture) burst(x, y float64) {
	const long, short = 11.5, 4.8
	var path strings.Builder
	for ray := range 16 {
		radius := long
		if ray%2 == 1 {
			radius = short
		}
		px, py := polar(x, y, radius, float64(ray)/2)
		path.WriteString([...]string{"M", "L"}[min(ray, 1)] + number(px) + " " + number(py))
	}
	p.add(shape.Path{D: path.String() + "Z", Paint: shape.Paint{shape.Fill(accent), shape.Stroke(paper), shape.StrokeWidth(1.6), shape.RoundJoin()}})
}

// exitRoom is the space outside the board for the arrow of a piece that leaves it.
const exitRoom = 20.0

// exits returns the space that the last ply needs above and below the board.
func (p *picture) exits() (above, below float64) {
	for _, e := range p.options.Last {
		switch {
		case e.Kind != env.LeftBoard:
		case p.upwards(e.Player):
			above = exitRoom
		default:
			below = exitRoom
		}
	}
	return above, below
}

// upwards reports whether the home edge of a player's enemy is at the top of the picture.
func (p *picture) upwards(player env.Player) bool {
	return (player == env.First) != (p.options.View == env.Second)
}

// exit draws an arrow over the enemy's home edge.
func (p *picture) exit(e env.Event) {
	if !p.on(e.From) {
		return
	}
	const head = 9.0
	x, y := p.centre(int(e.From))
	tip, back := p.top-exitRoom+1, head
	if !p.upwards(e.Player) {
		tip, back = p.top+p.down*float64(p.Height)+exitRoom-1, -head
	}
	if route := p.options.Route; len(route) > 0 && p.on(route[len(route)-1]) {
		if way := p.way(); way != "" {
			p.dotted(way)
		}
		x, y = p.centre(int(route[len(route)-1]))
	}
	p.dots(x, y, x, tip+back)
	p.add(shape.Path{
		D:     fmt.Sprintf("M%s %sl%s %sh%sZ", number(x), number(tip), number(-head*0.75), number(back*1.3), number(head*1.5)),
		Paint: shape.Paint{shape.Fill(accent), shape.Stroke(paper), shape.StrokeWidth(1)},
	})
}
