// Package record plays the episodes of a plan into a data set, on this machine and
// without a queue. Matches and the learning loop use it.
//
// [Play] resumes where an earlier call was interrupted, whether by an error, by its
// context or by kill -9, and the data set contains every episode once. The settings of the
// data set leave the number of episodes open ([Settings]), so a later call can add more.
// Its jobs are single episodes or, in paired self-play, single pairs; they are numbered
// from 0 on without a gap. A farm can do the same as a [Recorder].
package record
