//go:build e2e && !soak

package main

import "time"

// The extent of the long tests.
const (
	chaosLength             = 1 // of a run
	chaosRounds             = 60
	chaosLeast, chaosMost   = 2 * time.Second, 5 * time.Second
	chaosPatience           = patience // for the end of a run that is left in peace
	chaosFreeze             = 4 * time.Second
	flatEpisodes, flatLooks = 200_000, 12
)
