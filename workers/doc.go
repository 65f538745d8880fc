// Package workers is the farm: it plays the episodes of a run on many cores and
// machines and writes each of them into the data set exactly once.
//
// A [Farm] plays runs with all roles in one process; [Coordinate], [Work] and
// [Collect] run the roles apart. A Go program brings its own [Queue], or uses that of
// package natsq.
//
// # Roles
//
// A run is divided into jobs, which are fixed ranges of episode numbers. Four roles
// share the work over a queue:
//
//   - The coordinator of a run ([Coordinate]) keeps the queue filled with jobs. It
//     has no memory: at every look it queues each job that is neither queued nor
//     waiting for the collector nor in the data set.
//   - Workers ([Work]) play jobs of all runs and store the results in parts.
//   - The collector of a run ([Collect]) puts the parts together and writes whole
//     jobs into shards of the data set. It holds the lock of the folder.
//   - A person reads the dead letters of jobs that failed repeatedly, and
//     queues them again ([Requeue]).
//
// # At least once, and exactly once
//
// The queue delivers at least once. The data set has each episode once, because only
// the manifest decides whether a job is done, and because of the order of events:
//
//  1. A worker stores all parts of a result, and then acknowledges the job.
//  2. The collector commits a shard: it syncs and renames the files, and then writes
//     the manifest.
//  3. It publishes the progress, and only then acknowledges the parts.
//
// If a process dies between two steps, the message is delivered again, and the
// collector drops results of jobs that the manifest lists. A result is a pure
// function of its job, so it does not matter which worker played it, or how often; a
// checksum over the parts detects an exception. The coordinator looks at the queue in
// the same order, so it always sees a job that moves from one step to the next; if it
// missed one, the job would be played once more.
//
// # Failure
//
// A job that fails is delivered again, to any worker. After Tuning.MaxDeliveries
// failures of any kind it becomes a dead letter: DIR/dead/job-NUMBER.json gives the
// reason. A panic of an engine or an agent fails its job and nothing else. The run
// continues with the other jobs and ends with a [DeadJobsError].
//
// # External programs
//
// A job only names an agent that is an external program. Each worker has its own
// commands for the names (WorkerConfig.Commands), so write access to the queue is not
// enough to run a program on a worker. A worker releases a job with an unknown name,
// without counting the delivery, and asks for jobs more and more slowly while it
// receives only such jobs. If no worker has the program, the run waits and its
// coordinator logs a warning.
//
// # Stopping
//
// A role stops when its context is done. A worker releases its job, which does not
// count as a failure; an episode that takes longer than Tuning.Grace is abandoned to
// its goroutine. The coordinator withdraws the queued jobs. The collector waits for
// the results that are under way, writes the jobs that have arrived whole, and leaves
// the others in the queue for the next collector.
//
// # Plans
//
// A process makes the [selfplay.Plan] of a run once, and all its workers share it and
// its game. The farm's workers use the plans in [Run]; other workers make them of the
// settings in the jobs.
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
// Results travel uncompressed: two thirds of each are hashes. A farm costs 0.2 to 0.4
// µs of processor time per ply more than the bare player, most of it for Parquet
// (go test -bench Farm ./workers).
package workers
