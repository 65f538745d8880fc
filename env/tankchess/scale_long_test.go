//go:build long

package tankchess_test

import "math"

// How much the slow comparisons do under the tag long.
const (
	referencePerft = math.MaxUint64 // most leaves that the reference counts for one case
	referenceGames = 1              // one in so many games of independent programs is replayed by the reference
	comparedRules  = 1000           // random rule sets
	oddFiles       = 2000
)
