package mend_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
	"github.com/sandtable-farm/sandtable/dataset/mend"
	"github.com/sandtable-farm/sandtable/dataset/replay"
)

const (
	manifest = "manifest.json"
	episodes = "episodes/0000000%d.parquet"
	steps    = "steps/0000000%d.parquet"
)

func shardFile(table string, number int) string { return fmt.Sprintf(table, number) }

// damages are kinds of damage with what Repair makes of them.
func damages(t testing.TB, r *run) []damaged {
	older := t.TempDir()
	r.commit(t, older, []int64{0, 1, 3}, []int64{2, 4, 5})
	other := play(t, 9)
	foreign := other.write(t)
	return []damaged{
		{"a sound data set", func(string) {}, "", nil, nil},
		{"a flipped bit", func(dir string) { flip(t, dir, shardFile(steps, 1)) }, "2,4-5", []int64{1}, nil},
		{"two damaged shards", func(dir string) {
			flip(t, dir, shardFile(steps, 3))
			remove(t, dir, shardFile(episodes, 0))
		}, "0-1,3,9-11", []int64{0, 3}, nil},
		{"a lost shard", func(dir string) {
			remove(t, dir, shardFile(episodes, 2))
			remove(t, dir, shardFile(steps, 2))
		}, "6-8", []int64{2}, nil},
		{"a shard that is a folder", func(dir string) {
			remove(t, dir, shardFile(episodes, 2))
			datasettest.Put(t, dir, shardFile(episodes, 2)+"/notes", "n")
		}, "6-8", []int64{2}, nil},
		{"a lost manifest", func(dir string) { remove(t, dir, manifest) }, "", nil, []int64{0, 1, 2, 3}},
		{"a lost manifest and a damaged shard", func(dir string) {
			remove(t, dir, manifest)
			datasettest.Put(t, dir, shardFile(steps, 3), datasettest.Files(t, dir)[shardFile(steps, 3)][:3000])
		}, "9-11", []int64{3}, []int64{0, 1, 2}},
		{"a cut manifest", func(dir string) { datasettest.Put(t, dir, manifest, datasettest.Files(t, dir)[manifest][:200]) }, "", nil, []int64{0, 1, 2, 3}},
		{"a manifest that is a folder", func(dir string) {
			remove(t, dir, manifest)
			datasettest.Put(t, dir, manifest+"/x", "")
		}, "", nil, []int64{0, 1, 2, 3}},
		{"an older manifest", func(dir string) { datasettest.Put(t, dir, manifest, datasettest.Files(t, older)[manifest]) }, "", nil, []int64{2, 3}},
		{"the manifest of another run", func(dir string) { datasettest.Put(t, dir, manifest, datasettest.Files(t, foreign)[manifest]) }, "", nil, []int64{0, 1, 2, 3}},
		{"a shard of another run", func(dir string) {
			for _, table := range []string{episodes, steps} {
				datasettest.Put(t, dir, shardFile(table, 1), datasettest.Files(t, foreign)[shardFile(table, 1)])
			}
		}, "2,4-5", []int64{1}, nil},
		{"a copy of a shard", func(dir string) {
			for _, table := range []string{episodes, steps} {
				datasettest.Put(t, dir, shardFile(table, 7), datasettest.Files(t, dir)[shardFile(table, 1)])
			}
		}, "", []int64{7}, nil},
		{"two shards that changed places", func(dir string) {
			before := datasettest.Files(t, dir)
			for _, table := range []string{episodes, steps} {
				datasettest.Put(t, dir, shardFile(table, 1), before[shardFile(table, 2)])
				datasettest.Put(t, dir, shardFile(table, 2), before[shardFile(table, 1)])
			}
		}, "2,4-8", []int64{1, 2}, nil},
		{"jobs of two shards that changed places in the manifest", func(dir string) {
			text := strings.NewReplacer(`"0-1,3"`, `"2,4-5"`, `"2,4-5"`, `"0-1,3"`).Replace(datasettest.Files(t, dir)[manifest])
			datasettest.Put(t, dir, manifest, text)
		}, "", nil, []int64{0, 1}},
		{"files of a killed writer", func(dir string) {
			for _, name := range []string{shardFile(episodes, 4), shardFile(episodes, 4) + ".tmp", "steps/writer-a.parquet.tmp", "manifest.json.tmp", shardFile(steps, 9) + ".tmp"} {
				datasettest.Put(t, dir, name, "half")
			}
		}, "", []int64{4}, nil},
		{"a Parquet file with another name", func(dir string) { datasettest.Put(t, dir, "steps/copy.parquet", "x") }, "", []int64{-1}, nil},
	}
}

type damaged struct {
	name     string
	damage   func(dir string)
	missing  string  // jobs to be played again
	aside    []int64 // numbers of the shards put aside
	relisted []int64
}

