package render

import (
	"math"

	"github.com/sandtable-farm/sandtable/env"
)

// A piece with a facing is a tank seen from above. Coordinates are relative to the
// middle of its hull when it faces up.
const (
	sharpHull = "M-12 15V-7L0 -15.5L12 -7V15Z"
	bluntHull = "M-12 15V-7.5Q-12 -13.5 -6 -13.5H6Q12 -13.5 12 -7.5V15Z"
	tracks    = "M-16.5 -9.5Q-16.5 -12 -14 -12H-12V16H-14Q-16.5 16 -16.5 13.5ZM16.5 -9.5Q16.5 -12 14 -12H12V16H14Q16.5 16 16.5 13.5Z"
	treads    = "M-16.5 -7.5H-12M-16.5 -2.5H-12M-16.5 2.5H-12M-16.5 7.5H-12M-16.5 12.5H-12M12 -7.5H16.5M12 -2.5H16.5M12 2.5H16.5M12 7.5H16.5M12 12.5H16.5"

	hullBack       = 4.5  // distance by which the hull is set back for a straight gun
	straightMuzzle = 23.2 // distance of the muzzle from the middle of the square
	diagonalMuzzle = 31.0 // the same for a gun that points to a corner
)

// tank draws a piece with a facing around (x, y). Its symbol stays upright.
func (p *picture) tank(c env.Cell, x, y float64) {
	hull, fill, letter := sharpHull, ink, paper
	if p.light(c.Owner) {
		hull, fill, letter = bluntHull, paper, ink
	}
	facing := p.seen(c.Facing)
	length := diagonalMuzzle
	if facing%2 == 0 {
		x, y = polar(x, y, -hullBack, float64(facing))
		length = straightMuzzle + hullBack
	}
	p.add(`<g transform="translate(%s %s) rotate(%d)" stroke-linejoin="round">`, number(x), number(y), 45*int(facing))
	p.add(`<path d="%[1]sM-2 -14V%[2]sH2V-14Z%[3]s" fill="%[4]s" stroke="%[4]s" stroke-width="4.4"/>`, tracks, number(-length), hull, paper)
	p.add(`<path d="%s" fill="%s" stroke="%s" stroke-width="1.3"/>`, tracks, ink, ink)
	p.add(`<path d="%s" stroke="%s" stroke-width="1.1"/>`, treads, paper)
	p.add(`<path d="M-2.4 -10V%[1]sH-4V%[2]sH4V%[1]sH2.4V-10Z" fill="%[3]s"/>`, number(5-length), number(-length), ink)
	p.add(`<path d="%s" fill="%s" stroke="%s" stroke-width="1.5"/>`, hull, fill, ink)
	p.add(`</g>`)
	p.code(c.Symbol, x, y, fill, letter)
}

// code writes the symbol of a piece type, with a halo behind the letters.
func (p *picture) code(symbol string, x, y float64, halo, letter string) {
	sizes := [...]float64{20, 20, 16.5, 13, 10}
	size := sizes[min(len(symbol), len(sizes)-1)]
	for _, style := range [...]string{`fill="` + halo + `" stroke="` + halo + `" stroke-width="3" stroke-linejoin="round"`, `fill="` + letter + `"`} {
		p.add(`<text x="%s" y="%s" font-size="%s" font-weight="bold" text-anchor="middle" %s>%s</text>`,
			number(x), number(y+0.36*size), number(size), style, escape(symbol))
	}
}

// wreck fills a square, as an obstacle does, and crosses it out. A small disc in the
// middle shows owner and type.
func (p *picture) wreck(c env.Cell, x, y float64) {
	const arm, disc = cell/2 - 4, 12.0
	fill, letter := ink, paper
	if p.light(c.Owner) {
		fill, letter = paper, ink
	}
	left, top := x-cell/2, y-cell/2
	p.add(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`, number(left+1), number(top+1), number(cell-2), number(cell-2), burnt)
	p.cross(x, y, arm, ink)
	p.add(`<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s" stroke-width="1.4" stroke-dasharray="3 2"/>`,
		number(x), number(y), number(disc), fill, ink)
	size := math.Min(12, 21/float64(max(1, len(c.Symbol))))
	p.add(`<text x="%s" y="%s" font-size="%s" font-weight="bold" text-anchor="middle" fill="%s">%s</text>`,
		number(x), number(y+0.36*size), number(size), letter, escape(c.Symbol))
}

// light reports whether a player's pieces are light.
func (p *picture) light(owner env.Player) bool { return (owner == env.First) == p.FirstLight }
