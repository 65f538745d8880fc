//go:build unix

package workers_test

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/natsq"
)

// BenchmarkFarm reports the processor time of a ply in a whole farm, embedded
// server and Parquet included (farm-ns/ply), in the bare loop that plays the
// same episodes (bare-ns/ply), the difference, and what the replay of the results adds
// (replay-%). Processor time, because the roles run beside each other.
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

// BenchmarkWorkers reports how much of their time workers play when a job takes three seconds
// of waiting, for up to 500 goroutines in 50 processes with a connection each, from the
// first job to the last. The run is announced before the workers start: a worker that runs
// already finds it within Tuning.Scout.
func BenchmarkWorkers(b *testing.B) {
	const job, each = 3 * time.Second, 6 // jobs of a goroutine
	for _, n := range []int{1, 50, 500} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for range b.N {
				s := settings(b, "ntxuva/4", "random", int64(n*each), 1)
				server, err := natsq.StartServer(b.Context(), natsq.ServerOptions{Dir: b.TempDir(), Listen: "127.0.0.1:0"})
				if err != nil {
					b.Fatal(err)
				}
				defer server.Close()
				open := func() *natsq.Queue {
					q, err := natsq.Connect(b.Context(), natsq.Options{URL: server.URL()})
					if err != nil {
						b.Fatal(err)
					}
					b.Cleanup(func() { _ = q.Close() })
					return q
				}
				var first sync.Once
				var begun, ended time.Time
				var done atomic.Int64
				meter := &tally{onEpisode: func(int) {
					first.Do(func() { begun = time.Now() })
					time.Sleep(job)
					if done.Add(1) == int64(n*each) {
						ended = time.Now()
					}
				}}
				q := open()
				if err := q.PutRun(b.Context(), &s); err != nil {
					b.Fatal(err)
				}
				ctx, stop := context.WithCancel(b.Context())
				var all errgroup.Group
				per := min(n, 10)
				for range n / per {
					q := open()
					all.Go(func() error { return workers.Work(ctx, workers.WorkerConfig{Queue: q, Workers: per, Meter: meter}) })
				}
				all.Go(func() error {
					return workers.Coordinate(b.Context(), workers.CoordinatorConfig{Queue: q, Plan: plan(b, s)})
				})
				_, err = workers.Collect(b.Context(), workers.CollectorConfig{Queue: open(), Dir: b.TempDir(), Run: s.Run()})
				stop()
				if err := errors.Join(err, all.Wait()); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(100*each*job.Seconds()/ended.Sub(begun).Seconds(), "busy-%")
			}
		})
	}
}
