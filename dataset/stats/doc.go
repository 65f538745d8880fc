// Package stats holds the statistics of games as pure mathematics over gonum: it
// knows nothing of games.
//
// A result of a game is a number from 0 to 1 here: 1 won, ½ drawn, 0 lost, or an
// indicator of anything else. Games that were played in pairs with the same
// opening are not independent; [Clusters] takes that into account.
//
// What matches ask is here too: pairs of games as a [Pentanomial] with Elo,
// normalized Elo and the likelihood of superiority, the sequential test [SPRT],
// and the ratings of a tournament ([RatePairs]).
//
// What evaluators are fitted by is a logistic regression with a penalty
// ([Logistic]) over sparse [Rows].
//
// Every estimate is an [Interval]. With nothing to estimate from it says so by
// the widest interval there is, never by NaN or a false certainty.
package stats
