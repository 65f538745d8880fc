package parquetio_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
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
	sound, foreign := files(t, dir), files(t, otherDir)
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
