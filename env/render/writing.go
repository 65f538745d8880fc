package render

import "strings"

func (p *picture) coordinates() {
	p.add(`<g font-size="%s" fill="%s" text-anchor="middle">`, number(p.write*(textSize-1)), soft)
	for x := range p.Width {
		cx, _ := p.centre(x)
		name := string(rune('a' + x))
		p.add(`<text x="%s" y="%s">%s</text>`, number(cx), number(p.top+cell*float64(p.Height)+p.below+p.write*14), name)
	}
	for y := range p.Height {
		_, cy := p.centre(y * p.Width)
		p.add(`<text x="%s" y="%s">%d</text>`, number(p.left-p.write*(gutter/2+1)), number(cy+p.write*4.2), y+1)
	}
	p.add(`</g>`)
}

// writings puts the legend and the captions under the board.
func (p *picture) writings() {
	y := p.top + p.down*float64(p.Height) + p.middle + p.below
	if p.Squares {
		y += p.write * gutter
	}
	y = p.legends(y) + p.write*(skip+textSize)
	p.add(`<g font-size="%s" fill="%s">`, number(p.write*textSize), ink)
	for _, line := range p.Caption {
		for _, part := range p.wrap(line) {
			p.add(`<text x="%s" y="%s">%s</text>`, number(p.left), number(y), escape(part))
			y += p.write * lineSkip
		}
	}
	p.add(`</g>`)
}

// letters is the room for a text of n letters, reckoning with wide ones.
func (p *picture) letters(n int) float64 { return float64(n) * 0.62 * textSize * p.write }

// wrap breaks a caption into lines that fit under the board.
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
