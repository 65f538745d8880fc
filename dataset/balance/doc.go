// Package balance says what recorded games tell of the balance of a game: between
// the seats, and between the types of pieces. [Analyze] makes a [Report] of data
// sets of one rule set, of any game: it works from the piece types of the Spec and
// from events and knows no game by name.
//
// A report has four parts.
//
//   - [Seats]: results of the first player, in all and by length and reason, and
//     [Against] results from elsewhere, such as of people.
//   - [Values]: what a piece of each type is worth, from an ordinal regression of
//     the result on the differences of counts, in units of one type, with a judgement
//     of its forecasts on games that it has not seen.
//   - [Activity]: what each type does and suffers, and how long it lives.
//   - [Placement]: where it stands, kills and dies.
//
// It describes how the recorded agents play, not what is best; and values are
// associations: who is ahead in a type may be ahead in what no count shows. Only an
// experiment that takes a piece away tells a cause: see package handicap.
//
// Every number is a stats.Interval, whose method the page of the report explains; how
// often each holds the truth is simulated in tests with the tag long. The unit of
// independence is the game, or the pair of games that share an opening; see [Values]
// for openings that come often. Plies of the opening are drawn at random and count for
// nothing. Seeds of a house are counted, where pieces can be more than one
// ([env.PieceType].MaxCount).
//
// What needs a list of the pieces of each position, or a row of each game, is taken
// from a sample of games, evenly spaced in the data, so that memory is bounded:
// counts of events, and results, are of all games. Nothing depends on the number of
// goroutines or on how the data are cut into shards.
package balance
