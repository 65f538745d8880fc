package render

import "strings"

// coordinates draws the names of files and ranks.
func (p *picture) coordinates() {
	p.add(`<g font-size="%s" fill="%s" text-anchor="middle">`, number(p.textScale*(textSize-1)), soft)
	for x := range p.Width {
		cx, _ := p.centre(x)
		name := string(rune('a' + x))
		p.add(`<text x="%s" y="%s">%s</text>`, number(cx), number(p.top+cell*float64(p.Height)+p.below+p.textScale*14), name)
	}
	for y := range p.Height {
		_, cy := p.centre(y * p.Width)
		p.add(`<text x="%s" y="%s">%d</text>`, number(p.left-p.textScale*(gutter/2+1)), number(cy+p.textScale*4.2), y+1)
	}
	p.add(`</g>`)
}

// writings draws the legend and the captions under the board.
func (p *picture) writings() {
	y := p.top + p.down*float64(p.Height) + p.middle + p.below
	if p.Squares {
		y += p.textScale * gutter
	}
	y = p.drawLegend(y) + p.textScale*(skip+textSize)
	p.add(`<g font-size="%s" fill="%s">`, number(p.textScale*textSize), ink)
	for _, line := range p.Caption {
		for _, part := range p.wrap(line) {
			p.add(`<text x="%s" y="%s">%s</text>`, number(p.left), number(y), escape(part))
			y += p.textScale * lineSkip
		}
	}
	p.add(`</g>`)
}

// letters returns the width of a text of n letters, with some margin.
func (p *picture) letters(n int) float64 { return float64(n) * 0.62 * textSize * p.textScale }

// wrap splits a caption into lines that fit under the board.
func (p *picture) wrap(caption string) []string {
	room := int(p.across * float64(p.Width) / p.letters(1))
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
