// Package natsq is the queue of a farm on NATS JetStream, and the server that a farm
// embeds when it is not given one. It is the only importer of nats.go and of
// nats-server.
//
// # What the server holds
//
//	stream JOBS      sandtable.jobs.RUN.JOB     a job as JSON
//	stream EPISODES  sandtable.episodes.RUN.JOB a part of a result, or a dead letter
//	bucket RUNS      RUN.settings, RUN.progress, RUN.end
//
// Both streams are work queues: an acknowledged message is deleted. Keys of the
// bucket stay until a farm that has played the whole run removes them.
//
// JOBS holds at most one message per job and discards a second one, so that no job is
// queued twice. All workers share one pull consumer over all runs. The server does not
// bound the number of deliveries, because JetStream keeps a message that has run out
// of deliveries in a work queue for ever, without notice; package workers counts them
// and makes a dead letter of the job.
//
// EPISODES has one consumer per run. Each collector makes a new one: the messages that
// an earlier collector held are delivered again at once, and that collector's next
// call fails. Message ids RUN/JOB/PART drop what is published twice within a minute;
// the collector drops the rest by its manifest. Dead letters have no id, since a job
// that was queued again may fail again.
//
// # Bounds
//
// Workers receive no job while EPISODES holds Options.ResultBytes or more, so they
// cannot outrun the collector for long. The bound is soft: a worker that has begun to
// store a result can finish it. With a hard bound, many half-stored results could fill
// the stream, and none of them would ever become whole. The limit of the stream itself
// is far higher and protects the disk.
//
// # Messages that are held
//
// A job or a part that is held is not delivered to another process: one goroutine per
// connection sends InProgress at a third of the ack wait.
//
// # Durability
//
// The embedded server syncs its files at JetStream's default interval of two minutes.
// Killing every process loses nothing, because the system's page cache outlives them.
// After a power failure the store may lack the last messages; then jobs are played and
// results stored a second time, and the data are the same. Nothing in the queue is the
// only copy: results leave it only after the data set has them and has been synced.
package natsq