func TestRepairMakesADamagedFolderADataSetAgain(t *testing.T) {
	r := play(t, 3)
	for _, c := range damages(t, r) {
		dir := r.write(t)
		c.damage(dir)
		before := datasettest.Files(t, dir)
		dry, err := mend.Repair(t.Context(), dir, mend.Options{Goroutines: 1, DryRun: true})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if !maps.Equal(before, datasettest.Files(t, dir)) {
			t.Fatalf("%s: a dry run changed the folder", c.name)
		}
		repaired := repair(t, dir, c.name)
		if fmt.Sprint(dry) != fmt.Sprint(repaired) {
			t.Errorf("%s: the dry run reports %+v, the repair %+v", c.name, dry, repaired)
		}
		var aside []int64
		for _, a := range repaired.Aside {
			aside = append(aside, a.Number)
			if a.Reason == "" {
				t.Errorf("%s: shard %d was put aside without a reason", c.name, a.Number)
			}
		}
		slices.Sort(aside)
		if repaired.Missing.String() != c.missing || !slices.Equal(aside, c.aside) || !slices.Equal(repaired.Relisted, c.relisted) {
			t.Errorf("%s: jobs %s are missing, shards %v aside, %v relisted; want %s, %v, %v",
				c.name, repaired.Missing, aside, repaired.Relisted, c.missing, c.aside, c.relisted)
		}
		if after := datasettest.Files(t, dir); repaired.Changed() == maps.Equal(before, after) {
			t.Errorf("%s: the repair reports a change: %v", c.name, repaired.Changed())
		} else {
			keptOrAside(t, c.name, before, after)
		}
		if again := repair(t, dir, c.name); again.Changed() {
			t.Errorf("%s: a second repair reports %+v", c.name, again)
		}
		r.complete(t, dir, c.name)
	}
}

// keptOrAside checks that every file that is not temporary is still there, under its name
// or in the folder of damaged files.
func keptOrAside(t *testing.T, name string, before, after map[string]string) {
	t.Helper()
	contents := map[string]bool{}
	for _, data := range after {
		contents[data] = true
	}
	for file, data := range before {
		if !strings.HasSuffix(file, dataset.TempSuffix) && file != manifest && !contents[data] {
			t.Errorf("%s: %s was deleted", name, file)
		}
	}
}

func TestDamagedFilesAreKeptWithTheReason(t *testing.T) {
	r := play(t, 3)
	dir := r.write(t)
	flip(t, dir, shardFile(steps, 1))
	flipped := datasettest.Files(t, dir)[shardFile(steps, 1)]
	repair(t, dir, "the first time")
	r.commit(t, dir, []int64{2, 4, 5})
	flip(t, dir, shardFile(steps, 4)) // the shard that replaced it
	repair(t, dir, "the second time")
	remove(t, dir, manifest)
	datasettest.Put(t, dir, manifest, "{}")
	repair(t, dir, "the third time")
	after := datasettest.Files(t, dir)
	if after["damaged/steps-00000001.parquet"] != flipped {
		t.Error("the damaged file is not in damaged")
	}
	for name, want := range map[string]string{
		"damaged/episodes-00000001.parquet.txt": "steps/00000001.parquet: SHA-256 is sha256:",
		"damaged/episodes-00000004.parquet.txt": "steps/00000004.parquet: SHA-256 is sha256:",
		"damaged/manifest.json.txt":             "manifest.json: file: ",
	} {
		if !strings.HasPrefix(after[name], want) {
			t.Errorf("%s says %q, want %q", name, after[name], want)
		}
	}
	if after["damaged/manifest.json"] != "{}" {
		t.Errorf("the damaged manifest is %q", after["damaged/manifest.json"])
	}
	// A file that is damaged again takes another name.
	for range 2 {
		datasettest.Put(t, dir, "steps/copy.parquet", "x")
		repair(t, dir, "a foreign file")
	}
	if after := datasettest.Files(t, dir); after["damaged/steps-copy.parquet"] != "x" || after["damaged/steps-copy-2.parquet"] != "x" {
		t.Errorf("the foreign files are not both there: %q", slices.Sorted(maps.Keys(after)))
	}
}

// From a shard whose files are sound but which has false episodes, the jobs without any are
// kept.
func TestFalseEpisodesGoAndTheOthersStay(t *testing.T) {
	r := play(t, 3)
	sound := *r.episodes[9]
	r.episodes[9].Points[0]++ // job 4, in shard 1
	dir := r.write(t)
	*r.episodes[9] = sound
	before := datasettest.Files(t, dir)
	repaired := repair(t, dir, "a false episode")
	if len(repaired.Aside) != 1 || repaired.Aside[0].Number != 1 || repaired.Aside[0].Kept.String() != "2,5" || repaired.Missing.String() != "4" ||
		!strings.Contains(repaired.Aside[0].Reason, "episode 9: points_0") {
		t.Errorf("the repair reports %+v", repaired)
	}
	after := datasettest.Files(t, dir)
	for _, name := range []string{shardFile(episodes, 0), shardFile(steps, 3)} {
		if before[name] != after[name] {
			t.Errorf("%s of a sound shard changed", name)
		}
	}
	keptOrAside(t, "a false episode", before, after)
	r.complete(t, dir, "a false episode")
}

