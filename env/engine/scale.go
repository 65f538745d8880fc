package engine

import "fmt"

// A Scale says how a number from 0 to the scale stands in an observation plane:
// unchanged when the scale is at most 255, and otherwise in units of scale/255,
// rounded down. A greater number counts as the scale.
type Scale int

// Of returns the element of the plane for a value of 0 or more.
func (s Scale) Of(value int) uint8 {
	v := min(value, int(s))
	if s > 255 {
		v = v * 255 / int(s)
	}
	return uint8(v)
}

// Max returns the greatest value of the plane, for env.Plane.Max.
func (s Scale) Max() int { return min(max(int(s), 1), 255) }

// String describes the scale, for env.Plane.Description.
func (s Scale) String() string {
	if s <= 255 {
		return fmt.Sprintf("at most %d", int(s))
	}
	return fmt.Sprintf("at most %d, times 255/%d and rounded down", int(s), int(s))
}

// Flag returns 1 for true and 0 for false.
func Flag(is bool) uint8 {
	if is {
		return 1
	}
	return 0
}
