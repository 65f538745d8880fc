package render

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// markSquares draws the marks of the last ply that lie below the pieces: a dashed
// frame where it began, a solid frame where it ended, and dots between.
func (p *picture) markSquares() {
	for _, e := range p.options.Last {
		switch {
		case e.Kind == env.LeftBoard && p.on(e.From):
			p.frame(int(e.From), ` stroke-dasharray="5 4"`)
		case e.Kind != env.Moved || !p.on(e.From) || !p.on(e.To):
		case e.From == e.To:
			p.frame(int(e.To), "")
		default:
			p.frame(int(e.From), ` stroke-dasharray="5 4"`)
			p.frame(int(e.To), "")
			x1, y1 := p.centre(int(e.From))
			x2, y2 := p.centre(int(e.To))
			p.dots(x1, y1, x2, y2)
			p.add(`<circle cx="%s" cy="%s" r="5" fill="none" stroke="%s" stroke-width="2.4"/>`, number(x1), number(y1), accent)
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

func (p *picture) dots(x1, y1, x2, y2 float64) {
	p.add(`<path d="M%s %sL%s %s" stroke="%s" stroke-width="2.6" stroke-dasharray="0.1 6" stroke-linecap="round"/>`,
		number(x1), number(y1), number(x2), number(y2), accent)
}

func (p *picture) frame(square int, dashes string) {
	const inset = 2.2
	x, y := p.corner(square)
	p.add(`<rect x="%s" y="%s" width="%s" height="%s" fill="none" stroke="%s" stroke-width="2.6"%s/>`,
		number(x+inset), number(y+inset), number(cell-2*inset), number(cell-2*inset), accent, dashes)
}

// turned draws a round arrow in the corner of a square on which a piece turned without
// moving.
func (p *picture) turned(square int) {
	const radius = 5.5
	x, y := p.corner(square)
	x, y = x+cell-9, y+9
	p.add(`<circle cx="%s" cy="%s" r="%s" fill="%s"/>`, number(x), number(y), number(radius+4.5), paper)
	p.add(`<path d="M%s %sa%[3]s %[3]s 0 1 1 %[4]s -%[3]s" fill="none" stroke="%[5]s" stroke-width="2.4"/>`,
		number(x-radius), number(y), number(radius), number(radius), accent)
	p.add(`<path d="M%s %sl6 4.5l-6 4.5Z" fill="%s"/>`, number(x-0.5), number(y-radius-4.5), accent)
}

const taken = 4.0 // half the size of a cross over a capture

// cross draws an X of half size r with a halo.
func (p *picture) cross(x, y, r float64, colour string) {
	path := fmt.Sprintf("M%[1]s %[2]sL%[3]s %[4]sM%[3]s %[2]sL%[1]s %[4]s", number(x-r), number(y-r), number(x+r), number(y+r))
	p.add(`<path d="%s" stroke="%s" stroke-width="5.2" stroke-linecap="round"/>`, path, paper)
	p.add(`<path d="%s" stroke="%s" stroke-width="2.8" stroke-linecap="round"/>`, path, colour)
}

// on reports whether a square is on the board.
func (p *picture) on(square int16) bool { return square >= 0 && int(square) < len(p.Cells) }
