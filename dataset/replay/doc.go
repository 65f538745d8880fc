// Package replay plays recorded episodes again under the rules in their data set.
// [Replayer.Positions] yields the positions of an episode, and [Replayer.Moments] also the
// legal actions and events. [Text] writes a game for people, and [ReadTranscript] reads it
// back. [Verify] verifies a whole data set: every hash, every count of legal actions, every
// result and the digest of every file.
//
// A fault in the data is a *dataset.Fault.
package replay
