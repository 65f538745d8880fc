package mend_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
	"github.com/sandtable-farm/sandtable/dataset/mend"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/dataset/replay"
)

func jobs(t testing.TB, text string) (jobs dataset.Jobs) {
	t.Helper()
	if err := jobs.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return jobs
}

// content returns the digest of the episodes of jobs.
func (r *run) content(jobs dataset.Jobs) string {
	var digest dataset.Digest
	for job := range jobs.All() {
		for ep := range r.of(job) {
			digest.Add(ep)
		}
	}
	return digest.String()
}

// In the run of the tests, worker heron played every third job from 0 on, and ibis from 1 on.
func TestDropTakesJobsOutAndLeavesTheOthers(t *testing.T) {
	r := play(t, 3)
	for _, c := range []struct {
		name      string
		selection mend.Selection
		dropped   string
		shards    string
	}{
		{"a worker", mend.Selection{Worker: "heron"}, "0,3,6,9", "[0 2 3]"},
		{"jobs", mend.Selection{Jobs: jobs(t, "2,4-6")}, "2,4-6", "[1 2]"},
		{"a worker and jobs", mend.Selection{Worker: "ibis", Jobs: jobs(t, "0-1,11")}, "0-1,4,7,10-11", "[0 1 2 3]"},
		{"everything", mend.Selection{Jobs: jobs(t, "0-11")}, "0-11", "[0 1 2 3]"},
		{"the last shard", mend.Selection{Jobs: jobs(t, "9-11")}, "9-11", "[3]"},
	} {
		dir := r.write(t)
		before := datasettest.Files(t, dir)
		dry := c.selection
		dry.DryRun = true
		planned, err := mend.Drop(t.Context(), dir, dry)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if !maps.Equal(before, datasettest.Files(t, dir)) {
			t.Errorf("%s: a dry run changed the folder", c.name)
		}
		d, err := mend.Drop(t.Context(), dir, c.selection)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if fmt.Sprint(planned) != fmt.Sprint(d) {
			t.Errorf("%s: the dry run reports %+v, the other %+v", c.name, planned, d)
		}
		if d.Jobs.String() != c.dropped || d.Missing.String() != c.dropped || fmt.Sprint(d.Shards) != c.shards || d.Episodes() != 2*d.Jobs.Len() {
			t.Errorf("%s: jobs %s of shards %v were dropped, %d episodes; %s are missing; want %s of %s", c.name, d.Jobs, d.Shards, d.Episodes(), d.Missing, c.dropped, c.shards)
		}
		report, err := replay.Verify(t.Context(), dir, 1, nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		rest := dataset.JobsBelow(12).Without(d.Jobs)
		if report.ContentDigest != r.content(rest) || report.Manifest.Jobs().String() != rest.String() || report.Manifest.Removed.Len() > 0 || len(report.Leftovers) > 0 {
			t.Errorf("%s: jobs %s are left, want %s; content %s, want %s; leftovers %q", c.name, report.Manifest.Jobs(), rest, report.ContentDigest, r.content(rest), report.Leftovers)
		}
		if n := len(datasettest.Files(t, dir)); n != 2*len(report.Manifest.Shards)+1 {
			t.Errorf("%s: the folder has %d files for %d shards", c.name, n, len(report.Manifest.Shards))
		}
		workers(t, dir, r)
		r.complete(t, dir, c.name)
	}
}

// workers checks that each episode still names its worker.
func workers(t *testing.T, dir string, r *run) {
	t.Helper()
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for ep, err := range reader.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		if want := r.episodes[ep.Number].Worker; ep.Worker != want {
			t.Errorf("episode %d names worker %q, want %q", ep.Number, ep.Worker, want)
		}
	}
}

