package raster

import "math"

// miterLimit is the greatest length of a pointed corner, in line widths.
const miterLimit = 4

// A stroke draws lines as polygons that all turn the same way, so that their union is
// painted without holes.
type stroke struct {
	half     float64 // of the line width
	roundCap bool
	round    bool // joins
	scale    float64
	polygons [][]point
}

func (s *stroke) line(c contour) {
	points := distinct(c)
	n := len(points)
	if n < 2 {
		return
	}
	segments := n - 1
	if c.closed {
		segments = n
	}
	for i := range segments {
		s.segment(points[i], points[(i+1)%n])
	}
	for i := range n {
		if c.closed || i > 0 && i < n-1 {
			s.join(points[(i+n-1)%n], points[i], points[(i+1)%n])
		}
	}
	if !c.closed && s.roundCap {
		s.cap(points[1], points[0])
		s.cap(points[n-2], points[n-1])
	}
}

// distinct returns the points of a contour without those that equal their predecessor.
func distinct(c contour) []point {
	var points []point
	for _, p := range c.points {
		if len(points) == 0 || p != points[len(points)-1] {
			points = append(points, p)
		}
	}
	if n := len(points); c.closed && n > 1 && points[n-1] == points[0] {
		points = points[:n-1]
	}
	return points
}

// beside returns the vector of length half that points to the left of a line, as seen
// on the screen.
func (s *stroke) beside(from, to point) point {
	length := math.Hypot(to.x-from.x, to.y-from.y) / s.half
	return point{(to.y - from.y) / length, -(to.x - from.x) / length}
}

func (s *stroke) segment(from, to point) {
	v := s.beside(from, to)
	s.polygons = append(s.polygons, []point{
		{from.x + v.x, from.y + v.y}, {to.x + v.x, to.y + v.y}, {to.x - v.x, to.y - v.y}, {from.x - v.x, from.y - v.y},
	})
}

// join fills the outer side of a corner.
func (s *stroke) join(from, at, to point) {
	u, v := s.beside(from, at), s.beside(at, to)
	cross, dot := u.x*v.y-u.y*v.x, u.x*v.x+u.y*v.y
	turn := math.Atan2(cross, dot)
	if math.Abs(turn) < 1e-6 {
		return
	}
	if turn < 0 { // a turn to the left: the outer side is on the right
		u, v = point{-v.x, -v.y}, point{-u.x, -u.y}
		turn = -turn
	}
	polygon := []point{at, {at.x + u.x, at.y + u.y}}
	switch tip := 1 / math.Cos(turn/2); {
	case s.round:
		polygon = append(polygon, s.between(at, u, turn)...)
	case tip <= miterLimit && turn < math.Pi-1e-6:
		length := tip / (2 * math.Cos(turn/2))
		polygon = append(polygon, point{at.x + (u.x+v.x)*length, at.y + (u.y+v.y)*length})
	}
	s.polygons = append(s.polygons, append(polygon, point{at.x + v.x, at.y + v.y}))
}

// cap ends a line with half a disc.
func (s *stroke) cap(from, at point) {
	v := s.beside(from, at)
	polygon := append([]point{{at.x + v.x, at.y + v.y}}, s.between(at, v, math.Pi)...)
	s.polygons = append(s.polygons, append(polygon, point{at.x - v.x, at.y - v.y}))
}

// between returns the inner points of the arc around a point that begins at a vector and
// turns clockwise.
func (s *stroke) between(at, v point, turn float64) (points []point) {
	steps := arcSteps(s.half*s.scale, turn)
	for i := 1; i < steps; i++ {
		sin, cos := math.Sincos(turn * float64(i) / float64(steps))
		points = append(points, point{at.x + v.x*cos - v.y*sin, at.y + v.x*sin + v.y*cos})
	}
	return points
}

// dashed splits a contour into dashes. Lengths alternate between dashes and gaps.
func dashed(c contour, lengths []float64) (dashes []contour) {
	points := c.points
	if c.closed {
		points = append(points[:len(points):len(points)], points[0])
	}
	index, left := 0, lengths[0]
	dash := []point{points[0]}
	for i := 1; i < len(points); i++ {
		from, to := points[i-1], points[i]
		length := math.Hypot(to.x-from.x, to.y-from.y)
		done := 0.0
		for length-done > left {
			done += left
			at := point{from.x + (to.x-from.x)*done/length, from.y + (to.y-from.y)*done/length}
			if index%2 == 0 {
				dashes = append(dashes, contour{points: append(dash, at)})
			}
			dash = []point{at}
			index++
			left = lengths[index%len(lengths)]
		}
		left -= length - done
		if index%2 == 0 {
			dash = append(dash, to)
		}
	}
	if index%2 == 0 {
		dashes = append(dashes, contour{points: dash})
	}
	return dashes
}
