// Package natsq is the queue of a farm on NATS JetStream, and the server that is
// embedded where none is named. It is the only importer of nats.go and of
// nats-server.
//
// # What is on the server
//
//	stream JOBS      sandtable.jobs.RUN.JOB     a job as JSON
//	stream EPISODES  sandtable.episodes.RUN.JOB a part of a result, or a dead letter
//	bucket RUNS      RUN.settings, RUN.progress, RUN.end
//
// Both streams are work queues: an acknowledged message is gone. Keys of the bucket
// stay until a process that has conducted the whole run forgets it.
//
// JOBS holds one message a job at most and discards a second one, so that a job
// is not queued twice. All workers share one pull consumer over all runs. The
// number of deliveries is not bounded by the server, because JetStream keeps a
// message that ran out of deliveries in a work queue for ever and tells nobody;
// package workers counts them, and gives the job up with a record.
//
// EPISODES has one consumer a run, made afresh by each collector: what an
// earlier one held and did not acknowledge is delivered again at once, and an
// earlier one that still runs is told. Message ids RUN/JOB/PART drop what is
// published twice within a minute; the collector drops the rest by its manifest.
// Dead letters have no id, since a job that was requeued may die again.
//
// # What bounds it
//
// No worker is given a job while EPISODES holds Options.ResultBytes, so that
// workers cannot outrun the collector for long. The bound is soft on purpose: a
// worker that has begun to store a result can finish it. Were it hard, many
// half-stored results could fill the stream and none ever become whole. The
// stream's own limit, far above, protects the disk.
//
// # What is held
//
// A job and a part are kept from being delivered to another by InProgress, at a
// third of the ack wait, by one goroutine for the whole connection.
//
// # Durability
//
// The embedded server leaves the interval at which it syncs files at JetStream's
// default of two minutes. Killing every process loses nothing, because the
// system's page cache outlives them. After a power failure the store may lack
// the last messages; then jobs are played and results stored a second time, and
// the data are the same: nothing in the queue is the only copy of anything, since
// results leave it only after the data set has them and was synced.
package natsq
