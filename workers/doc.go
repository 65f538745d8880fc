// Package workers is the farm: it plays the episodes of a run on many cores and
// machines and writes each of them into the data set exactly once.
//
// A [Farm] plays runs with all roles in one process; [Coordinate], [Work] and
// [Collect] run the roles apart. They meet on a queue: package queue defines it, and
// package natsq implements it on NATS JetStream.
//
// # Roles
//
// A run is divided into jobs, which are fixed ranges of episode numbers. Four roles
// share the work:
//
//   - The coordinator of a run ([Coordinate]) keeps the queue filled with jobs. It
//     has no memory: at every look it queues each job that is neither queued nor
//     waiting for the collector nor in the data set. When the run has ended, it has the
//     queue forget the run.
//   - Workers ([Work]) play jobs of all runs that they can play, and store the results in
//     parts.
//   - The collector of a run ([Collect]) puts the parts together, checks them, and writes
//     whole jobs into shards of the data set. It holds the lock of the folder. Several
//     collectors can share a run and its folder (CollectorConfig.Share).
//   - A person reads the dead letters of jobs that failed repeatedly, and queues them
//     again ([Requeue]); pauses, cancels and forgets runs (queue.Operator).
//
// # At least once, and exactly once
//
// The queue delivers at least once. The data set has each episode once, because only
// the manifest decides whether a job is done, and because of the order of events:
//
//  1. A worker stores all parts of a result, and then removes the job.
//  2. The collector commits a shard: it syncs and renames the files, and then writes
//     the manifest.
//  3. It publishes the progress, and only then acknowledges the parts.
//
// If a process dies between two steps, the message is delivered again, and the
// collector drops results of jobs that the manifest lists. The coordinator looks at the
// queue in the same order, so it always sees a job that moves from one step to the next; if
// it missed one, the job would be played once more. A result counts when all its parts are
// there: parts of a result whose others are not to be expected, because no worker plays the
// job and all that waits has arrived, are dropped, and the coordinator queues the job again.
//
// # Who plays what
//
// A worker process looks at a run before it asks for its jobs: it rebuilds the rules and
// compares their digest, makes the agents, and compares the memory that they need with
// what it may use. A run that it cannot play is left to others; that costs no delivery of a
// job. It looks again after a rest, which doubles from 1 s to 5 minutes. The reason is in
// its log and in its reports (queue.WorkerState). While it can play several runs, it
// prefers one for Tuning.Turn.
//
// A job only names an agent that is an external program. Each worker has its own commands
// for the names (WorkerConfig.Commands), so write access to the queue is not enough to run
// a program on a worker. If no worker has the program, the run waits and its coordinator
// logs a warning.
//
// When no job waits and workers are idle, the coordinator queues the jobs that are being
// played once more. The first result counts.
//
// # Failure
//
// A job that fails is delivered again, to any worker. After Tuning.MaxDeliveries failures
// it becomes a dead letter: DIR/dead/job-NUMBER.json gives the reason. A panic of an engine
// or an agent fails its job and nothing else. So does an external program that crashes,
// unless WorkerConfig.KeepCrashes makes the game a loss; a move that is illegal or late
// always is one. After a failure the process rests for the run, longer and longer until a
// job succeeds, and the job comes back before the rest is over, so that another process
// gets it first. The run continues with the other jobs and ends with a [DeadJobsError].
//
// # Trust
//
// The collector replays each result before it is written: its episodes must be those of
// the job, every action legal, and every fact what the actions give. A false result is
// dropped and the job played again; the worker is quarantined, and its results that are not
// yet written are dropped. Results whose games are legal, and not those that the agents
// play, are found by audits: for a share of the jobs ([Tuning].AuditShare), another worker
// process plays the job again, if there is one and time decides nothing. Where the two
// differ, the collector plays the job itself, and the worker that differs from it is
// quarantined. The data set names the worker of each episode.
//
// CollectorConfig.Trust and Config.Trust skip all this. That is sound for a farm on an
// embedded server that no other process can reach.
//
// # Stopping
//
// A role stops when its context is done. A worker gives its job up, which does not count as
// a failure; an episode that takes longer than Tuning.Grace is abandoned to its goroutine.
// The coordinator withdraws the queued jobs. The collector waits for the results that are
// under way, writes the jobs that have arrived whole, and leaves the others in the queue
// for the next collector. A run that is cancelled ends in the same way, with [ErrCancelled].
//
// A coordinator that finds its run finished by the progress in the queue waits
// Tuning.Settle for a collector that publishes another: the progress may be that of an
// earlier collector, into another folder.
//
// # Plans
//
// A process makes the [selfplay.Plan] of a run once, and all its workers share it and
// its game. The farm's workers use the plans in [Run]; other workers make them of the
// settings in the queue.
//
// # Clocks
//
// Clocks decide when a shard is written and when a job is delivered again. They decide
// the number of jobs only in a run without a number of episodes. They never decide the
// content of an episode.
//
// # Recordings
//
// [Farm.Record] hands out the episodes of a run in order of number while they are
// played, and writes them in that order, so what its caller sees depends on no clock
// and on no number of workers. Jobs wait for those below them, in the queue and in
// memory, and no job is queued far above the first unfinished one.
//
// # Cost
//
// Results travel uncompressed: two thirds of each are hashes. go test -bench Farm
// ./workers measures the processor time of a ply in the bare loop, in a farm, and in a
// farm that replays the results.
package workers
