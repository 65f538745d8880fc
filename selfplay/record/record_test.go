package record_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/record"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

// recording makes a recording of an agent against itself into a new folder.
func recording(t testing.TB, agent string, episodes int64) record.Recording {
	t.Helper()
	plan := selfplaytest.Plan(t, "ntxuva/4", agent, agent, func(c *selfplay.Config) { c.Opening.Plies, c.MaxPlies = 4, 300 })
	return record.Recording{Dir: filepath.Join(t.TempDir(), "data"), Plan: plan, Episodes: episodes, Workers: 2}
}

// digest proves a data set and returns its number of episodes and its digest.
func digest(t testing.TB, dir string) (int64, string) {
	t.Helper()
	report, err := replay.Verify(t.Context(), dir, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report.Episodes, report.ContentDigest
}

func play(t testing.TB, r record.Recording) {
	t.Helper()
	if err := record.Play(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}

func TestARecordingCutShortGoesOnToTheSameData(t *testing.T) {
	whole := recording(t, "greedy", 21)
	play(t, whole)
	r := recording(t, "greedy", 21)
	r.Workers = 1
	ctx, cancel := context.WithCancel(t.Context())
	r.Progress = func(games, _ int64) {
		if games == 8 {
			cancel()
		}
	}
	if err := record.Play(ctx, r); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), r.Dir) {
		t.Fatalf("error is %v", err)
	}
	missing := r.Missing()
	if missing < 10 || missing > 13 {
		t.Fatalf("%d of 21 games are missing after 8 were played", missing)
	}
	var told int64
	r.Progress = func(games, _ int64) { told = games }
	play(t, r)
	if told != missing || r.Missing() != 0 {
		t.Errorf("%d games were played, %d were missing, %d are", told, missing, r.Missing())
	}
	n, content := digest(t, r.Dir)
	if _, want := digest(t, whole.Dir); n != 21 || content != want {
		t.Errorf("%d games %s, in one go %s", n, content, want)
	}
}

func TestARecordingIsMadeLonger(t *testing.T) {
	long, r := recording(t, "random", 9), recording(t, "random", 4)
	play(t, long)
	play(t, r)
	r.Episodes = 9
	play(t, r)
	r.Episodes = 5 // nothing to do
	play(t, r)
	n, content := digest(t, r.Dir)
	if _, want := digest(t, long.Dir); n != 9 || content != want {
		t.Errorf("%d games %s, in one go %s", n, content, want)
	}
}

func TestEachEpisodeIsHandedOutInOrderUntilEnough(t *testing.T) {
	r := recording(t, "random", 20)
	var seen []int64
	r.Each = func(ep *dataset.Episode) bool {
		seen = append(seen, ep.Number)
		return ep.Number < 6
	}
	play(t, r)
	if n, _ := digest(t, r.Dir); n != 7 || len(seen) != 7 || seen[6] != 6 {
		t.Errorf("%d episodes are there, handed out were %v", n, seen)
	}
	seen = nil
	play(t, r) // handed out again, none played
	r.Each = func(ep *dataset.Episode) bool {
		seen = append(seen, ep.Number)
		return true
	}
	r.Episodes = 10
	play(t, r)
	if len(seen) != 7+10 || seen[6] != 6 || seen[7] != 0 || seen[16] != 9 {
		t.Errorf("handed out were %v", seen)
	}
}

func TestWhatCannotBeRecordedLeavesNoDataSet(t *testing.T) {
	for want, change := range map[string]func(*record.Recording){
		"use fewer opening plies": func(r *record.Recording) {
			r.Plan = selfplaytest.Changed(t, r.Plan, func(c *selfplay.Config) { c.Opening.Plies, c.MaxPlies = 1500, 0 })
		},
	} {
		r := recording(t, "random", 3)
		change(&r)
		if err := record.Play(t.Context(), r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
		if m, err := dataset.Load(r.Dir); err == nil && m.Episodes() > 0 {
			t.Errorf("%s: %d episodes are left behind", want, m.Episodes())
		}
	}
}

func TestAFolderOfAnotherRunIsRefused(t *testing.T) {
	r := recording(t, "random", 3)
	play(t, r)
	r.Plan = selfplaytest.Changed(t, r.Plan, func(c *selfplay.Config) { c.Seed = 2 })
	if err := record.Play(t.Context(), r); !errors.Is(err, dataset.ErrSettings) || !strings.Contains(err.Error(), "seed is") {
		t.Errorf("error is %v", err)
	}
}

func TestAFolderWithGapsIsRefused(t *testing.T) {
	r := recording(t, "random", 3)
	settings := record.Settings(r.Plan)
	lock, err := dataset.AcquireLock(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	w, err := parquetio.OpenWriter(lock, &settings)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Commit([]int64{1}, func(yield func(*dataset.Episode, error) bool) {
		err := selfplay.PlayAll(t.Context(), r.Plan, settings.Run(), 1, 1, 1, func(ep *dataset.Episode) error {
			yield(ep, nil)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	if err := errors.Join(err, lock.Release()); err != nil {
		t.Fatal(err)
	}
	if err := record.Play(t.Context(), r); err == nil || !strings.Contains(err.Error(), "must contain all jobs from 0 on") {
		t.Errorf("error is %v", err)
	}
}

func TestAPlanThatCannotBePlayedLeavesNoFolder(t *testing.T) {
	r := recording(t, "random", 3)
	fault := errors.New("no such opening book")
	r.Plan = selfplaytest.Changed(t, r.Plan, func(c *selfplay.Config) {
		c.Agents[0] = agent.Custom("mine", false, func(env.Game) (agent.Agent, error) { return nil, fault })
	})
	if err := record.Play(t.Context(), r); !errors.Is(err, fault) {
		t.Errorf("error is %v", err)
	}
	if _, err := os.Stat(r.Dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is left behind: %v", err)
	}
}

func TestShardsAreWrittenEveryMillionPlies(t *testing.T) {
	r := recording(t, "random", 60_000)
	r.Plan = selfplaytest.Changed(t, r.Plan, func(c *selfplay.Config) { c.MaxPlies = 20 })
	play(t, r)
	m, err := dataset.Load(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Shards) != 2 || m.Steps() < 1<<20 || m.Shards[0].Steps.Rows < 1<<20 || m.Shards[0].Steps.Rows >= 1<<20+20 {
		t.Errorf("shards are %+v", m.Shards)
	}
}
