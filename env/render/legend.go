package render

import (
	"fmt"
	"slices"

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
	laps   bool
	piece  *env.Cell // a piece of the type
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
	for _, piece := range p.Pieces {
		if i := slices.IndexFunc(p.Cells, func(c env.Cell) bool { return c.Symbol == piece.Symbol && !c.Wreck }); i >= 0 {
			list = append(list, sign{name: piece.Symbol + " " + piece.Name, piece: &p.Cells[i]})
		}
	}
	if !p.Squares && len(p.options.Route) > 1 {
		list = append(list, sign{name: "laps begin", laps: true})
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
	if s.laps {
		p.add(shape.Text{X: x + side/2, Y: y + side*0.75, Content: "1,2", Paint: letters(p.textScale*9.5, accent)})
		return
	}
	if s.piece != nil {
		p.pieceSign(*s.piece, x+side/2, y+side/2)
		return
	}
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

// pieceSign draws a small piece around (x, y) without its symbol, which follows in the
// legend. A tank faces up.
func (p *picture) pieceSign(c env.Cell, x, y float64) {
	board := p.shapes
	p.shapes = nil
	c.Symbol = ""
	if c.Facing = env.N; p.options.View == env.Second {
		c.Facing = env.S
	}
	p.piece(c, 0, 0)
	small := p.shapes
	p.shapes = append(board, shape.Group{Place: &shape.Place{X: x, Y: y, Scale: p.swatch() * 1.1 / cell}, Shapes: small, Inline: true})
}
