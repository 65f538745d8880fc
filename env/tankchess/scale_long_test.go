//go:build long

package tankchess_test

import "math"

// How much the slow comparisons do under the tag long.
const (
	referencePerft = math.MaxUint64 // most leaves that the reference counts for one case
	referenceGames = 1              // the reference replays every n-th game of independent programs
	comparedRules  = 400            // random rule sets
	oddFiles       = 2000
)
