//go:build long

package tankbattle_test

import (
	"flag"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/env"
)

var (
	differentialFor  = flag.Duration("differential-for", 30*time.Second, "how long the comparison with the reference runs; the test's -timeout must be longer")
	differentialSeed = flag.Uint64("differential-seed", 1, "seed of the comparison with the reference")
)

// TestPlaysLikeTheReferenceForLong compares random rule sets, and each preset now
// and then, until the time is over:
//
//	go test ./env/tankbattle -tags long -run ForLong -v -differential-for 1h -timeout 2h
func TestPlaysLikeTheReferenceForLong(t *testing.T) {
	round := uint64(0)
	defer func() {
		t.Logf("seed %d: %d random rule sets and %d games of presets", *differentialSeed, round, round/50)
	}()
	for end := time.Now().Add(*differentialFor); time.Now().Before(end); round++ {
		rand := env.NewRand(env.Derive(*differentialSeed, round))
		compareRandom(t, rand.IntN, 200)
		if round%50 != 49 {
			continue
		}
		name := presetNames[round/50%uint64(len(presetNames))]
		v := load(t, name)
		if err := compare(v.Game, rulesOf(t, name), v.Game.Spec().StartText, 600, rand.IntN); err != nil {
			t.Fatalf("round %d, %s: %v", round, name, err)
		}
	}
}
