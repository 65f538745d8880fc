package render

import (
	"fmt"
	"math"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/render/shape"
)

// A piece with a facing is a tank seen from above. Coordinates are relative to the
// middle of its hull when it faces up.
const (
	hullBack       = 4.5  // distance by which the hull is set back for a straight gun
	straightMuzzle = 23.2 // distance of the muzzle from the middle of the square
	diagonalMuzzle = 31.0 // the same for a gun that points to a corner

	turretBack   = 2.0 // distance of the turret behind the middle of the hull
	turretRadius = 10.0
	commandSign  = "M0 8.2L4.2 11.4L0 14.6L-4.2 11.4Z" // a diamond behind the letters
)

// hullHalf returns half the width of a hull: more front armour makes it wider.
func hullHalf(armour int) float64 { return [...]float64{10, 10, 12, 14}[min(max(armour, 0), 3)] }

// hullOf returns the outlines of a hull and of its tracks. The hull of a light piece is
// blunt.
func hullOf(armour int, light bool) (hull, tracks string) {
	w := number(hullHalf(armour))
	hull = fmt.Sprintf("M-%[1]s 15V-7L0 -15.5L%[1]s -7V15Z", w)
	if light {
		corner := number(hullHalf(armour) - 6)
		hull = fmt.Sprintf("M-%[1]s 15V-7.5Q-%[1]s -13.5 -%[2]s -13.5H%[2]sQ%[1]s -13.5 %[1]s -7.5V15Z", w, corner)
	}
	mid, out := number(hullHalf(armour)+2), number(hullHalf(armour)+4.5)
	tracks = fmt.Sprintf("M-%[3]s -9.5Q-%[3]s -12 -%[2]s -12H-%[1]sV16H-%[2]sQ-%[3]s 16 -%[3]s 13.5Z"+
		"M%[3]s -9.5Q%[3]s -12 %[2]s -12H%[1]sV16H%[2]sQ%[3]s 16 %[3]s 13.5Z", w, mid, out)
	return hull, tracks
}

func treadsOf(armour int) string {
	in, out := number(hullHalf(armour)), number(hullHalf(armour)+4.5)
	var path strings.Builder
	for _, side := range [...][2]string{{"-" + out, "-" + in}, {in, out}} {
		for y := -7.5; y < 15; y += 5 {
			fmt.Fprintf(&path, "M%s %sH%s", side[0], number(y), side[1])
		}
	}
	return path.String()
}

// gunOf returns the outline of a gun with the given length: a barrel with a muzzle, a
// thick barrel with two muzzles for a gun that fires in one direction, a short wide tube
// for one that fires over things, and an empty path without a gun.
func gunOf(build env.Build, length float64) string {
	tip, back := number(-length), number(5-length)
	switch {
	case build.Arcs == 0:
		return ""
	case build.Indirect:
		return fmt.Sprintf("M-6 -10V%[1]sH6V-10Z", number(2-length))
	case build.Arcs == 1:
		return fmt.Sprintf("M-3 -10V%[1]sH-6V%[2]sH6V%[1]sH3V-10Z", number(4-length), tip)
	}
	return fmt.Sprintf("M-2.4 -10V%[1]sH-4V%[2]sH4V%[1]sH2.4V-10Z", back, tip)
}

// tank draws a piece with a facing around (x, y). Its symbol stays upright.
func (p *picture) tank(c env.Cell, x, y float64) {
	fill, letter := darkPiece, onDark
	if p.light(c.Owner) {
		fill, letter = lightPiece, onLight
	}
	build := env.Build{Armour: 2, Arcs: 3}
	if c.Build != nil {
		build = *c.Build
	}
	hull, sides := hullOf(build.Armour, p.light(c.Owner))
	facing := p.seen(c.Facing)
	length := diagonalMuzzle
	if facing%2 == 0 {
		x, y = polar(x, y, -hullBack, float64(facing))
		length = straightMuzzle + hullBack
	}
	shapes := []shape.Shape{
		shape.Path{D: fmt.Sprintf("%sM-2 -14V%sH2V-14Z%s", sides, number(-length), hull),
			Paint: shape.Paint{shape.Fill(paper), shape.Stroke(paper), shape.StrokeWidth(4.4)}},
		shape.Path{D: sides, Paint: shape.Paint{shape.Fill(ink), shape.Stroke(ink), shape.StrokeWidth(1.3)}},
		shape.Path{D: treadsOf(build.Armour), Paint: shape.Paint{shape.Stroke(paper), shape.StrokeWidth(1.1)}},
	}
	if gun := gunOf(build, length); gun != "" {
		shapes = append(shapes, shape.Path{D: gun, Paint: shape.Paint{shape.Fill(ink)}})
	}
	shapes = append(shapes, shape.Path{D: hull, Paint: shape.Paint{shape.Fill(fill), shape.Stroke(ink), shape.StrokeWidth(1.5)}})
	if build.Arcs > 1 {
		shapes = append(shapes, shape.Circle{Y: turretBack, Radius: turretRadius, Paint: shape.Paint{shape.Fill(shape.None), shape.Stroke(letter), shape.StrokeWidth(0.9)}})
	}
	if build.Command {
		shapes = append(shapes, shape.Path{D: commandSign, Paint: shape.Paint{shape.Fill(letter)}})
	}
	p.add(shape.Group{Place: &shape.Place{X: x, Y: y, Degrees: 45 * int(facing)}, Paint: shape.Paint{shape.RoundJoin()}, Shapes: shapes})
	if c.Symbol != "" {
		p.code(c.Symbol, x, y, fill, letter)
	}
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
	fill, letter := darkPiece, onDark
	if p.light(c.Owner) {
		fill, letter = lightPiece, onLight
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
