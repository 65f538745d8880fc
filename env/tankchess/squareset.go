package tankchess

// squareSet is a set of absolute squares, with room for the largest board.
type squareSet [maxSquares / 64]uint64

func (b *squareSet) has(square int) bool { return b[square>>6]>>(square&63)&1 != 0 }
func (b *squareSet) add(square int)      { b[square>>6] |= 1 << (square & 63) }
