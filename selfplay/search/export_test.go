package search

// The integer arithmetic behind the tree, for its tests.
var (
	Worth      = worth
	Price      = price
	SquareRoot = squareRoot
)

// One is a sure win as a value.
const One = one
