package render

import (
	"math"

	"github.com/sandtable-farm/sandtable/env"
)

const (
	houseAcross = 60.0
	houseDown   = 72.0
	houseMiddle = 12.0 // between the two players' halves
	pitRadius   = 22.0
	pitRise     = 4.0 // distance of a pit above the middle of its cell
	seedRadius  = 4.2 // of a seed if there is space
	mostSeeds   = 60  // maximum number of seeds that are drawn; the number below the pit counts all seeds
)

// houses draws a board of houses. Each house has a pit with seeds, its name in the
// corner and the number of seeds below.
func (p *picture) houses() {
	p.add(`<rect x="%s" y="%s" width="%s" height="%s" rx="16" fill="%s" stroke="%s" stroke-width="1.8"/>`, number(p.left), number(p.top),
		number(p.across*float64(p.Width)), number(p.down*float64(p.Height)+p.middle), looks(env.House).fill, ink)
	y := p.top + p.down*float64(p.Height)/2 + p.middle/2
	p.add(`<path d="M%s %sH%s" stroke="%s" stroke-width="1.6" stroke-dasharray="1 5" stroke-linecap="round"/>`,
		number(p.left+14), number(y), number(p.left+p.across*float64(p.Width)-14), ink)
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
	fill := "#fbfaf7"
	if !p.light(c.Owner) {
		fill = "#cfcabd"
	}
	p.add(`<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s" stroke-width="1.3"/>`, number(x), number(y), number(pitRadius), fill, ink)
	p.seeds(c.Count, x, y)
	left, _ := p.corner(i)
	if !p.options.Bare {
		p.add(`<text x="%s" y="%s" font-size="8.5" fill="%s">%s</text>`, number(left+5.5), number(y-pitRadius+3), soft, escape(c.Label))
	}
	if c.Count > 0 {
		p.add(`<text x="%s" y="%s" font-size="13" font-weight="bold" text-anchor="middle" fill="%s">%d</text>`,
			number(x), number(y+pitRadius+14.5), ink, c.Count)
	}
}

// seeds draws n seeds in the pit around (x, y).
func (p *picture) seeds(n int, x, y float64) {
	if n <= 0 {
		return
	}
	n = min(n, mostSeeds)
	radius := min(seedRadius, 0.70*pitRadius/math.Sqrt(float64(n)))
	p.add(`<g fill="%s" stroke="%s" stroke-width="0.5">`, ink, paper)
	for i := range n {
		sx, sy := seed(i, n)
		p.add(`<circle cx="%s" cy="%s" r="%s"/>`, number(x+sx*(pitRadius-radius-1.5)), number(y+sy*(pitRadius-radius-1.5)), number(radius))
	}
	p.add(`</g>`)
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
		p.ring(int(first), ` stroke-dasharray="5 4"`)
	}
	if p.on(last) {
		p.ring(int(last), "")
	}
}

func (p *picture) ring(house int, dashes string) {
	x, y := p.pit(house)
	p.add(`<circle cx="%s" cy="%s" r="%s" fill="none" stroke="%s" stroke-width="2.6"%s/>`, number(x), number(y), number(pitRadius+2.2), accent, dashes)
}
