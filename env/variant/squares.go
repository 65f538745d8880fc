package variant

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// Squares is a set of squares by name, each perhaps with a facing behind it as in
// h1NE. Its JSON is in the order of the board, rank by rank from a1, so that the
// order in a file does not count.
type Squares []string

// MarshalJSON implements json.Marshaler.
func (s Squares) MarshalJSON() ([]byte, error) {
	names := append([]string{}, s...)
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(boardOrder(a)-boardOrder(b), cmp.Compare(a, b)) })
	return json.Marshal(names)
}

// boardOrder is the index of the square that a name begins with on the largest
// board that has names; what is no square comes first.
func boardOrder(name string) int {
	const files, ranks = 26, 999
	square, _, err := env.ParseSquare(name, files, ranks)
	if err != nil {
		return -1
	}
	return square
}
