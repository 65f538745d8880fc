package mend_test

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
	"github.com/sandtable-farm/sandtable/dataset/mend"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// A run is a real run of 24 episodes in jobs of two, with its content digest.
type run struct {
	settings dataset.Settings
	episodes []*dataset.Episode
	digest   string
}

func play(t testing.TB, seed uint64) *run {
	t.Helper()
	v, err := games.Lookup("ntxuva/4")
	if err != nil {
		t.Fatal(err)
	}
	config := selfplay.Config{Variant: v, Opening: selfplay.Opening{Plies: 3}, MaxPlies: 30, Seed: seed}
	for i := range config.Agents {
		if config.Agents[i], err = agent.Parse("random", v, nil); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := selfplay.NewPlan(config)
	if err != nil {
		t.Fatal(err)
	}
	r := &run{settings: plan.Cut(24, 2).Settings()}
	var digest dataset.Digest
	err = selfplay.PlayAll(context.Background(), plan, r.settings.Run(), 0, 24, 1, func(ep *dataset.Episode) error {
		digest.Add(ep)
		stored := new(dataset.Episode)
		_, err := dataset.ReadEpisode(dataset.AppendEpisode(nil, ep), stored)
		stored.Worker = []string{"heron", "ibis", ""}[ep.Number/2%3]
		r.episodes = append(r.episodes, stored)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	r.digest = digest.String()
	return r
}

func (r *run) of(jobs ...int64) iter.Seq2[*dataset.Episode, error] {
	return func(yield func(*dataset.Episode, error) bool) {
		for _, job := range jobs {
			first, count := r.settings.Job(job)
			for i := range count {
				if !yield(r.episodes[first+i], nil) {
					return
				}
			}
		}
	}
}

// commit writes shards of the given jobs.
func (r *run) commit(t testing.TB, dir string, shards ...[]int64) {
	t.Helper()
	lock, err := dataset.AcquireLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	w, err := parquetio.OpenWriter(lock, &r.settings)
	if err != nil {
		t.Fatal(err)
	}
	for _, jobs := range shards {
		if _, err := w.Commit(jobs, r.of(jobs...)); err != nil {
			t.Fatal(err)
		}
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
}

// write writes the complete run into a new folder in four shards.
func (r *run) write(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	r.commit(t, dir, []int64{0, 1, 3}, []int64{2, 4, 5}, []int64{6, 7, 8}, []int64{9, 10, 11})
	return dir
}

// complete plays the missing jobs, as a farm does, and verifies that the data set has every
// episode once.
func (r *run) complete(t testing.TB, dir, after string) {
	t.Helper()
	m, err := dataset.Load(dir)
	if err != nil {
		t.Fatalf("%s: %v", after, err)
	}
	if missing := slices.Collect(dataset.JobsBelow(12).Without(m.Jobs()).All()); len(missing) > 0 {
		r.commit(t, dir, missing)
	} else {
		r.commit(t, dir)
	}
	report, err := replay.Verify(context.Background(), dir, 1, nil)
	if err != nil {
		t.Fatalf("%s: %v", after, err)
	}
	if report.ContentDigest != r.digest || !report.Manifest.Complete || len(report.Leftovers) > 0 {
		t.Errorf("%s: completed to %d episodes, complete %v, content %s, want %s; leftovers %q",
			after, report.Episodes, report.Manifest.Complete, report.ContentDigest, r.digest, report.Leftovers)
	}
}

// repair repairs a data set and verifies that it has no fault.
func repair(t testing.TB, dir, after string) *mend.Repaired {
	t.Helper()
	repaired, err := mend.Repair(context.Background(), dir, mend.Options{Goroutines: 1})
	if err != nil {
		t.Fatalf("%s: %v", after, err)
	}
	if _, err := replay.Verify(context.Background(), dir, 1, nil); err != nil {
		t.Fatalf("%s: after the repair: %v", after, err)
	}
	return repaired
}

// lay writes files into a new folder.
func lay(t testing.TB, all map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range all {
		datasettest.Put(t, dir, name, data)
	}
	return dir
}

func remove(t testing.TB, dir, name string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
		t.Fatal(err)
	}
}

// flip inverts a bit in the middle of a file.
func flip(t testing.TB, dir, name string) {
	t.Helper()
	data := []byte(datasettest.Files(t, dir)[name])
	data[len(data)/2] ^= 4
	datasettest.Put(t, dir, name, string(data))
}
