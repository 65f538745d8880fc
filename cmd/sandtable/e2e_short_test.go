//go:build e2e && !soak

package main

import "time"

// The extent of the long tests.
const (
	chaosLength             = 1 // of a run
	chaosRounds             = 60
	chaosLeast, chaosMost   = 2 * time.Second, 5 * time.Second
	chaosFreeze             = 4 * time.Second
	flatEpisodes, flatLooks = 200_000, 12
)

// patience bounds every wait; a healthy run needs a small part of it.
const patience = 3 * time.Minute
