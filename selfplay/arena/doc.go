// Package arena plays matches between agents and says how sure their outcome is.
//
// A match ([Play]) is a data set of paired episodes without a fixed end: pair k
// is episodes 2k and 2k+1, the same balanced opening with seats swapped, and a job
// of its own. So a match is resumed where it was cut short, is made longer by asking
// for more pairs, and is looked at, proved and replayed as every data set is.
//
// # Openings
//
// Which openings a match has is for its plan to say; package openings knows the
// usual ones: a stored suite in an order that the seed decides, or balanced random
// plies. Either way the opening of a pair follows from the seed and the number of the
// pair alone: all matches of a variant with one seed share them. A match of more
// pairs than the suite has openings goes through it again; agents that make random
// choices play other games then, because the seed of each pair is another. Others
// repeat their games, which tells nothing new: the report counts the distinct pairs.
//
// # Sequential tests
//
// With a test the match ends with the first pair, in order of number, that
// decides it. The pairs counted are the ones up to there, whatever was on its way
// on other cores; the same settings give the same match on any number of cores.
//
// # What counts
//
// A game that the limit of plies cut off counts as a draw, and is counted apart.
// Pairs are independent of each other, even those that happen to share an opening:
// the score that is estimated is the expected one over the openings drawn, or over
// those of the suite.
//
// A [Tournament] is a match of each agent with each other, rated together.
package arena
