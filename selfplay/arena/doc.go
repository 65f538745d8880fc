// Package arena plays matches between agents and reports how certain their outcome is.
//
// A match ([Play]) is a data set of paired episodes without a fixed end. Pair k is
// episodes 2k and 2k+1, which have the same balanced opening and swapped seats, and one job
// of the data set. So a match can be resumed after an interruption and extended by more
// pairs, and its games can be viewed, verified and replayed as those of every data set.
//
// # Openings
//
// The plan of a match decides its openings. Package openings knows the usual ones: a
// stored suite in an order that depends on the seed, or balanced random plies. In both
// cases the opening of a pair depends only on the seed and the number of the pair, so all
// matches of a variant with one seed share their openings. A match with more pairs than
// the suite has openings uses the suite again. Agents that make random choices then play
// different games, because each pair has its own seed. Other agents repeat their games,
// which adds no information; the report counts the distinct pairs.
//
// # Sequential tests
//
// A match with a test ends with the first pair, in order of number, that decides the
// test. Only the pairs up to this one count, whatever other cores have played by then, so
// the same settings give the same match on any number of cores.
//
// # What counts
//
// A game that reaches the maximum number of plies counts as a draw; the report also counts
// such games separately. Pairs are treated as independent even if they share an opening:
// the estimated score is the expected score over the random openings, or over those of the
// suite.
//
// A [Tournament] plays a match between every two agents and rates them together.
package arena
