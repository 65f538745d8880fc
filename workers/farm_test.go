package workers_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/natsq"
)

// settings returns a run of small jobs.
func settings(t testing.TB, variant, agent string, episodes, jobEpisodes int64) dataset.Settings {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := selfplay.ParseAgent(agent)
	if err != nil {
		t.Fatal(err)
	}
	plan := selfplay.Plan{
		Variant: v, Agents: [2]selfplay.AgentSpec{spec, spec},
		Opening: selfplay.Opening{Plies: 2}, MaxPlies: 300, Seed: 7,
	}
	s := plan.Settings(episodes)
	s.JobEpisodes = jobEpisodes
	return s
}

// tuning makes the roles quick.
func tuning() workers.Tuning {
	return workers.Tuning{Tick: 10 * time.Millisecond}
}

func farmConfig(dir string, s dataset.Settings) workers.FarmConfig {
	return workers.FarmConfig{
		Dir: dir, Settings: s, Workers: 2, Tuning: tuning(),
		Open: natsq.Embedded(natsq.ServerOptions{Dir: filepath.Join(dir, "nats")}, natsq.Options{}),
	}
}

func TestFarmPlaysEveryEpisodeOnce(t *testing.T) {
	for _, variant := range []string{"trench/standard", "ntxuva/basic"} {
		t.Run(variant, func(t *testing.T) {
			dir := t.TempDir()
			start := time.Now()
			report, err := workers.Farm(context.Background(), farmConfig(dir, settings(t, variant, "random", 203, 10)))
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%+v %v", report, time.Since(start))
		})
	}
}
