//go:build unix

package workers_test

import (
	"context"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/workers"
)

// BenchmarkFarm reports the processor time of a ply in a whole farm, embedded
// server and Parquet included (farm-ns/ply), in the bare loop that plays the
// same episodes (bare-ns/ply), and the difference, and what the replay of the results
// adds (replay-%). Processor time, because the
// roles run beside each other.
func BenchmarkFarm(b *testing.B) {
	for _, c := range []struct {
		variant, agent string
		episodes       int64
	}{
		{"trench/standard", "random", 40_000},
		{"ntxuva/basic", "random", 60_000},
		{"trench/standard", "greedy", 100_000},
		{"ntxuva/basic", "greedy", 60_000},
	} {
		b.Run(c.variant+"/"+c.agent, func(b *testing.B) {
			s := settings(b, c.variant, c.agent, c.episodes, 500)
			var farm, bare, checked time.Duration
			var plies, bytes int64
			for i := range b.N {
				start := processorTime(b)
				player, err := selfplay.NewPlayer(plan(b, s))
				if err != nil {
					b.Fatal(err)
				}
				var ep dataset.Episode
				for number := range c.episodes {
					if err := player.Play(number, &ep); err != nil {
						b.Fatal(err)
					}
				}
				bare += processorTime(b) - start

				for _, trust := range []bool{true, false} {
					cfg := newFarm(filepath.Join(b.TempDir(), strconv.Itoa(i)), s)
					cfg.Tuning, cfg.Trust = workers.Tuning{}, trust
					start = processorTime(b)
					report, err := cfg.play(context.Background())
					if err != nil {
						b.Fatal(err)
					}
					if !trust {
						checked += processorTime(b) - start
						continue
					}
					farm += processorTime(b) - start
					plies += report.Plies
					bytes += report.Bytes
				}
			}
			perPly := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(plies) }
			b.ReportMetric(perPly(farm), "farm-ns/ply")
			b.ReportMetric(perPly(bare), "bare-ns/ply")
			b.ReportMetric(perPly(farm-bare), "extra-ns/ply")
			b.ReportMetric(100*float64(farm-bare)/float64(bare), "extra-%")
			b.ReportMetric(100*float64(checked-farm)/float64(bare), "replay-%")
			b.ReportMetric(float64(bytes)/float64(plies), "bytes/ply")
		})
	}
}

// processorTime is what this process has used so far.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
