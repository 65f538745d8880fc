// Package natsq is the queue of a farm on NATS JetStream, and the server that a farm
// embeds when it is not given one. It is the only importer of nats.go and of
// nats-server.
//
// # What the server holds
//
//	stream SANDTABLE_JOBS     sandtable.jobs.RUN.KIND.JOB           a job; KIND is play, again or audit
//	stream SANDTABLE_RESULTS  sandtable.results.RUN.SLICE.JOB       a part of a result, or a dead letter
//	                          sandtable.results.RUN.SLICE.JOB.audit the answer to an audit
//	bucket SANDTABLE_RUNS     RUN.settings                          settings, in parts RUN.settings.N where they are large
//	                          RUN.end, RUN.orders                   the last job of a run without a limit, and orders
//	                          RUN.progress, RUN.progress.I-N        progress of a run, or of the share I of N collectors
//	                          RUN.collector, RUN.collector.I-N      the collector that receives it
//	                          quarantine.WORKER                     why a worker takes no jobs
//	bucket SANDTABLE_WORKERS  WORKER                                report of a worker; expires after a minute
//
// Both streams are work queues: an acknowledged message is deleted. What belongs to a run
// stays until Forget. Whatever reaches the server later, such as the result of a worker
// that was paused, is removed by the next process that lists runs, or that coordinates
// one, when the run has had no settings for a minute.
//
// The message of a job is empty, or has the worker that must not play an audit; settings
// are read once per run. SANDTABLE_JOBS holds at most one message per subject and discards
// a second one, so that no job is queued twice. SLICE is the number of the job modulo 16: a
// collector of a share receives some of the slices (nats-server 2.10 or later; without
// shares, 2.9 suffices).
//
// # Who owns what
//
// The coordinator of a run makes the consumer of its jobs, workers-RUN, and it alone.
// Workers request and acknowledge. A job that a worker gives up is acknowledged, and the
// coordinator queues it again, so that no worker needs the right to queue jobs. The server
// does not bound the number of deliveries, because JetStream keeps a message that has run
// out of deliveries in a work queue for ever, without notice; package workers counts them
// and makes a dead letter of the job.
//
// A collector makes the consumer collector-RUN-I-N-TOKEN of its share, and stores TOKEN in
// the bucket. A later collector of the share stores its own token and removes the
// consumer: the messages that the earlier one held are delivered again at once, and its
// next call fails. A collector that has lost its consumer, and whose token is still stored,
// makes it again.
//
// Results have no message ids: a part that is stored twice arrives twice, and the collector
// drops the copy.
//
// # What vanishes
//
// Every call that finds a stream missing creates it, or waits if the user has no right to.
// Roles with the right are usually the coordinator, and a farm. The coordinator's queue
// stores the settings and the end of its runs again and makes their consumers, when Queued
// finds that they are missing and that the bucket is younger than what was stored in it. A
// run that is missing from the bucket in which it was stored has been forgotten, and the
// error wraps queue.ErrNoRun.
//
// Calls are repeated after errors that pass: no connection, no answer, no stream, no room.
// Pauses grow to 5 s and have a random part. Options.Ready, Options.Backoff and the log
// report what a queue waits for. Credentials that a server rejects later are tried again,
// too. A missing right is not waited for: the call ends, and its error names the user and
// the subject. The example workers/deploy/nats/farm.conf has a user with the least rights
// for each role.
//
// # What is refused
//
// Messages and values are decoded strictly. Those that no role stores, such as jobs with
// negative numbers, results of jobs that the run does not have, or dead letters that name
// another job, are logged and removed, or ignored. They are never the reason why a role
// ends. Settings that do not have the digest of their run are replaced by its coordinator.
//
// # Bounds
//
// Workers receive no job of a run whose waiting results exceed Options.RoomBytes, or half
// of what is free in the stream; other runs go on. So a run without a collector stops only
// itself. The bound is soft: a worker that has begun to store a result can finish it, for
// which 2 MiB are always left. The server knows the number of messages of a run but not
// their size, which is estimated by the mean size of those that the process has stored, or
// of the whole stream.
//
// The streams take up to 1 GiB, 64 MiB, 16 MiB and 4 MiB of the storage of the server, and
// less where it has no room for them. Settings have at most 16 MiB as JSON.
//
// # Messages that are held
//
// A job or a part that is held is not delivered to another process: one goroutine per
// connection reports it at a third of the ack wait. A job is reported only while it makes
// progress: when HeldJob.Extend was not called for Options.StuckAfter, another worker gets
// it.
//
// # Durability
//
// Nothing in the queue is the only copy: results leave it only after the data set has them
// and has been synced, and jobs whose results are lost are played again, with the same
// episodes. What the server acknowledges survives this:
//
//	                         process killed  power failure                 disk lost
//	one server               yes             what is older than the        no
//	                                         sync interval (2 min)
//	one server, SyncAlways   yes             yes                           no
//	Replicas 3, any two      yes             yes, unless two servers fail  yes, of one server
//	servers of the three                     within the sync interval
//
// Killing every process loses nothing, because the system's page cache outlives them.
// SyncAlways costs a sync per message, which few disks do more than some hundred times per
// second. With replicas, a message is acknowledged when two of three servers have it; a run
// goes on while one of them is down.
package natsq