func TestDropRefusesWhatTheDataSetDoesNotHave(t *testing.T) {
	r := play(t, 3)
	dir := r.write(t)
	before := datasettest.Files(t, dir)
	for want, s := range map[string]mend.Selection{
		`no episode of ` + dir + ` names worker "stork"`: {Worker: "stork", Jobs: jobs(t, "1")},
		"lacks jobs 12-13, has jobs 0-11":                {Jobs: jobs(t, "11-13")},
	} {
		if _, err := mend.Drop(t.Context(), dir, s); !errors.Is(err, mend.ErrSelection) || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := mend.Drop(ctx, dir, mend.Selection{Worker: "heron"}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that is done: error is %v", err)
	}
	if !maps.Equal(before, datasettest.Files(t, dir)) {
		t.Error("refusing changed the folder")
	}
	if _, err := mend.Drop(t.Context(), t.TempDir(), mend.Selection{}); !errors.Is(err, dataset.ErrNoDataSet) {
		t.Errorf("an empty folder: error is %v", err)
	}
	flip(t, dir, shardFile(steps, 2))
	before = datasettest.Files(t, dir)
	var faults dataset.Faults
	if _, err := mend.Drop(t.Context(), dir, mend.Selection{Worker: "heron"}); !errors.As(err, &faults) || faults[0].File != shardFile(steps, 2) {
		t.Errorf("a damaged shard: error is %v", err)
	}
	if !maps.Equal(before, datasettest.Files(t, dir)) {
		t.Error("dropping from a damaged data set changed it")
	}
}

// TestAKillAtAnyStepOfADrop lays out what the disk holds after each step of replacing a
// shard and of taking one out. A writer then finishes, and Drop drops the rest.
func TestAKillAtAnyStepOfADrop(t *testing.T) {
	r := play(t, 3)
	sound := datasettest.Files(t, r.write(t))
	dropped := func(text string) map[string]string {
		dir := lay(t, sound)
		if _, err := mend.Drop(t.Context(), dir, mend.Selection{Jobs: jobs(t, text)}); err != nil {
			t.Fatal(err)
		}
		return datasettest.Files(t, dir)
	}
	between := func(after map[string]string) string { // the manifest before the old files are deleted
		return strings.Replace(after[manifest], "\n}\n", ",\n  \"removed\": \"1\"\n}\n", 1)
	}
	part, all := dropped("4"), dropped("2,4-5")
	newEpisodes, newSteps := shardFile(episodes, 4), shardFile(steps, 4)
	for _, c := range []struct {
		name string
		disk map[string]string
		gone []string
		rest string // jobs of the data set
	}{
		{"replacing: one file written", map[string]string{newEpisodes + ".tmp": part[newEpisodes], newSteps + ".tmp": "half"}, nil, "0-11"},
		{"replacing: one file renamed", map[string]string{newEpisodes: part[newEpisodes], newSteps + ".tmp": part[newSteps]}, nil, "0-11"},
		{"replacing: files renamed", map[string]string{newEpisodes: part[newEpisodes], newSteps: part[newSteps]}, nil, "0-11"},
		{"replacing: manifest written", map[string]string{newEpisodes: part[newEpisodes], newSteps: part[newSteps], manifest + ".tmp": between(part)}, nil, "0-11"},
		{"replacing: manifest renamed", map[string]string{newEpisodes: part[newEpisodes], newSteps: part[newSteps], manifest: between(part)}, nil, "0-3,5-11"},
		{"replacing: one file deleted", map[string]string{newEpisodes: part[newEpisodes], newSteps: part[newSteps], manifest: between(part)}, []string{shardFile(episodes, 1)}, "0-3,5-11"},
		{"replacing: files deleted", map[string]string{newEpisodes: part[newEpisodes], newSteps: part[newSteps], manifest: between(part)}, []string{shardFile(episodes, 1), shardFile(steps, 1)}, "0-3,5-11"},
		{"taking out: manifest renamed", map[string]string{manifest: between(all)}, nil, "0-1,3,6-11"},
		{"taking out: one file deleted", map[string]string{manifest: between(all)}, []string{shardFile(steps, 1)}, "0-1,3,6-11"},
	} {
		dir := lay(t, sound)
		for name, data := range c.disk {
			datasettest.Put(t, dir, name, data)
		}
		for _, name := range c.gone {
			remove(t, dir, name)
		}
		if _, err := replay.Verify(t.Context(), dir, 1, nil); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		repaired := lay(t, datasettest.Files(t, dir))
		repair(t, repaired, c.name)
		r.complete(t, repaired, c.name+", repaired")
		r.commit(t, dir) // opens the data set
		m, err := dataset.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		if m.Jobs().String() != c.rest || m.Removed.Len() > 0 || len(datasettest.Files(t, dir)) != 2*len(m.Shards)+1 {
			t.Errorf("%s: the data set has jobs %s, removed %q, and %d files; want jobs %s", c.name, m.Jobs(), m.Removed, len(datasettest.Files(t, dir)), c.rest)
		}
		r.complete(t, dir, c.name)
	}
}
