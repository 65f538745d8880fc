package render

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/render/shape"
)

const (
	markedName = "marked square"
	wreckName  = "wreck"
)

// sign is an entry of a picture's legend.
type sign struct {
	name   string
	ground env.Ground
	marked bool
	wreck  bool
}

// legend returns the signs that need an explanation, in lines that fit under the
// board.
func (p *picture) legend() [][]sign {
	var lines [][]sign
	room := 0.0
	for _, s := range p.signs() {
		need := p.signRoom(s)
		if len(lines) == 0 || need > room {
			lines, room = append(lines, nil), p.across*float64(p.Width)
		}
		last := len(lines) - 1
		lines[last], room = append(lines[last], s), room-need
	}
	return lines
}

func (p *picture) signs() (list []sign) {
	grounds, marked, wreck := shown(&p.Diagram)
	for g, is := range grounds {
		if l := looks(env.Ground(g)); is && l.listed {
			list = append(list, sign{name: l.named(&p.Diagram), ground: env.Ground(g)})
		}
	}
	if marked {
		list = append(list, sign{name: markedName, marked: true})
	}
	if wreck {
		list = append(list, sign{name: wreckName, wreck: true})
	}
	return list
}

// shown returns what a board shows apart from pieces.
func shown(d *env.Diagram) (grounds [256]bool, marked, wreck bool) {
	for _, c := range d.Cells {
		grounds[c.Ground] = true
		marked = marked || c.Marked
		wreck = wreck || c.Wreck
	}
	return grounds, marked, wreck
}

// swatch returns the side of a square in the legend.
func (p *picture) swatch() float64 { return p.textScale * 15 }

func (p *picture) signRoom(s sign) float64 {
	return p.swatch() + p.textScale*6 + p.room(len([]rune(s.name))+1)
}

// drawLegend draws the legend from y downwards and returns the y at which it ends.
func (p *picture) drawLegend(y float64) float64 {
	for _, line := range p.legend() {
		x := p.left
		for _, s := range line {
			p.sign(s, x, y+p.textScale*4)
			p.add(shape.Text{X: x + p.swatch() + p.textScale*5, Y: y + p.textScale*(textSize+2.5),
				Paint: shape.Paint{shape.FontSize(p.textScale * (textSize - 1)), shape.Fill(ink)}, Content: s.name})
			x += p.signRoom(s)
		}
		y += p.textScale * lineSkip
	}
	return y
}

func (p *picture) sign(s sign, x, y float64) {
	side := p.swatch()
	p.ground(s.ground, x, y, side)
	switch {
	case s.marked:
		p.emblem(markedEmblem(), x, y, side)
	case s.wreck:
		p.add(shape.Rect{X: x, Y: y, Width: side, Height: side, Paint: shape.Paint{shape.Fill(burnt)}})
		p.add(shape.Path{D: fmt.Sprintf("M%[1]s %[2]sl%[3]s %[3]sm0 -%[3]sl-%[3]s %[3]s", number(x), number(y), number(side)),
			Paint: shape.Paint{shape.Stroke(ink), shape.StrokeWidth(p.textScale * 1.6)}})
	}
	p.add(shape.Rect{X: x, Y: y, Width: side, Height: side,
		Paint: shape.Paint{shape.Fill(shape.None), shape.Stroke(ink), shape.StrokeWidth(p.textScale * 0.8)}})
}
