// Package stats provides the statistics of games as pure mathematics on top of gonum. It
// does not import other packages of the project.
//
// The result of a game is a number from 0 to 1: 1 for a win, ½ for a draw, 0 for a loss,
// or the indicator of another event. Games that share an opening, and positions of one
// game, are not independent. [Clusters] and other types with clusters account for that.
// Functions of plain numbers need independent ones, such as one mean per cluster.
//
// Shares and means have the intervals [Wilson] and those of [Clusters] and [Moments],
// counts have [Clusters.RateInterval], rare shares have [Clusters.ExactInterval], and
// distributions have [Quantile] and [Diversity]. Two estimates have a [Difference] and a
// [Ratio]. [Significance] and [Equivalence] derive a [Test] from any interval, [Holm]
// adjusts several tests, a [Trial] plans a test, and [Sequential] lets it end early.
// [Resampling] has the bootstrap by cluster, and [Resampling.Independence] tests tables
// of counts. [KolmogorovSmirnov] and [CliffsDelta] compare distributions.
//
// [Design.Fit] is the regression of outcomes on columns, with errors by cluster.
// [Logistic] fits the many weights of evaluators to sparse [Rows], with a penalty and
// without errors. [Brier], [LogScore] and [Calibration] evaluate forecasts, and
// [Lifetimes] have survival curves.
//
// For matches, [Pentanomial] counts pairs of games and has Elo, normalized Elo and the
// likelihood of superiority, [SPRT] is the sequential test, and [RatePairs] rates the
// players of a tournament.
//
// Every estimate is an [Interval]. Without observations an interval is as wide as
// possible, and the P value of a test is 1; results are never NaN. Random draws depend
// only on a seed, not on the number of goroutines.
package stats
