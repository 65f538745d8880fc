package parquetio_test

import (
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
)

func restore(t *testing.T, dir string, all map[string]string) {
	t.Helper()
	for name, data := range all {
		datasettest.Put(t, dir, name, data)
	}
}

// TestAKillAtAnyPointOfACommitLosesAndDoublesNothing lays out what the disk holds
// after each step of a commit, in the order in which Commit makes them, opens the
// folder again, and commits what is missing.
func TestAKillAtAnyPointOfACommitLosesAndDoublesNothing(t *testing.T) {
	r := randomRun(3, 30, 10)
	before := t.TempDir()
	r.write(t, before, []int64{0})
	after := t.TempDir()
	r.write(t, after, []int64{0}, []int64{2})
	old, done := datasettest.Files(t, before), datasettest.Files(t, after)
	const episodes, steps, manifest = "episodes/00000001.parquet", "steps/00000001.parquet", "manifest.json"
	half := func(name string) string { return done[name][:len(done[name])/2] }
	for _, c := range []struct {
		name string
		disk map[string]string // on top of what was there before
	}{
		{"before it begins", nil},
		{"files created", map[string]string{episodes + ".tmp": "", steps + ".tmp": ""}},
		{"files half written", map[string]string{episodes + ".tmp": half(episodes), steps + ".tmp": half(steps)}},
		{"one file written", map[string]string{episodes + ".tmp": done[episodes], steps + ".tmp": half(steps)}},
		{"files written", map[string]string{episodes + ".tmp": done[episodes], steps + ".tmp": done[steps]}},
		{"one file renamed", map[string]string{episodes: done[episodes], steps + ".tmp": done[steps]}},
		{"files renamed", map[string]string{episodes: done[episodes], steps: done[steps]}},
		{"manifest half written", map[string]string{episodes: done[episodes], steps: done[steps], manifest + ".tmp": half(manifest)}},
		{"manifest written", map[string]string{episodes: done[episodes], steps: done[steps], manifest + ".tmp": done[manifest]}},
		{"manifest renamed", map[string]string{episodes: done[episodes], steps: done[steps], manifest: done[manifest]}},
	} {
		dir := t.TempDir()
		restore(t, dir, old)
		restore(t, dir, c.disk)
		w := openWriter(t, dir, &r.settings)
		if !w.Manifest().HasJob(0) {
			t.Errorf("%s: job 0 is lost", c.name)
		}
		for _, job := range []int64{1, 2} {
			if w.Manifest().HasJob(job) {
				continue
			}
			if _, err := w.Commit([]int64{job}, r.of(job)); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		r.check(t, dir, 0, 1, 2)
		for name := range datasettest.Files(t, dir) {
			if strings.HasSuffix(name, ".tmp") {
				t.Errorf("%s: %s is left", c.name, name)
			}
		}
		if n := len(datasettest.Files(t, dir)); n != 7 {
			t.Errorf("%s: the folder has %d files, want 3 pairs and a manifest", c.name, n)
		}
	}
}

// failing yields some of the episodes and then an error.
func failing(all iter.Seq2[*dataset.Episode, error], after int, err error) iter.Seq2[*dataset.Episode, error] {
	return func(yield func(*dataset.Episode, error) bool) {
		n := 0
		for ep := range all {
			if n == after {
				yield(nil, err)
				return
			}
			if !yield(ep, nil) {
				return
			}
			n++
		}
	}
}

func TestACommitThatFailsLeavesTheDataSetAsItWas(t *testing.T) {
	r := randomRun(4, 30, 10)
	dir := t.TempDir()
	w := r.write(t, dir, []int64{0})
	before := datasettest.Files(t, dir)
	wrongRun := *r.episodes[10]
	wrongRun.Run = "another"
	lost := errors.New("lost connection")
	for _, c := range []struct {
		says     string
		jobs     []int64
		episodes iter.Seq2[*dataset.Episode, error]
	}{
		{"lost connection", []int64{1}, failing(r.of(1), 7, lost)},
		{"episode 19 of jobs 1 is missing", []int64{1}, one(r.episodes[10:19]...)},
		{"episode 20 is not one of jobs 1", []int64{1}, one(r.episodes[10:21]...)},
		{"episode 11 of jobs 1 is out of order, must be episode 10", []int64{1}, one(r.episodes[11:20]...)},
		{"episode 10 of jobs 1 is out of order, must be episode 11", []int64{1}, one(r.episodes[10], r.episodes[10])},
		{`episode 10 belongs to run "another"`, []int64{1}, one(&wrongRun)},
		{"job 0 is already in the data set", []int64{0}, r.of(0)},
		{"job 1 occurs twice", []int64{1, 1}, r.of(1)},
		{"the run has only 3", []int64{3}, r.of()},
		{"it has no jobs", nil, r.of()},
	} {
		if _, err := w.Commit(c.jobs, c.episodes); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), dir) {
			t.Errorf("error is %v, want it to say %q and name the folder", err, c.says)
		}
		if after := datasettest.Files(t, dir); !same(before, after) {
			t.Fatalf("%s: the folder has changed", c.says)
		}
	}
	if _, err := w.Commit([]int64{1}, failing(r.of(1), 3, lost)); !errors.Is(err, lost) {
		t.Errorf("error %v does not wrap what the episodes failed with", err)
	}
	if _, err := w.Commit([]int64{1, 2}, r.of(1, 2)); err != nil {
		t.Fatalf("after the failures: %v", err)
	}
	r.check(t, dir, 0, 1, 2)
}

