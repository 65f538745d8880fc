package render

import (
	"fmt"
	"math"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/render/shape"
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
	outline := fmt.Sprintf("%sM-2 -14V%sH2V-14Z%s", tracks, number(-length), hull)
	gun := fmt.Sprintf("M-2.4 -10V%[1]sH-4V%[2]sH4V%[1]sH2.4V-10Z", number(5-length), number(-length))
	p.add(shape.Group{Place: &shape.Place{X: x, Y: y, Degrees: 45 * int(facing)}, Paint: shape.Paint{shape.RoundJoin()}, Shapes: []shape.Shape{
		shape.Path{D: outline, Paint: shape.Paint{shape.Fill(paper), shape.Stroke(paper), shape.StrokeWidth(4.4)}},
		shape.Path{D: tracks, Paint: shape.Paint{shape.Fill(ink), shape.Stroke(ink), shape.StrokeWidth(1.3)}},
		shape.Path{D: treads, Paint: shape.Paint{shape.Stroke(paper), shape.StrokeWidth(1.1)}},
		shape.Path{D: gun, Paint: shape.Paint{shape.Fill(ink)}},
		shape.Path{D: hull, Paint: shape.Paint{shape.Fill(fill), shape.Stroke(ink), shape.StrokeWidth(1.5)}},
	}})
	p.code(c.Symbol, x, y, fill, letter)
}

// code writes the symbol of a piece type, with a halo behind the letters.
func (p *picture) code(code string, x, y float64, halo, letter string) {
	sizes := [...]float64{20, 20, 16.5, 13, 10}
	size := sizes[min(len(code), len(sizes)-1)]
	p.add(symbol(code, x, y, size, halo, shape.Stroke(halo), shape.StrokeWidth(3), shape.RoundJoin()))
	p.add(symbol(code, x, y, size, letter))
}

// symbol returns the symbol of a piece type with its middle at (x, y).
func symbol(code string, x, y, size float64, colour string, outline ...shape.Property) shape.Text {
	return shape.Text{X: x, Y: y + 0.36*size, Paint: append(letters(size, colour), outline...), Content: code}
}

// letters returns the paint of bold letters around a point.
func letters(size float64, colour string) shape.Paint {
	return shape.Paint{shape.FontSize(size), shape.Bold(), shape.Middle(), shape.Fill(colour)}
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
	p.add(shape.Rect{X: left + 1, Y: top + 1, Width: cell - 2, Height: cell - 2, Paint: shape.Paint{shape.Fill(burnt)}})
	p.cross(x, y, arm, ink)
	p.add(shape.Circle{X: x, Y: y, Radius: disc, Paint: shape.Paint{shape.Fill(fill), shape.Stroke(ink), shape.StrokeWidth(1.4), shape.Dashes("3 2")}})
	size := math.Min(12, 21/float64(max(1, len(c.Symbol))))
	p.add(symbol(c.Symbol, x, y, size, letter))
}

// light reports whether a player's pieces are light.
func (p *picture) light(owner env.Player) bool { return (owner == env.First) == p.FirstLight }
