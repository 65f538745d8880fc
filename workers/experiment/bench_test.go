package experiment_test

import (
	"path/filepath"
	"strconv"
	"testing"

	"github.com/sandtable-farm/sandtable/selfplay/record"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/experiment"
)

// BenchmarkPlay reports the time that an episode of four arms side by side takes on a
// farm with a server of its own, and where the arms are recorded one after the other
// without a queue.
func BenchmarkPlay(b *testing.B) {
	for _, c := range []struct {
		agent    string
		episodes int64
	}{{"random", 10_000}, {"greedy", 10_000}, {"alphabeta:nodes=100", 200}} {
		arms := func(b *testing.B) (all []experiment.Arm) {
			dir := b.TempDir()
			for i := range 4 {
				all = append(all, experiment.Arm{
					Dir: filepath.Join(dir, strconv.Itoa(i)), Plan: plan(b, "trench/standard", c.agent, c.agent, uint64(i)), Episodes: c.episodes,
				})
			}
			return all
		}
		perEpisode := func(b *testing.B) {
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(4*c.episodes)/float64(b.N), "µs/episode")
		}
		b.Run(c.agent+"/farm", func(b *testing.B) {
			for range b.N {
				cfg := config(b, 0)
				cfg.Tuning.Tick = 0
				farm := workers.New(cfg)
				if err := experiment.Play(b.Context(), farm, arms(b), nil); err != nil {
					b.Fatal(err)
				}
				if err := farm.Close(); err != nil {
					b.Fatal(err)
				}
			}
			perEpisode(b)
		})
		b.Run(c.agent+"/recorded", func(b *testing.B) {
			for range b.N {
				for _, arm := range arms(b) {
					r := record.Recording{Dir: arm.Dir, Plan: arm.Plan, Episodes: arm.Episodes, Workers: 2}
					if err := record.Play(b.Context(), r); err != nil {
						b.Fatal(err)
					}
				}
			}
			perEpisode(b)
		})
	}
}
