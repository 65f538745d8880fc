package dataset_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
)

func TestDistinctHashesAreCountedExactlyAndThenEstimated(t *testing.T) {
	var d dataset.DistinctCounter
	if n, relative := d.Count(); n != 0 || relative != 0 {
		t.Errorf("the empty counter counts %d ± %v", n, relative)
	}
	rand := env.NewRand(1)
	added := int64(0)
	for _, until := range []int64{1, 1000, 1 << 17, 1<<17 + 1, 400_000, 2_000_000} {
		for ; added < until; added++ {
			hash := rand.Uint64()
			d.Add(hash)
			if added%3 == 0 {
				d.Add(hash) // a hash that occurs twice counts once
			}
		}
		n, relative := d.Count()
		if exact := until <= 1<<17; exact && (n != until || relative != 0) || !exact && relative != dataset.DistinctError {
			t.Errorf("%d hashes are counted as %d ± %v", until, n, relative)
		}
		if off := math.Abs(float64(n)/float64(until) - 1); off > dataset.DistinctError {
			t.Errorf("%d hashes are counted as %d, an error of %.4f", until, n, off)
		}
	}
}

func TestTheMemoryOfADistinctCounterIsBounded(t *testing.T) {
	var d dataset.DistinctCounter
	rand := env.NewRand(2)
	for range 1<<17 + 1 {
		d.Add(rand.Uint64())
	}
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	for range 1_000_000 {
		d.Add(rand.Uint64())
	}
	if grown := heap() - before; grown > 1<<20 {
		t.Errorf("a million hashes took %d bytes", grown)
	}
	runtime.KeepAlive(&d)
}

// A summary never has more distinct games than games.
func TestEstimatedDistinctGamesAreAtMostAllGames(t *testing.T) {
	tally := dataset.NewTally()
	var ep dataset.Episode
	for i := range 140_000 {
		ep.Reset()
		ep.Terminated = true
		ep.AddStep().Action = env.Action(i)
		tally.Add(&ep)
	}
	s := tally.Summary()
	if s.DistinctError != dataset.DistinctError || s.Distinct > s.Episodes || s.DistinctShare() < 0.98 {
		t.Errorf("%d of %d games are distinct, error %v", s.Distinct, s.Episodes, s.DistinctError)
	}
}
