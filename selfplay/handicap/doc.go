// Package handicap plans games that measure what a piece or an attribute is worth
// by doing without it: one side lacks one piece of a type, or that side's pieces of
// the type have an attribute changed, and nothing else differs. What the side's
// results lose is caused by the handicap, which a regression over ordinary games
// cannot say. [New] makes the runs, the arms of the experiment.
//
// # Seats
//
// One agent plays both sides, so that an arm is unpaired self-play, and each side
// has the handicap equally often. Averaged over the two seats, what the first move
// is worth cancels out.
//
//   - A missing piece is one arm. It starts from the position without a piece of the
//     first player and the position without the corresponding one of the second
//     player in turn, piece by piece: corresponding pieces have the same rank among
//     those of the type, ordered by square as their owner sees the board, and a
//     side with fewer of them begins again. So in episodes 2k and 2k+1 the same piece
//     is missing, first to the one side and then to the other. An even number of
//     episodes keeps the seats level, a multiple of the number of starts the pieces
//     too. In games of seeds a piece is one seed of a house.
//   - A changed attribute is a rule set of its own for each side that has it
//     (variant.Attributer), hence two arms, to be played equally often.
//
// Random plies begin each game, so that a deterministic agent does not play the
// same game again; they are drawn until the score is what it was at the start.
//
// # What a missing piece says
//
// A piece that is not there cannot be captured either. Where captures are what wins,
// as in Trench, its loss is what it does for its owner less what it gives away: for
// a weak agent a side can do better without its General, whose points it would only
// lose.
//
// # Agents
//
// The agent is named for each rule set anew. A missing piece leaves the rules as
// they are, and with them the weights of an evaluator; a changed attribute does
// not: weights that are shipped for a digest (eval=linear) are not there for it,
// and in Tank Chess, where it makes a new type, no weights of the old rules fit. So
// an experiment over attributes plays all its arms with eval=material, say: a value
// is one for the agent that plays.
//
// # Seeds
//
// The seed of an arm's plan is env.Derive(seed, h) of the experiment's seed, h being
// the 64-bit FNV-1a hash of the arm's name, which says what it measures. So arms are
// independent of each other, and adding one changes none.
package handicap
