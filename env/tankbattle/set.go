package tankbattle

import "math/bits"

// squareSet is a set of squares: bit s%64 of word s/64 for square s.
type squareSet [2]uint64

func (s *squareSet) add(square int) { s[square>>6&1] |= 1 << (square & 63) }

func (s *squareSet) remove(square int) { s[square>>6&1] &^= 1 << (square & 63) }

func (s *squareSet) has(square int) bool { return s[square>>6&1]>>(square&63)&1 != 0 }

func (s *squareSet) len() int { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

// reversed returns the set with each square s moved to squares−1−s.
func (s *squareSet) reversed(squares int) squareSet {
	low, high := bits.Reverse64(s[1]), bits.Reverse64(s[0])
	shift := uint(128 - squares)
	if shift >= 64 {
		return squareSet{high >> (shift - 64)}
	}
	return squareSet{low>>shift | high<<(64-shift), high >> shift}
}
