package tankchess

// board is a set of absolute squares, with room for the largest board.
type board [maxSquares / 64]uint64

func (b *board) has(square int) bool { return b[square>>6]>>(square&63)&1 != 0 }
func (b *board) set(square int)      { b[square>>6] |= 1 << (square & 63) }
func (b *board) clear(square int)    { b[square>>6] &^= 1 << (square & 63) }

// or returns the squares of either set.
func (b *board) or(o *board) (both board) {
	for i := range both {
		both[i] = b[i] | o[i]
	}
	return both
}
