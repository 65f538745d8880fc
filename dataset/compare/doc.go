// Package compare says how rule variants differ in play. A [Plan] states the
// comparison before a game is played: the variants, of which the first is the
// baseline, the agents with their budgets of nodes, how many games. [Measure] makes
// of the self-play games of one variant with one budget what is to be known of
// them, [MeasureLadder] of the games of twice the nodes against once, and [Compare]
// makes a [Report] of all of it. With a plan of several looks, [Plan.Decide] says
// at each of them whether more games are needed. An [Expectation] holds a report
// against what a designer wants.
//
// # What is assumed
//
// The unit of independence is the game of self-play, and the pair of games on the
// ladder. Every game has its own seed, and no two variants share one, so that all
// estimates of different variants and budgets are independent of each other. Agents
// that choose without any chance repeat games that begin alike; the repeated ones
// tell nothing new, and intervals are too narrow. Health counts them.
//
// Games without a result of play are left out of results: those cut off by the
// limit of plies and those that a program lost by its conduct other than giving up.
// If they differ from the others, results are biased; Health counts them too. On
// the ladder, as in all matches, a game that was cut off is a draw.
//
// Everything holds for the agents that played, at their strength, with these random
// openings: not for people, and not for perfect play. That is why a plan has
// several budgets, and why Interaction asks whether what differs depends on them.
//
// # How errors are controlled
//
// Every interval holds what it estimates in 95 % of all comparisons, each for itself;
// where counts are few, or numbers whole, more often by design. What is tested is
// grouped into families: the first player's score, draws and length of all variants
// with all budgets (Against); how the same depend on the budget, in themselves and
// against the baseline (Interaction's two lists); feel; and skill, in scores and in
// slopes. Within each of the six P values are adjusted by
// Holm's method, so that any false difference among them has a probability of at most
// 5 %, however they depend on each other; all six together have more. So are, apart,
// those of equivalence. A margin that is a share of the baseline's estimate is taken
// for known. Values of pieces have intervals, and no tests.
//
// Where a plan has looks, all levels but those of the ladder and of values are those
// of a group sequential trial at the look where it ended ([stats.Sequential]):
// intervals are wider, and hold at all looks at once. Decide divides the error among
// the family by Bonferroni's method, and ends when each interval either leaves out no
// difference or lies within its margin. The ladder is played whole, whatever is seen.
//
// README.md lists the metrics and what simulations say of all of it.
package compare
