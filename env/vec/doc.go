// Package vec plays a batch of games as a vectorized reinforcement-learning
// environment. README.md maps the notions of Gymnasium, EnvPool, Pgx and
// PettingZoo to it.
//
// # What a caller does
//
//  1. Make a batch: [New] with a game, a number of slots and [Options].
//  2. [Vec.Reset] it with a seed. The [Results] then describe the first positions.
//  3. Choose an action for each slot out of its legal ones, from the list
//     (LegalActions between LegalOffsets) or by the Mask, and [Vec.Step].
//  4. Read the Results, which the next call overwrites.
//  5. [Vec.Close] it when it may have goroutines.
//
// # Two players
//
// Without an Opponent a Step is one ply of whoever is to move: Obs is that
// player's view, Reward has a column for each player. With an Opponent the caller
// is one learner in a seat that is fixed or drawn for each episode: a Step is its
// ply and the opponent's replies, Obs is always its view, LearnerReward its
// reward, and an episode in which the opponent moves first begins after that move.
//
// # Ends
//
// Terminated is an end under the rules, Truncated a cut by Options.MaxPlies, which
// has no result. The Final outputs tell of the episode that ended, in every
// autoreset mode, so the last observation is never lost.
//
// # Reproducibility
//
// What happens depends on the options, the seed of Reset and the actions alone,
// not on the number of goroutines: slot i's k-th episode draws from
// env.Derive(seed, i, k). [Vec.Save] and [Vec.Load] stop and go on.
//
// # Speed
//
// The batch itself takes some 20 ns of a slot's step, drawing the action included;
// the rest is the game's: its doc.go says what bounds it. Packed observations
// cost a fraction of planes, and OutList costs nothing beside OutMask. Several
// goroutines take blocks of neighbouring slots, each its own share first, whose
// states it has in its cache; none waits for one that comes too late to help.
package vec
