// Package queue defines what the roles of a farm exchange (jobs, results, progress and
// orders) and the interface of the queue that carries it. Package natsq implements it
// on NATS JetStream; a Go program may bring its own.
//
// A queue delivers at least once and keeps nothing that is the only copy: the settings
// of a run are in the hands of its coordinator and in the data set, and a job that the
// queue has lost is queued again.
package queue
