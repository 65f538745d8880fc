//go:build e2e && soak

package main

import "time"

// The extent of the long tests.
const (
	chaosLength             = 16 // of a run
	chaosRounds             = 300
	chaosLeast, chaosMost   = 5 * time.Second, 60 * time.Second
	chaosPatience           = 15 * time.Minute // for the end of a run that is left in peace
	chaosFreeze             = 45 * time.Second // above the time after which a job is delivered again
	flatEpisodes, flatLooks = 10_000_000, 60
)
