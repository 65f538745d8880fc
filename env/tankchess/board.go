package tankchess

// board is a set of absolute squares, with room for the largest board.
type board [maxSquares / 64]uint64

func (b *board) has(square int) bool { return b[square>>6]>>(square&63)&1 != 0 }
func (b *board) set(square int)      { b[square>>6] |= 1 << (square & 63) }
