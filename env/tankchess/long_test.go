//go:build long

package tankchess_test

import (
	"flag"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/tankchess"
)

var (
	differentialFor  = flag.Duration("differential-for", 30*time.Second, "how long the comparison with the reference runs; the test's -timeout must be longer")
	differentialSeed = flag.Uint64("differential-seed", 1, "seed of the comparison with the reference")
)

// TestPlaysLikeTheReferenceForLong compares random rule sets, and a preset now
// and then, until the time is over:
//
//	go test ./env/tankchess -tags long -run ForLong -v -differential-for 1h -timeout 2h
func TestPlaysLikeTheReferenceForLong(t *testing.T) {
	engine := tankchess.Engine()
	presets := engine.PresetNames()
	all := newComparison(nil)
	round := uint64(0)
	defer func() { t.Logf("seed %d, ended at rule set %d", *differentialSeed, round) }()
	for end := time.Now().Add(*differentialFor); time.Now().Before(end); round++ {
		all.pick = env.NewRand(env.Derive(*differentialSeed, round)).IntN
		all.custom(t, 4, 200)
		if round%50 == 0 {
			all.preset(t, presets[int(round/50)%len(presets)], 2, 300)
		}
	}
	all.demand(t)
}
