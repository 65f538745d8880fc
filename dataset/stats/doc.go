// Package stats holds the statistics of games as pure mathematics over gonum: it
// knows nothing of games.
//
// A result of a game is a number from 0 to 1 here: 1 won, ½ drawn, 0 lost, or an
// indicator of anything else. Games that were played in pairs with the same
// opening, and positions of one game, are not independent. [Clusters] takes that
// into account, and so does whatever else takes clusters; what takes plain numbers
// wants one of each cluster, such as its mean.
//
// Shares and means have the intervals [Wilson], [ClopperPearson] and those of
// [Clusters] and [Moments], counts [Clusters.RateInterval], rare shares
// [Clusters.ExactInterval], distributions [Quantile] and [Diversity]; two of them have a [Difference] and a [Ratio]. [Significance] and
// [Equivalence] turn any interval into a [Test], [Holm] and [BenjaminiHochberg]
// adjust many tests, a [Trial] plans one, and [Sequential] lets it end early.
// [Resampling] is for what has no formula: the bootstrap and permutation tests, by
// cluster. Counts by class, distributions and ranks have their tests:
// [Resampling.Independence], [Resampling.Classes], [KolmogorovSmirnov],
// [MannWhitney] with [CliffsDelta].
//
// What depends on much at once is for regression: [Design.Fit] finds out how
// outcomes depend on columns and how sure that is, with errors by cluster;
// [Logistic] fits the many weights of evaluators to sparse [Rows], with a penalty
// and without errors. [Brier], [LogScore] and [Calibration] judge forecasts,
// [Lifetimes] have survival curves.
//
// What matches ask is here too: pairs of games as a [Pentanomial] with Elo,
// normalized Elo and the likelihood of superiority, the sequential test [SPRT],
// and the ratings of a tournament ([RatePairs]).
//
// Every estimate is an [Interval]. With nothing to estimate from it says so by
// the widest interval there is, never by NaN or a false certainty, and a test of
// nothing has P 1. Whatever is drawn follows from a seed, whatever the number of
// goroutines.
package stats
