package variant

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// Squares is a set of squares by name, each optionally with a facing, as in h1NE.
// Its JSON is sorted rank by rank from a1, so that the order in a file has no effect
// on the digest.
type Squares []string

// MarshalJSON implements json.Marshaler.
func (s Squares) MarshalJSON() ([]byte, error) {
	names := append([]string{}, s...)
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(boardOrder(a)-boardOrder(b), cmp.Compare(a, b)) })
	return json.Marshal(names)
}

// boardOrder returns the index of the square that a name begins with, on the largest
// board with square names. It returns −1 for a name without a square.
func boardOrder(name string) int {
	const files, ranks = 26, 999
	square, _, err := env.ParseSquare(name, files, ranks)
	if err != nil {
		return -1
	}
	return square
}
