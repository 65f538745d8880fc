// Package experiment plays planned experiments on the farm.
//
// An experiment is a few data sets, its arms: variants with the agents that play
// them, positions with one piece less, the games and the gate of an iteration of
// learning. A [workers.Farm] plays them, on one queue and with one pool of workers.
//
// [Play] plays several arms side by side, so that no core waits for the end of
// one of them. workers.Farm.Record plays one data set in order of number until its caller
// has seen enough, as record.Play does without a queue; matches and the learning loop
// take either. A [Comparison] of rule variants is such an experiment, whole.
//
// # How many episodes
//
// The settings of an arm leave the number of episodes open ([Settings]), so that
// its data set is made longer by asking for more, as a sequential design does, and
// follow from its plan alone. Jobs are small, so that a short arm still has work for
// many cores, and whole: the data set may hold a few episodes more than were asked
// for, less than one job. An analysis takes the first ones by number.
//
// # Resuming
//
// The plan of an experiment is kept beside its arms before anything is played
// ([KeepPlan]), so that nothing is decided by what comes of it.
//
// A call that was cut short, by its context, by an error or by kill -9, is made
// again: what is in the folders and what waits in the queue is not played again. The
// folder of each arm is locked while a call lasts.
package experiment
