// Package compare compares rule variants by self-play. A [Plan] states the comparison
// before a game is played: the variants, of which the first is the baseline, the agents
// with their budgets of nodes, and the number of games. [Measure] counts the self-play
// games of one variant with one budget, [MeasureLadder] the games of twice the nodes
// against once, and [Compare] makes a [Report] from them. For a plan with several looks,
// [Plan.Decide] reports at each look whether more games are needed. [Report.Expect]
// checks a report against an [Expectation].
//
// # Assumptions
//
// The unit of independence is the game of self-play, and the pair of games on the
// ladder. Every game has its own seed, and no two variants share a seed, so all
// estimates of different variants and budgets are independent. Agents without noise
// repeat games that start alike. Repeated games add no information, so intervals are
// too narrow; Health counts repeated games.
//
// Results exclude games without a result of play: games cut off by the limit of plies,
// and games that a program lost by failing. If these games differ from the others,
// results are biased; Health counts them too. On the ladder, as in all matches, a game
// that was cut off is a draw.
//
// All results hold for the agents that played, at their strength, with these random
// openings. They do not hold for people or for perfect play. This is why a plan has
// several budgets, and why Interaction tests whether differences depend on them.
//
// # Error control
//
// Each single interval contains the true value in 95 % of all comparisons. For small
// counts and for whole numbers it does so more often, by design. Tests are grouped into
// six families: the primary metrics against the baseline (Against); their change with
// the budget, and the change of their difference to the baseline (the two lists of
// Interaction); feel; and skill, in scores and in slopes. Within each family Holm's
// method adjusts the P values, so the probability of any false difference is at most
// 5 % whatever the dependence between tests. Over all six families it is higher. Tests
// of equivalence are adjusted likewise, separately. A margin that is a share of the
// baseline's estimate is taken as known. Values of pieces have intervals but no tests.
//
// In a plan with looks, levels are those of a group sequential trial at the look where
// it ended ([stats.Sequential]), except on the ladder and for values: intervals are
// wider and hold at all looks together. Decide divides the error among the family by
// Bonferroni's method, and ends the comparison when each interval excludes 0 or lies
// within its margin. The ladder is always played in full.
//
// README.md describes the simulations that check intervals and tests.
package compare
