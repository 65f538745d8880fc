//go:build e2e && soak

package main

import "time"

// The extent of the long tests, which take some hours:
//
//	go test -tags "e2e soak" -timeout 0 -run 'TestChaos|TestFarmStaysFlat' ./cmd/sandtable
//
// -chaos-first, -chaos-rounds, -chaos-time and -flat-episodes run parts of them.
const (
	chaosLength             = 16 // of a run
	chaosRounds             = 300
	chaosLeast, chaosMost   = 5 * time.Second, 60 * time.Second
	chaosFreeze             = 45 * time.Second // above the time after which a job is delivered again
	flatEpisodes, flatLooks = 10_000_000, 60
)

// patience bounds every wait; a healthy run needs a small part of it, and a machine that
// soaks beside other work much more.
const patience = 15 * time.Minute
