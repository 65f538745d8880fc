package render

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/render/shape"
)

const (
	houseAcross = 60.0
	houseDown   = 80.0
	houseMiddle = 12.0 // between the two players' halves
	pitRadius   = 22.0
	pitRise     = 6.0 // distance of a pit above the middle of its cell
	seedRadius  = 4.2 // of a seed if there is space
	mostSeeds   = 60  // maximum number of seeds that are drawn; the number below the pit counts all seeds
)

// houses draws a board of houses. Each house has a pit with seeds, its name in the
// corner and the number of seeds below.
func (p *picture) houses() {
	p.add(shape.Rect{X: p.left, Y: p.top, Width: p.across * float64(p.Width), Height: p.down*float64(p.Height) + p.middle, Radius: 16,
		Paint: shape.Paint{shape.Fill(looks(env.House).fill), shape.Stroke(ink), shape.StrokeWidth(1.8)}})
	y := p.top + p.down*float64(p.Height)/2 + p.middle/2
	p.add(shape.Path{D: fmt.Sprintf("M%s %sH%s", number(p.left+14), number(y), number(p.left+p.across*float64(p.Width)-14)),
		Paint: shape.Paint{shape.Stroke(ink), shape.StrokeWidth(1.6), shape.Dashes("1 5"), shape.RoundCap()}})
	for i, c := range p.Cells {
		p.house(c, i)
	}
	p.markHouses()
}

func (p *picture) pit(i int) (x, y float64) {
	x, y = p.centre(i)
	return x, y - pitRise
}

func (p *picture) house(c env.Cell, i int) {
	x, y := p.pit(i)
	fill := plainFill
	if !p.light(c.Owner) {
		fill = pitFill
	}
	p.add(shape.Circle{X: x, Y: y, Radius: pitRadius, Paint: shape.Paint{shape.Fill(fill), shape.Stroke(ink), shape.StrokeWidth(1.3)}})
	p.seeds(c.Count, x, y)
	left, _ := p.corner(i)
	if !p.options.Bare {
		p.add(shape.Text{X: left + 5.5, Y: y - pitRadius + 3, Paint: shape.Paint{shape.FontSize(8.5), shape.Fill(soft)}, Content: c.Label})
	}
	if c.Count > 0 {
		p.add(shape.Text{X: x, Y: y + pitRadius + 14.5, Paint: letters(13, ink), Content: strconv.Itoa(c.Count)})
	}
}

// seeds draws n seeds in the pit around (x, y).
func (p *picture) seeds(n int, x, y float64) {
	if n <= 0 {
		return
	}
	n = min(n, mostSeeds)
	radius := min(seedRadius, 0.70*pitRadius/math.Sqrt(float64(n)))
	var dots []shape.Shape
	for i := range n {
		sx, sy := seed(i, n)
		dots = append(dots, shape.Circle{X: x + sx*(pitRadius-radius-1.5), Y: y + sy*(pitRadius-radius-1.5), Radius: radius})
	}
	p.add(shape.Group{Paint: shape.Paint{shape.Fill(ink), shape.Stroke(paper), shape.StrokeWidth(0.5)}, Shapes: dots})
}

// seed returns the position of seed i of n in a pit of radius 1. Up to five seeds
// form a ring, six and seven a ring with one in the middle, and more a sunflower
// spiral (Vogel 1979).
func seed(i, n int) (x, y float64) {
	const goldenAngle = 8 / (math.Phi * math.Phi) // in eighths of a circle
	switch {
	case n == 1:
		return 0, 0
	case n > 5 && n <= 7 && i == n-1:
		return 0, 0
	case n <= 7:
		ring, turn := n, 0.0
		if n > 5 {
			ring--
		} else if n%2 == 0 {
			turn = 0.5 // two side by side, four in a square
		}
		return polar(0, 0, 0.36+0.06*float64(ring), 8*(float64(i)+turn)/float64(ring))
	}
	return polar(0, 0, math.Sqrt((float64(i)+0.5)/float64(n)), goldenAngle*float64(i))
}

// markHouses marks the last ply: a dashed ring around the house where the sowing
// began, a solid ring around the one where it ended, and crosses over captured
// houses.
func (p *picture) markHouses() {
	first, last := int16(env.None), int16(env.None)
	for _, e := range p.options.Last {
		if e.Kind == env.Sown {
			if first == env.None {
				first = e.From
			}
			last = e.To
		}
	}
	for _, e := range p.options.Last {
		if e.Kind == env.Captured && p.on(e.To) {
			x, y := p.pit(int(e.To))
			p.cross(x, y, taken, accent)
		}
	}
	if p.on(first) {
		p.ring(int(first), shape.Dashes("5 4"))
	}
	if p.on(last) {
		p.ring(int(last))
	}
	p.laps()
}

// laps numbers the houses in which the laps of the last sowing began, in the upper right
// corner of the house.
func (p *picture) laps() {
	route := p.options.Route
	if len(route) < 2 || p.options.Bare {
		return
	}
	const (
		most    = 3 // numbers in a corner
		lapSize = 9.5
	)
	numbers := map[int16][]string{}
	var order []int16
	for lap, house := range route[:len(route)-1] {
		if !p.on(house) {
			return
		}
		if numbers[house] == nil {
			order = append(order, house)
		}
		switch list := numbers[house]; {
		case len(list) < most:
			numbers[house] = append(list, strconv.Itoa(lap+1))
		case len(list) == most:
			numbers[house] = append(list, "…")
		}
	}
	for _, house := range order {
		x, y := p.corner(int(house))
		text := strings.Join(numbers[house], ",")
		p.add(shape.Text{X: x + p.across - 4 - 2.7*float64(len([]rune(text))), Y: y + 12, Paint: letters(lapSize, accent), Content: text})
	}
}

func (p *picture) ring(house int, dashes ...shape.Property) {
	x, y := p.pit(house)
	p.add(shape.Circle{X: x, Y: y, Radius: pitRadius + 2.2,
		Paint: append(shape.Paint{shape.Fill(shape.None), shape.Stroke(accent), shape.StrokeWidth(2.6)}, dashes...)})
}
