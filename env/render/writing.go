package render

import (
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env/render/shape"
)

// coordinates draws the names of files and ranks.
func (p *picture) coordinates() {
	var names []shape.Shape
	for x := range p.Width {
		cx, _ := p.centre(x)
		name := string(rune('a' + x))
		names = append(names, shape.Text{X: cx, Y: p.top + cell*float64(p.Height) + p.below + p.textScale*14, Content: name})
	}
	for y := range p.Height {
		_, cy := p.centre(y * p.Width)
		names = append(names, shape.Text{X: p.left - p.textScale*(gutter/2+1), Y: cy + p.textScale*4.2, Content: strconv.Itoa(y + 1)})
	}
	p.add(shape.Group{Paint: shape.Paint{shape.FontSize(p.textScale * (textSize - 1)), shape.Fill(soft), shape.Middle()}, Shapes: names})
}

// writings draws the legend and the captions under the board.
func (p *picture) writings() {
	y := p.top + p.down*float64(p.Height) + p.middle + p.below
	if p.Squares {
		y += p.textScale * gutter
	}
	y = p.drawLegend(y) + p.textScale*(skip+textSize)
	var lines []shape.Shape
	for _, line := range p.Caption {
		for _, part := range p.wrap(line) {
			lines = append(lines, shape.Text{X: p.left, Y: y, Content: part})
			y += p.textScale * lineSkip
		}
	}
	p.add(shape.Group{Paint: shape.Paint{shape.FontSize(p.textScale * textSize), shape.Fill(ink)}, Shapes: lines})
}

// room returns the width of a text of n letters, with some margin.
func (p *picture) room(n int) float64 { return float64(n) * 0.62 * textSize * p.textScale }

// wrap splits a caption into lines that fit under the board.
func (p *picture) wrap(caption string) []string {
	room := int(p.across * float64(p.Width) / p.room(1))
	var lines []string
	line := ""
	for _, word := range strings.Fields(caption) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > room {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
