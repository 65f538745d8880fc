package raster

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A contour is a line through points, closed if its end is joined to its beginning.
type contour struct {
	points []point
	closed bool
}

// pen follows a path and makes contours of it. Curves become lines whose distance from
// the curve is invisible at the pen's scale.
type pen struct {
	scale    float64
	contours []contour
	control  point // of the last quadratic curve, for T
}

// flatness is the greatest distance of a line from the curve that it replaces, in pixels.
const flatness = 0.05

func (n *pen) at() point {
	last := n.contours[len(n.contours)-1]
	if last.closed {
		return last.points[0]
	}
	return last.points[len(last.points)-1]
}

func (n *pen) moveTo(p point) { n.contours = append(n.contours, contour{points: []point{p}}) }

func (n *pen) lineTo(p point) {
	if n.contours[len(n.contours)-1].closed {
		n.moveTo(n.at())
	}
	last := &n.contours[len(n.contours)-1]
	last.points = append(last.points, p)
}

func (n *pen) close() { n.contours[len(n.contours)-1].closed = true }

// quadTo draws a quadratic Bézier curve.
func (n *pen) quadTo(c, to point) {
	from := n.at()
	bend := math.Hypot(from.x-2*c.x+to.x, from.y-2*c.y+to.y)
	steps := int(math.Ceil(math.Sqrt(bend * n.scale / (4 * flatness))))
	for i := 1; i < steps; i++ {
		t := float64(i) / float64(steps)
		u := 1 - t
		n.lineTo(point{u*u*from.x + 2*u*t*c.x + t*t*to.x, u*u*from.y + 2*u*t*c.y + t*t*to.y})
	}
	n.lineTo(to)
	n.control = c
}

// arcTo draws the arc of a circle. If the circle is too small to reach the end, it grows.
func (n *pen) arcTo(radius float64, large, clockwise bool, to point) {
	from := n.at()
	half := point{(to.x - from.x) / 2, (to.y - from.y) / 2}
	chord := math.Hypot(half.x, half.y)
	if chord == 0 {
		return
	}
	radius = max(radius, chord)
	side := math.Sqrt(max(0, radius*radius-chord*chord)) / chord
	if large == clockwise {
		side = -side
	}
	centre := point{from.x + half.x - side*half.y, from.y + half.y + side*half.x}
	begin := math.Atan2(from.y-centre.y, from.x-centre.x)
	sweep := math.Mod(math.Atan2(to.y-centre.y, to.x-centre.x)-begin, 2*math.Pi)
	if clockwise && sweep < 0 {
		sweep += 2 * math.Pi
	} else if !clockwise && sweep > 0 {
		sweep -= 2 * math.Pi
	}
	n.arc(centre, radius, begin, sweep)
	last := n.contours[len(n.contours)-1].points
	last[len(last)-1] = to
}

// arc draws the arc around a centre that begins at an angle in radians, clockwise if
// sweep is positive.
func (n *pen) arc(centre point, radius, begin, sweep float64) {
	steps := arcSteps(radius*n.scale, sweep)
	for i := 1; i <= steps; i++ {
		sin, cos := math.Sincos(begin + sweep*float64(i)/float64(steps))
		n.lineTo(point{centre.x + radius*cos, centre.y + radius*sin})
	}
}

// arcSteps returns the number of lines that replace an arc with a radius in pixels.
func arcSteps(radius, sweep float64) int {
	step := 2 * math.Acos(max(0, 1-flatness/max(radius, flatness)))
	return max(1, int(math.Ceil(math.Abs(sweep)/step)))
}

// arguments are the numbers that a command of a path takes.
var arguments = map[byte]int{'M': 2, 'L': 2, 'H': 1, 'V': 1, 'Q': 4, 'T': 2, 'A': 7, 'Z': 0}

// follow draws a path in SVG's syntax.
func (n *pen) follow(d string) error {
	rest := strings.TrimLeft(d, " ")
	for rest != "" {
		letter := rest[0]
		command, relative := letter, false
		if letter >= 'a' {
			command, relative = letter-'a'+'A', true
		}
		count, known := arguments[command]
		if !known || len(n.contours) == 0 && command != 'M' {
			return fmt.Errorf("path %q: unexpected %q", d, letter)
		}
		rest = rest[1:]
		for again := true; again; again = count > 0 && rest != "" && !isLetter(rest[0]) {
			var v [7]float64
			var err error
			if rest, err = numbers(rest, v[:count]); err != nil {
				return fmt.Errorf("path %q: %w", d, err)
			}
			if err := n.command(command, relative, v); err != nil {
				return fmt.Errorf("path %q: %w", d, err)
			}
		}
	}
	return nil
}

func (n *pen) command(command byte, relative bool, v [7]float64) error {
	var at, from point
	if len(n.contours) > 0 {
		at = n.at()
	}
	if relative {
		from = at
	}
	absolute := func(i int) point { return point{from.x + v[i], from.y + v[i+1]} }
	mirrored := point{2*at.x - n.control.x, 2*at.y - n.control.y}
	n.control = at
	switch command {
	case 'M':
		n.moveTo(absolute(0))
	case 'L':
		n.lineTo(absolute(0))
	case 'H':
		n.lineTo(point{from.x + v[0], at.y})
	case 'V':
		n.lineTo(point{at.x, from.y + v[0]})
	case 'Q':
		n.quadTo(absolute(0), absolute(2))
	case 'T':
		n.quadTo(mirrored, absolute(0))
	case 'A':
		if v[0] != v[1] || v[2] != 0 {
			return fmt.Errorf("arc with radii %v and %v, turned by %v, is not part of a circle", v[0], v[1], v[2])
		}
		n.arcTo(v[0], v[3] != 0, v[4] != 0, absolute(5))
	case 'Z':
		n.close()
	}
	if command != 'Q' && command != 'T' {
		n.control = n.at()
	}
	return nil
}

// numbers reads numbers from the beginning of a text and returns the rest.
func numbers(text string, into []float64) (rest string, err error) {
	for i := range into {
		text = strings.TrimLeft(text, " ,")
		end := 0
		for end < len(text) && (text[end] >= '0' && text[end] <= '9' || text[end] == '.' || end == 0 && text[end] == '-') {
			end++
		}
		if into[i], err = strconv.ParseFloat(text[:end], 64); err != nil {
			return "", err
		}
		text = text[end:]
	}
	return strings.TrimLeft(text, " ,"), nil
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