func one(list ...*dataset.Episode) iter.Seq2[*dataset.Episode, error] { return all(list) }

func same(a, b map[string]string) bool {
	for name, data := range a {
		if b[name] != data {
			return false
		}
	}
	return len(a) == len(b)
}

// When it is not known whether the manifest reached the disk, the writer stops
// and what it wrote stays until the folder is opened again.
func TestAManifestThatCannotBeWrittenStopsTheWriter(t *testing.T) {
	r := randomRun(6, 20, 10)
	dir := t.TempDir()
	w := r.write(t, dir, []int64{0})
	if err := os.Mkdir(filepath.Join(dir, "manifest.json.tmp"), 0o777); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := w.Commit([]int64{1}, r.of(1)); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "must be opened again") {
			t.Errorf("error is %v", err)
		}
	}
	r.check(t, dir, 0)
}

// A symbolic link under the name of a temporary file is replaced, and what it points to
// stays as it was.
func TestTemporaryFilesAreNeverWrittenThroughLinks(t *testing.T) {
	r := randomRun(6, 20, 10)
	precious := filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(precious, []byte("thesis"), 0o666); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	w := r.write(t, dir, []int64{0})
	for _, name := range []string{"manifest.json.tmp", "episodes/00000001.parquet.tmp", "steps/00000001.parquet.tmp"} {
		if err := os.Symlink(precious, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Commit([]int64{1}, r.of(1)); err != nil {
		t.Fatal(err)
	}
	r.check(t, dir, 0, 1)
	if data, err := os.ReadFile(precious); string(data) != "thesis" {
		t.Errorf("the target of the links is %q, error %v", data, err)
	}
}

// The folder of a table that is empty may be missing, as after a copy by a program that
// leaves out empty folders.
func TestAMissingEmptyFolderIsNoObstacle(t *testing.T) {
	r := randomRun(6, 20, 10)
	dir := t.TempDir()
	r.write(t, dir)
	copied := t.TempDir()
	restore(t, copied, datasettest.Files(t, dir))
	w := openWriter(t, copied, &r.settings)
	if _, err := w.Commit([]int64{1}, r.of(1)); err != nil {
		t.Fatal(err)
	}
	r.check(t, copied, 1)
}

func TestOtherSettingsAreRefusedAndNothingIsTouched(t *testing.T) {
	r := randomRun(7, 20, 10)
	dir := t.TempDir()
	lock, err := dataset.AcquireLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	w, err := parquetio.OpenWriter(lock, &r.settings)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit([]int64{1}, r.of(1)); err != nil {
		t.Fatal(err)
	}
	restore(t, dir, map[string]string{"steps/00000001.parquet": "an orphan"})
	before := datasettest.Files(t, dir)
	other := r.settings
	other.MaxPlies = 77
	if _, err := parquetio.OpenWriter(lock, &other); err == nil || !strings.Contains(err.Error(), "max_plies is 200 there and 77 here") {
		t.Errorf("error is %v", err)
	}
	if !same(before, datasettest.Files(t, dir)) {
		t.Error("refusing changed the folder")
	}
	if w, err = parquetio.OpenWriter(lock, &r.settings); err != nil || !w.Manifest().HasJob(1) {
		t.Fatalf("the same settings do not continue: %v", err)
	}
	if _, err := w.Commit([]int64{0}, r.of(0)); err != nil || !w.Manifest().Complete {
		t.Fatalf("continuing: %v", err)
	}
	r.check(t, dir, 0, 1)
}

func TestEqualCommitsWriteEqualFiles(t *testing.T) {
	r := randomRun(8, 20, 10)
	one, two := t.TempDir(), t.TempDir()
	r.write(t, one, []int64{0, 1})
	r.write(t, two, []int64{1, 0})
	if !same(datasettest.Files(t, one), datasettest.Files(t, two)) {
		t.Error("the same shard written twice differs")
	}
}

// TestNothingThatIsNotSurelyOursIsDeleted opens folders with files that no data set of
// the run lists. Each file that a person may have put there stays.
func TestNothingThatIsNotSurelyOursIsDeleted(t *testing.T) {
	r := randomRun(9, 30, 10)
	whole := t.TempDir()
	r.write(t, whole, []int64{0}, []int64{1}, []int64{2})
	data := datasettest.Files(t, whole)
	lost := map[string]string{}
	for name, content := range data {
		if name != "manifest.json" {
			lost[name] = content
		}
	}
	older := t.TempDir()
	r.write(t, older, []int64{0})
	outdated := datasettest.Files(t, whole)
	outdated["manifest.json"] = datasettest.Files(t, older)["manifest.json"]
	for _, c := range []struct {
		name, says string
		disk       map[string]string
	}{
		{"a folder with a thesis", "thesis.txt exists, but", map[string]string{"episodes/thesis.txt": "thesis"}},
		{"a folder with arrays", "mine.npz exists, but", map[string]string{"steps/mine.npz": "a"}},
		{"a temporary file", "00000000.parquet.tmp exists, but", map[string]string{"steps/00000000.parquet.tmp": "a"}},
		{"a data set without its manifest", "00000000.parquet exists, but", lost},
		{"a data set with an older manifest", "lists 1 shards, up to number 0: restore the newest manifest.json, or run sandtable dataset repair", outdated},
	} {
		dir := t.TempDir()
		restore(t, dir, c.disk)
		lock, err := dataset.AcquireLock(dir)
		if err != nil {
			t.Fatal(err)
		}
		_, err = parquetio.OpenWriter(lock, &r.settings)
		if !errors.Is(err, dataset.ErrUnlisted) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error is %v, must wrap ErrUnlisted, name %s and say %q", c.name, err, dir, c.says)
		}
		if !same(c.disk, datasettest.Files(t, dir)) {
			t.Errorf("%s: refusing it changed the folder", c.name)
		}
		lock.Release()
	}
	foreign := map[string]string{"episodes/notes.txt": "n", "steps/00000001.parquet.bak": "b", "steps/1.parquet": "c", "steps/x.tmp": "d", "README": "e"}
	mixed := t.TempDir()
	restore(t, mixed, datasettest.Files(t, older))
	restore(t, mixed, foreign)
	w := openWriter(t, mixed, &r.settings)
	if _, err := w.Commit([]int64{1}, r.of(1)); err != nil {
		t.Fatal(err)
	}
	after := datasettest.Files(t, mixed)
	for name, content := range foreign {
		if after[name] != content {
			t.Errorf("%s beside the shards was removed or changed", name)
		}
	}
	r.check(t, mixed, 0, 1)
}

func TestAFolderThatCannotBeMadeIsAnError(t *testing.T) {
	for _, table := range []string{dataset.EpisodesFolder, dataset.StepsFolder} {
		dir := t.TempDir()
		lock, err := dataset.AcquireLock(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, table)); err != nil {
			t.Fatal(err)
		}
		settings := randomRun(9, 10, 10).settings
		if _, err := parquetio.OpenWriter(lock, &settings); err == nil || !strings.Contains(err.Error(), table) {
			t.Errorf("error is %v, want one that names %s", err, table)
		}
		if _, err := dataset.Load(dir); !errors.Is(err, dataset.ErrNoDataSet) {
			t.Errorf("a data set without %s was made: %v", table, err)
		}
		lock.Release()
	}
}
