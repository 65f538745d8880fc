// Package handicap says what a piece, or an attribute of a type of pieces, is worth to
// the side that lacks it, from games that were played for that: one side began without
// one piece of a type, or all its pieces of a type moved, shot or stood fire otherwise,
// and the sides took turns at it. It is an experiment: the side was chosen by the number
// of the game, so that what the games show was caused by the handicap, and not only
// seen beside it as in what package balance tells of counts.
//
// The score s of a handicap is what the handicapped side scores, on average over the
// two seats,
//
//	s = (s₁ + s₂) / 2
//
// with the mean score s₁ of the first player in the games in which it was handicapped,
// and s₂ of the second in those in which that one was. What a seat is worth is added to
// one and taken from the other, so that without a handicap s is ½ whatever the seats
// are worth, and the loss is ½ − s. Games are independent of each other, by their seeds
// and their openings drawn anew for each, so that the two means are independent strata:
// the interval of s is half the sum of theirs (stats.Clusters of single games, and
// stats.Interval.Plus). In logarithms of odds the loss is ln((1−s)/s).
//
// Whether handicaps do anything, whether regression and experiment disagree, and whether
// curves rise are three families of tests: within each P values are adjusted by Holm's
// method, so that any false finding among them has a probability of at most 5 %, all
// three together having more. That a regression and its experiment are compared supposes
// that their games are different ones. An interval holds what it estimates in 95 % of all
// experiments, each for itself.
//
// The worth of a handicap in units is its loss in log odds by that of the unit
// (stats.Ratio). Games that were cut off, and those that a program failed in, have no
// result of play: they are counted and left out.
//
// All of it holds for the agent that played, at the start of the game: who lacks a
// piece from the start plays around it.
package handicap
