//go:build !long

package tankchess_test

// How much the slow comparisons do in the plain suite.
const (
	referencePerft = 2500 // most leaves that the reference counts for one case
	referenceGames = 2    // the reference replays every n-th game of independent programs
	comparedRules  = 80   // random rule sets
	oddFiles       = 200
)
