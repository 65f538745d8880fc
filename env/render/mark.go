package render

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// markSquares shows where the last ply went: a dashed frame where it began, a
// full one where it ended, an arrow between.
func (p *picture) markSquares() {
	for _, e := range p.options.Last {
		if e.Kind != env.Moved || !p.on(e.From) || !p.on(e.To) {
			continue
		}
		p.frame(int(e.From), ` stroke-dasharray="5 4"`)
		p.frame(int(e.To), "")
		x1, y1 := p.centre(int(e.From))
		x2, y2 := p.centre(int(e.To))
		p.add(`<path d="M%s %sL%s %s" stroke="%s" stroke-width="2.6" stroke-dasharray="0.1 6" stroke-linecap="round"/>`,
			number(x1), number(y1), number(x2), number(y2), accent)
		p.add(`<circle cx="%s" cy="%s" r="5" fill="none" stroke="%s" stroke-width="2.4"/>`, number(x1), number(y1), accent)
	}
}

func (p *picture) frame(square int, dashes string) {
	const inset = 2.2
	x, y := p.corner(square)
	p.add(`<rect x="%s" y="%s" width="%s" height="%s" fill="none" stroke="%s" stroke-width="2.6"%s/>`,
		number(x+inset), number(y+inset), number(cell-2*inset), number(cell-2*inset), accent, dashes)
}

// markTaken puts a cross into the corner of every square on which the last ply
// captured or destroyed something.
func (p *picture) markTaken() {
	for _, e := range p.options.Last {
		if (e.Kind == env.Captured || e.Kind == env.Destroyed) && p.on(e.To) {
			x, y := p.corner(int(e.To))
			p.cross(x+cell-8, y+8, taken, accent)
		}
	}
}

const taken = 4.0 // half the size of a cross over a capture

// cross draws an X of half size r with a halo.
func (p *picture) cross(x, y, r float64, colour string) {
	path := fmt.Sprintf("M%[1]s %[2]sL%[3]s %[4]sM%[3]s %[2]sL%[1]s %[4]s", number(x-r), number(y-r), number(x+r), number(y+r))
	p.add(`<path d="%s" stroke="%s" stroke-width="5.2" stroke-linecap="round"/>`, path, paper)
	p.add(`<path d="%s" stroke="%s" stroke-width="2.8" stroke-linecap="round"/>`, path, colour)
}

// markHouses rings the house where the last sowing began with dashes, the one
// where it ended with a full line, and crosses those that were captured.
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

func (p *picture) on(square int16) bool { return square >= 0 && int(square) < len(p.Cells) }
