package parquetio_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env"
)

// readAll reads what it can and returns the error.
func readAll(t *testing.T, dir string) error {
	t.Helper()
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range reader.Episodes() {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestDamagedFilesAreFaultsThatNameTheFile cuts files and flips bytes all over
// them. Nothing may panic; whatever is found names the file. (Damage in parts of
// a file that carry no data, such as unused statistics, goes unnoticed here; the
// SHA-256 of the manifest is there for that.)
func TestDamagedFilesAreFaultsThatNameTheFile(t *testing.T) {
	r := randomRun(9, 12, 12)
	dir := t.TempDir()
	r.write(t, dir, []int64{0})
	for _, name := range []string{"episodes/00000000.parquet", "steps/00000000.parquet"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		sound, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found, tried := 0, 0
		try := func(data []byte) {
			t.Helper()
			if err := os.WriteFile(path, data, 0o666); err != nil {
				t.Fatal(err)
			}
			tried++
			err := readAll(t, dir)
			if err == nil {
				return
			}
			found++
			var fault *dataset.Fault
			if !errors.As(err, &fault) || fault.File != name {
				t.Errorf("error is %v, want a fault of %s", err, name)
			}
		}
		rand := env.NewRand(10)
		for range 40 {
			try(sound[:rand.IntN(len(sound))])
		}
		if found != tried {
			t.Errorf("%s: %d of %d cut files were read", name, tried-found, tried)
		}
		found, tried = 0, 0
		for range 300 {
			data := slices.Clone(sound)
			data[rand.IntN(len(data))] ^= 1 << rand.IntN(8)
			try(data)
		}
		if found < tried/2 {
			t.Errorf("%s: only %d of %d flipped bits were found", name, found, tried)
		}
		if err := os.WriteFile(path, sound, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := readAll(t, dir); err != nil {
		t.Errorf("the sound files: %v", err)
	}
}

func TestFilesOfAnotherRunOrTableAreFaults(t *testing.T) {
	r, other := randomRun(11, 10, 10), randomRun(12, 10, 10)
	dir, otherDir := t.TempDir(), t.TempDir()
	r.write(t, dir, []int64{0})
	other.write(t, otherDir, []int64{0})
	sound, foreign := datasettest.Files(t, dir), datasettest.Files(t, otherDir)
	for name, data := range map[string]string{
		"episodes/00000000.parquet": foreign["episodes/00000000.parquet"],
		"steps/00000000.parquet":    sound["episodes/00000000.parquet"],
	} {
		restore(t, dir, map[string]string{name: data})
		var fault *dataset.Fault
		if err := readAll(t, dir); !errors.As(err, &fault) || fault.File != name {
			t.Errorf("%s: error is %v", name, err)
		}
		restore(t, dir, sound)
	}
}

func TestAMissingShardIsNamed(t *testing.T) {
	r := randomRun(13, 10, 10)
	dir := t.TempDir()
	r.write(t, dir, []int64{0})
	path := filepath.Join(dir, "steps", "00000000.parquet")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := readAll(t, dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error is %v, want that %s does not exist", err, path)
	}
}

// A shard whose files do not open yields its error and nothing else.
func TestAShardThatDoesNotOpenYieldsItsError(t *testing.T) {
	for _, name := range []string{"episodes/00000000.parquet", "steps/00000000.parquet"} {
		r := randomRun(9, 12, 12)
		dir := t.TempDir()
		r.write(t, dir, []int64{0})
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
		reader, err := parquetio.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		yields := 0
		for ep, err := range reader.Shard(&reader.Manifest().Shards[0]) {
			if yields++; ep != nil || !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s: episode %v, error %v", name, ep, err)
			}
		}
		if yields != 1 {
			t.Errorf("%s: %d yields, want 1", name, yields)
		}
		if err := reader.Episode(0, new(dataset.Episode)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: error of one episode is %v", name, err)
		}
	}
}

func TestReadersLeaveNoFileOpen(t *testing.T) {
	r := randomRun(9, 24, 12)
	dir := t.TempDir()
	r.write(t, dir, []int64{0}, []int64{1})
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	open := func() (list []string) {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			if runtime.GOOS == "linux" {
				t.Fatal(err)
			}
			t.Skipf("open files cannot be listed here: %v", err)
		}
		for _, e := range entries {
			if target, _ := os.Readlink("/proc/self/fd/" + e.Name()); strings.HasPrefix(target, dir) && !strings.HasSuffix(target, dataset.LockName) {
				list = append(list, target)
			}
		}
		return list
	}
	before := open()
	check := func(after string) {
		t.Helper()
		if now := open(); len(now) != len(before) {
			t.Errorf("after %s these files are open: %q", after, now)
		}
	}
	for range reader.Episodes() {
		break
	}
	check("the first episode")
	for range reader.Episodes() {
	}
	check("all episodes")
	for range reader.Shard(&reader.Manifest().Shards[1]) {
	}
	check("a shard")
	if err := reader.Episode(3, new(dataset.Episode)); err != nil {
		t.Fatal(err)
	}
	check("one episode")
	if err := os.Truncate(filepath.Join(dir, "steps", "00000001.parquet"), 100); err != nil {
		t.Fatal(err)
	}
	if err := readAll(t, dir); err == nil {
		t.Fatal("the damage was not found")
	}
	check("a damaged shard")
}
