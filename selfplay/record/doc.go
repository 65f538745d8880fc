// Package record plays the episodes of a plan into a data set, on this machine
// and without a queue: what a match and the learning loop are made of.
//
// [Play] goes on where an earlier call was cut short, by an error, by its context
// or by kill -9, and every episode is there once. The settings leave the number of
// episodes open ([Settings]), so that a data set is made longer by asking for more.
// Its jobs are single episodes, of paired self-play single pairs, and they are
// there from 0 on without a gap. A farm that does as much is a [Recorder] too.
package record
