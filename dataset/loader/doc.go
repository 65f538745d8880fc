// Package loader feeds the episodes of data sets to a training loop. A [Loader] draws
// episodes, replays them, and fills batches of shuffled positions: packed observations,
// legal actions, and targets for a policy, a value and a score.
//
// # Stream
//
// The positions come in blocks of about Options.Shuffle rows. A block holds every selected
// position of consecutive draws in a random order. While the caller empties one block,
// goroutines fill the next one; the memory of the two blocks is all that the loader needs
// beside the compact games of the window. A batch may end one block and begin the next.
//
// The stream depends only on the data sets and the Options, and not on the number of
// goroutines, the size of the batches or the time. [Loader.Save] returns a description of
// the place in the stream, and [Loader.Restore] resumes there exactly.
//
// # New episodes
//
// [Loader.Refresh] reads the manifests again. A block is planned when the block before it
// begins, so new episodes, and weights by [Loader.SetWeights], take part from the block
// after the next one.
//
// # Targets
//
// All targets of a position are those of its mover. The policy target is the share of the
// visits of the search where the data have any, and otherwise the action that was played.
// A search that a playout cap shortened has no policy target, nor has a ply of the opening.
package loader
