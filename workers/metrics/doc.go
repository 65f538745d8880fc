// Package metrics shows a farm to Prometheus. It is the only importer of
// client_golang.
//
// A process makes one [Farm], gives it to its roles as their workers.Meter, binds
// its address with [Listen] before anything else is started, so that a port in
// use is found at once, and then runs [Server.Serve] beside its work.
//
// Every metric lives in a registry of the Farm's own. Labels are bounded: a Farm
// keeps at most [MaxVariants] variants apart and counts further ones together as
// game "other", variant "other". Counting an episode takes no lock and, after
// the first of its kind, allocates nothing.
package metrics
