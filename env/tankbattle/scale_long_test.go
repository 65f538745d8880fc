//go:build long

package tankbattle_test

// differentialGames scales the comparison with the reference.
const differentialGames = 200

// perftCounts are the counts of action sequences from the start, by their length.
var perftCounts = []uint64{53, 2798, 181516, 11712337}
