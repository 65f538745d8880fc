package tankbattle

import "math/bits"

// squareSet is a set of squares: bit s%64 of word s/64 for square s.
type squareSet [2]uint64

func (s *squareSet) add(square int) { s[square>>6&1] |= 1 << (square & 63) }

func (s *squareSet) remove(square int) { s[square>>6&1] &^= 1 << (square & 63) }

func (s *squareSet) has(square int) bool { return s[square>>6&1]>>(square&63)&1 != 0 }

func (s *squareSet) len() int { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

// turned returns the set turned by 180° on a board of the given number of squares:
// square s becomes squares − 1 − s.
func (s squareSet) turned(squares int) squareSet {
	low, high := turned(s[0], s[1], squares)
	return squareSet{low, high}
}

// turned is squareSet.turned for the two words of a set.
func turned(low, high uint64, squares int) (uint64, uint64) {
	low, high = bits.Reverse64(high), bits.Reverse64(low)
	shift := uint(128 - squares)
	if shift >= 64 {
		return high >> (shift & 63), 0
	}
	return low>>shift | high<<(64-shift), high >> shift
}
