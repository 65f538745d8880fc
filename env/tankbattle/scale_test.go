//go:build !long

package tankbattle_test

// differentialGames scales the comparison with the reference.
const differentialGames = 12
