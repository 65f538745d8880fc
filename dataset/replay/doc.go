// Package replay plays recorded episodes again, by the rules that the data set
// carries. An action list is only worth something together with the positions it
// leads to: [Replayer.Positions] rebuilds them, [Text] shows them and
// [ReadTranscript] reads what it wrote, and [Verify] proves a whole data set: every
// hash, every count of legal actions, every result and every digest of a file is
// what the rules and the manifest say.
//
// What is wrong with the data is a *dataset.Fault.
package replay