// TestAKillAtAnyStepOfARepair stops the repair of each kind of damage after each step. The
// next repair completes it.
func TestAKillAtAnyStepOfARepair(t *testing.T) {
	r := play(t, 3)
	list := damages(t, r)
	sound := *r.episodes[9]
	r.episodes[9].Points[0]++
	falseSet := datasettest.Files(t, r.write(t))
	*r.episodes[9] = sound
	list = append(list, damaged{"a false episode", func(dir string) {
		for name, data := range falseSet {
			datasettest.Put(t, dir, name, data)
		}
	}, "4", []int64{1}, nil})
	for _, c := range list {
		dir := r.write(t)
		c.damage(dir)
		before := datasettest.Files(t, dir)
		for most := 0; ; most++ {
			dir := lay(t, before)
			done, err := mend.RepairSteps(dir, most)
			if err != nil {
				t.Fatalf("%s, killed after step %d: %v", c.name, most, err)
			}
			name := fmt.Sprintf("%s, killed after step %d", c.name, most)
			repair(t, dir, name)
			keptOrAside(t, name, before, datasettest.Files(t, dir))
			r.complete(t, dir, name)
			if done {
				break
			}
		}
	}
}

func TestRepairRefusesWhatItCannotRepair(t *testing.T) {
	r, other := play(t, 3), play(t, 9)
	for _, c := range []struct {
		name   string
		damage func(dir string)
		opts   mend.Options
		want   string
		is     error
	}{
		{"nothing that names the run", func(dir string) {
			remove(t, dir, manifest)
			for i := range 4 {
				datasettest.Put(t, dir, shardFile(episodes, i), "x")
				datasettest.Put(t, dir, shardFile(steps, i), "x")
			}
		}, mend.Options{}, "", mend.ErrNothing},
		{"two runs", func(dir string) {
			remove(t, dir, manifest)
			datasettest.Put(t, dir, shardFile(episodes, 7), datasettest.Files(t, other.write(t))[shardFile(episodes, 1)])
		}, mend.Options{}, r.settings.Run(), mend.ErrRuns},
		{"a run that no file has", func(dir string) { remove(t, dir, manifest) }, mend.Options{Run: "0123"}, "has no file of run 0123", nil},
		{"another version", func(dir string) {
			datasettest.Put(t, dir, manifest, strings.Replace(datasettest.Files(t, dir)[manifest], `"schema_version": 2`, `"schema_version": 7`, 1))
		}, mend.Options{}, "schema_version is 7", dataset.ErrSchema},
	} {
		dir := r.write(t)
		c.damage(dir)
		before := datasettest.Files(t, dir)
		if _, err := mend.Repair(t.Context(), dir, c.opts); err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: error is %v, want %q", c.name, err, c.want)
		}
		if !maps.Equal(before, datasettest.Files(t, dir)) {
			t.Errorf("%s: the folder has changed", c.name)
		}
	}
	dir := r.write(t)
	remove(t, dir, manifest)
	datasettest.Put(t, dir, shardFile(episodes, 7), datasettest.Files(t, other.write(t))[shardFile(episodes, 1)])
	repaired, err := mend.Repair(t.Context(), dir, mend.Options{Run: r.settings.Run()})
	if err != nil || repaired.Jobs.Len() != 12 || len(repaired.Aside) != 1 {
		t.Errorf("with the run named: %+v, error %v", repaired, err)
	}
	lock, err := dataset.AcquireLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if _, err := mend.Repair(t.Context(), dir, mend.Options{}); !errors.Is(err, dataset.ErrLocked) {
		t.Errorf("beside a writer: error is %v", err)
	}
	empty := t.TempDir()
	if _, err := mend.Repair(t.Context(), empty, mend.Options{}); !errors.Is(err, dataset.ErrNoDataSet) {
		t.Errorf("an empty folder: error is %v", err)
	}
	if _, err := os.Stat(filepath.Join(empty, dataset.LockName)); err == nil {
		t.Error("repairing an empty folder left a lock there")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := mend.Repair(ctx, r.write(t), mend.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that is done: error is %v", err)
	}
}

// A run without an end lacks the jobs below its last one.
func TestTheMissingJobsOfARunWithoutAnEnd(t *testing.T) {
	r := play(t, 3)
	r.settings.Episodes = 0
	for _, ep := range r.episodes {
		ep.Run = r.settings.Run()
	}
	dir := r.write(t)
	flip(t, dir, shardFile(steps, 1))
	flip(t, dir, shardFile(steps, 3))
	if repaired := repair(t, dir, "no end"); repaired.Missing.String() != "2,4-5,9-11" {
		t.Errorf("jobs %s are missing", repaired.Missing)
	}
	if _, err := replay.Verify(t.Context(), dir, 1, nil); err != nil {
		t.Error(err)
	}
}
