// Package experiment plays planned experiments on a farm.
//
// An experiment is a few data sets, its arms, in one folder. A [Comparison] compares rule
// variants by self-play of each variant with each budget of nodes; [Handicaps] gives one
// side one piece less, or a changed attribute. Both have the same shape: package
// dataset/compare or dataset/handicap states the plan, counts the games and makes the
// report; this package plays the arms of the plan. [Play] plays any list of arms side by
// side, so that no core waits for the end of one of them.
//
// # Number of episodes
//
// The settings of an arm leave the number of episodes open ([Settings]). They depend only
// on its plan, so a later call can extend the data set, as a sequential design does. Jobs
// are small, so that a short arm has work for many cores. Jobs are played in full, so a
// data set may have more episodes than asked for, by less than one job. An analysis uses
// the first episodes by number.
//
// # Resuming
//
// [KeepPlan] stores the plan of an experiment beside its arms before a game is played, so
// no result can influence it. The same call resumes an experiment that was cut short by
// its context, by an error or by kill -9: it does not replay games that are in the folders
// or in the queue. Each call locks the folders of its arms.
package experiment
