// Package handicap estimates what a piece, or an attribute of a piece type, is worth to
// its owner, from games in which one side had a handicap: it began without one piece of
// a type, or all its pieces of a type had an attribute changed. Each side has the
// handicap in half of the games. This is an experiment: the number of the game decides
// which side has the handicap, so the handicap causes the difference in results. The
// values of package balance, in contrast, are associations of results with counts of
// pieces.
//
// [Analyze] makes a [Report] from an [Experiment]. A [Plan] states an experiment before
// a game is played.
//
// # Score and loss
//
// The score s of a handicap is the score of the handicapped side, averaged over the two
// seats,
//
//	s = (s₁ + s₂) / 2
//
// with the mean score s₁ of the first player in the games in which it is handicapped,
// and s₂ of the second player in the games in which the second player is. The advantage
// of a seat raises one of them and lowers the other equally, so without a handicap s is
// ½ whatever the advantage. The loss is ½ − s, or ln((1−s)/s) in log odds. Games are
// independent, because their seeds and their random openings are, and the two means are
// independent strata: the interval of s is half the sum of theirs (stats.Clusters of
// single games, and stats.Interval.Plus).
//
// # Error control
//
// There are three families of tests: that handicaps have no effect, that regression and
// experiment agree, and that curves are flat. Within each, Holm's method adjusts P
// values, so the probability of any false finding is at most 5 %; over all three it is
// higher. The comparison of a regression with its experiment assumes that they use
// different games. Each single interval contains the true value in 95 % of all
// experiments.
//
// The value of a handicap in units is its loss in log odds divided by that of the unit
// (stats.Ratio). Games that were cut off, and games that a program lost by failing, have
// no result of play: they are counted and left out.
//
// # Worth
//
// A [Worth] has what a piece is worth by experiment beside what it is worth by regression,
// in the whole game and by phase. The experiment removes one piece with all its fellows on
// the board, or, with [Change].Last, the last piece of the type with its fellows gone from
// both sides, so that both show how a worth depends on the others. A [Relation] says how
// experiment and regression relate. An undecided effect has the number of pairs that it
// needs ([Needed]). [Compare] says how far losses move with the strength of the agent.
//
// # Sequential experiments
//
// With a [Precision] the games of a handicap end at the first of the looks of [Plan.Looks]
// at which its interval is narrow enough. The intervals are repeated confidence intervals
// by Pocock's spending (stats.Sequential), so they contain the true value in 95 % of all
// experiments whatever the look at which they end.
//
// All results hold for the agent that played, and for pieces that are missing from the
// start of the game.
package handicap
