// Package vec plays many games of one rule set side by side, as a vectorized
// reinforcement-learning environment. README.md translates the terms of
// Gymnasium, EnvPool, Pgx and PettingZoo.
//
// # What a caller does
//
//  1. Create a batch with [New] from a game, a number of slots and [Options].
//  2. Call [Vec.Reset] with a seed. The [Results] then describe the first
//     position of each slot.
//  3. Choose a legal action for each slot, from the list (LegalActions between
//     LegalOffsets) or from the Mask, and call [Vec.Step].
//  4. Read the Results before the next call overwrites them.
//  5. Call [Vec.Close] when the batch is no longer needed, unless
//     Options.Goroutines is 1.
//
// # Two players
//
// Without an Opponent, a Step is one ply of the player to move. Obs is that
// player's view, and Reward has a column for each player.
//
// With an Opponent, the caller is one learner, in a seat that is fixed or drawn
// for each episode. A Step is the learner's ply and the opponent's replies. Obs is
// always the learner's view, and LearnerReward its reward. If the opponent moves
// first, the episode begins after that move.
//
// # Ends
//
// Terminated means that the rules ended the episode, Truncated that
// Options.MaxPlies cut it off without a result. The Final outputs describe the
// last episode that ended in a slot, in every autoreset mode, so the last
// observation is never lost.
//
// # Reproducibility
//
// The results depend only on the options, the seed of Reset and the actions, not
// on the number of goroutines: slot i's k-th episode draws from
// env.Derive(seed, i, k). [Vec.Save] and [Vec.Load] stop a batch and resume it.
//
// # Speed
//
// The batch itself takes about 20 ns per slot and step, including the drawing of
// the action. The rest is the game's time; the game's doc.go says what bounds it.
// Packed observations cost a fraction of what planes cost, and OutList costs
// nothing extra if OutMask is on. If several goroutines play a batch, each takes
// blocks of neighbouring slots, and begins with its own share, whose states are in
// its cache. A step does not wait for goroutines that start too late.
package vec
