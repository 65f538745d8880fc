// Package workers is the farm: it plays the episodes of a run on many cores and
// machines, and each ends up in the data set exactly once.
//
// # Roles
//
// A run is cut into jobs, fixed ranges of episode numbers. Four roles share the
// work over a [Queue]; [Farm] has them all in one process, and [PlayRuns] those of
// several runs with one pool of workers.
//
//   - The coordinator ([Coordinate]) keeps the queue filled with jobs. It
//     remembers nothing: at every look it queues whatever is neither queued nor
//     waiting for the collector nor in the data set.
//   - Workers ([Work]) play jobs of any run and store the results in parts.
//   - The collector ([Collect]) of a run puts parts together and writes whole
//     jobs into shards of the data set. It holds the folder's lock.
//   - A person reads the dead letters of jobs that nobody could do, and requeues
//     them ([Requeue]).
//
// # At least once, and exactly once
//
// The queue delivers at least once. The data set has each episode once, because
// a job counts as done only in one place, the manifest, and things happen in
// this order:
//
//  1. A worker has all parts of a result stored, and then acknowledges the job.
//  2. The collector commits a shard: files synced and renamed, then the manifest.
//  3. It publishes the progress, and only then acknowledges the parts.
//
// Whatever dies between two steps, the message is delivered again, and a result
// whose job the manifest lists is dropped. Since a result is a pure function of
// its job, it does not matter who played it or how often; a checksum over the
// parts tells when it was not one after all. The coordinator looks in the same
// order, so that a job is never out of its sight while on its way; and if it
// were, it would only be played once more.
//
// # Failure
//
// A job that cannot be played is tried again by whoever takes it next. After
// Tuning.MaxDeliveries failures, of whatever kind, it becomes a dead letter:
// DIR/dead/job-NUMBER.json says what went wrong. A panic of an engine or an
// agent fails its job and nothing else. The run goes on with the other jobs and
// ends with a [DeadJobsError].
//
// # External programs
//
// A job only names an agent that is a program of its own; each worker has the
// commands for the names (WorkerConfig.Commands), so that nobody who can write to
// the queue can run a program on a worker. A worker gives a job back that names
// another, uncounted, and asks for jobs more and more slowly while it is given
// such jobs only. When no worker has the program, the run waits, and its
// coordinator says so.
//
// # Stopping
//
// A role stops when its context is done. A worker gives its job back, which is
// not counted as a failure; an episode that takes longer than Tuning.Grace is
// left to itself. The coordinator withdraws what is queued. The collector waits
// for what is on its way, writes what has arrived whole, and leaves the rest in
// the queue, where the next one finds it.
//
// # Clocks
//
// Clocks decide when a shard is written, when a job is tried again, and in a
// run without a fixed number of episodes how many jobs there are, unless so many
// are asked for (RunConfig.Jobs). They never decide what an episode holds, and so
// not what equal settings give.
//
// # In order
//
// A run whose episodes are looked at while it lasts (RunConfig.Each) is handed out and
// written in order of number, so that what is seen of it depends on no clock and no
// number of workers. Jobs wait for those below them, in the queue and in memory, and
// none is queued far above the first that is not done.
//
// # Cost
//
// A result is not compressed on its way: two thirds of it are hashes. A farm
// costs 0.2 to 0.4 µs of processor time a ply above the bare player, most of it
// Parquet (go test -bench Farm ./workers).
package workers
