// Package balance measures the balance of a game from recorded games: between the
// seats, and between the types of pieces. [Analyze] returns a [Report] on data sets of
// one rule set. It works for every game, from the piece types of the Spec and from
// events, and treats no game specially.
//
// A report has four parts:
//
//   - [Seats]: the results of the first player, overall, by length and by reason, and
//     [Against] results from elsewhere, such as games between people.
//   - [Values]: what a piece of each type is worth in units of one type, from an
//     ordinal regression of the result on differences of counts, with a measure of how
//     well it forecasts games that it was not fitted to.
//   - [Activity]: what each type does and suffers, and how long its pieces live.
//   - [Placement]: where pieces stand, kill and die.
//
// A report holds numbers and codes ([Verdict], [Problem], [Note]); package
// dashboards/report puts them into words.
//
// A report describes how the recorded agents play, not best play. Values are
// associations: a side that is ahead in a type may also be better off in ways that the
// counts do not show. Only an experiment that removes a piece shows a cause: see
// package handicap.
//
// Every number is a stats.Interval; the report's page explains its method, and tests
// with the tag long simulate its coverage. The unit of independence is the game, or the
// pair of games that share an opening; see [Values] for openings that repeat. Plies of
// the random opening are not counted. If a piece stands for several, as a house of
// seeds does ([env.PieceType].MaxCount), the seeds are counted.
//
// Numbers that need a list of the pieces of each position, or a row for each game, come
// from a sample of games, evenly spaced in the data, so that memory is bounded. Results
// and counts of events come from all games. Reports do not depend on the number of
// goroutines or on how the data are divided into shards.
package balance
