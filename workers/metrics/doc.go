// Package metrics exports the metrics of a farm to Prometheus. It is the only importer of
// client_golang.
//
// A process makes one [Farm] and gives it to its roles as their workers.Meter. It binds
// its address with [Listen] before it starts anything else, so that a port in use is
// reported at once, and then runs [Server.Serve] beside its work.
//
// All metrics are in a registry of the Farm; METRICS.md lists them. Labels are bounded: a
// Farm counts at most [MaxVariants] variants separately, and all others together as game
// "other", variant "other". It shows the last [MaxRuns] runs. Counting an episode takes
// no lock and, after the first of its kind, allocates nothing.
package metrics
