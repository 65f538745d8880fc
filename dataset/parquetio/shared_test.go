package parquetio_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env"
)

// shared opens a data set as one of several writers.
func shared(dir string, settings *dataset.Settings) (*dataset.Lock, *parquetio.Writer, error) {
	lock, err := dataset.AcquireSharedLock(dir)
	if err != nil {
		return nil, nil, err
	}
	w, err := parquetio.OpenWriter(lock, settings)
	if err != nil {
		return nil, nil, errors.Join(err, lock.Release())
	}
	return lock, w, nil
}

// writeShare commits the missing jobs of a share, one shard for each.
func (r *run) writeShare(dir string, index, of int64) error {
	lock, w, err := shared(dir, &r.settings)
	if err != nil {
		return err
	}
	for job := index; job < r.settings.Jobs(); job += of {
		if w.Manifest().HasJob(job) {
			continue
		}
		if _, err := w.Commit([]int64{job}, r.of(job)); err != nil {
			return errors.Join(err, lock.Release())
		}
	}
	return lock.Release()
}

func sharedRun() *run { return randomRun(21, 120, 2) }

func TestWritersThatShareAFolderWriteOneDataSet(t *testing.T) {
	r := sharedRun()
	dir := t.TempDir()
	var group sync.WaitGroup
	for index := range int64(4) {
		group.Go(func() {
			if err := r.writeShare(dir, index, 4); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	r.checkWhole(t, dir)
}

// checkWhole checks that the data set is complete, and that no other file is left.
func (r *run) checkWhole(t *testing.T, dir string) {
	t.Helper()
	m, err := dataset.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !m.Complete {
		t.Fatalf("jobs %s of %d are in the data set", m.Jobs(), m.Settings.Jobs())
	}
	var all []int64
	for job := range m.Jobs().All() {
		all = append(all, job)
	}
	r.check(t, dir, all...)
	for name := range datasettest.Files(t, dir) {
		if strings.HasSuffix(name, ".tmp") || strings.Contains(name, "writer-") {
			t.Errorf("%s is left", name)
		}
	}
	if n, want := len(datasettest.Files(t, dir)), 2*len(m.Shards)+1; n > want+1 { // lock.commit
		t.Errorf("the folder has %d files, want %d", n, want)
	}
}

// shareVariable says which share of which folder a process of
// TestKilledWritersThatShareAFolderLoseAndDoubleNothing writes: "INDEX OF DIR".
const shareVariable = "SANDTABLE_TEST_SHARE"

// Three processes write shares of one run. They are killed at random moments and started
// again until the data set is complete.
func TestKilledWritersThatShareAFolderLoseAndDoubleNothing(t *testing.T) {
	r := sharedRun()
	if share := os.Getenv(shareVariable); share != "" {
		var index, of int64
		var dir string
		if _, err := fmt.Sscan(share, &index, &of, &dir); err != nil {
			t.Fatal(err)
		}
		if err := r.writeShare(dir, index, of); err != nil {
			t.Fatal(err)
		}
		return
	}
	dir := t.TempDir()
	rand := env.NewRand(4)
	var kills int
	start := func(index int) (*exec.Cmd, chan error) {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d 3 %s", shareVariable, index, dir))
		output := new(strings.Builder)
		cmd.Stdout, cmd.Stderr = output, output
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			err := cmd.Wait()
			if err != nil && cmd.ProcessState.Exited() {
				err = fmt.Errorf("%w: %s", err, output)
			}
			done <- err
		}()
		return cmd, done
	}
	var group sync.WaitGroup
	var guard sync.Mutex
	for index := range 3 {
		group.Go(func() {
			for {
				cmd, done := start(index)
				guard.Lock()
				kill := kills < 12
				wait := time.Duration(20+rand.IntN(150)) * time.Millisecond
				guard.Unlock()
				var timeout <-chan time.Time
				if kill {
					timeout = time.After(wait)
				}
				select {
				case err := <-done:
					if err != nil {
						t.Error(err)
					}
					return
				case <-timeout:
					guard.Lock()
					kills++
					guard.Unlock()
					_ = cmd.Process.Kill()
					if err := <-done; err != nil && cmd.ProcessState.Exited() {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	group.Wait()
	lock, err := dataset.AcquireLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if _, err := parquetio.OpenWriter(lock, &r.settings); err != nil {
		t.Fatal(err)
	}
	r.checkWhole(t, dir)
}

// TestAKillBetweenTheStepsOfASharedCommit lays out what the disk holds after each step of
// a commit of a shared writer whose process was killed, while another writer goes on.
func TestAKillBetweenTheStepsOfASharedCommit(t *testing.T) {
	r := randomRun(3, 30, 10)
	before, after := t.TempDir(), t.TempDir()
	r.write(t, before, []int64{0})
	r.write(t, after, []int64{0}, []int64{2})
	old, done := datasettest.Files(t, before), datasettest.Files(t, after)
	const episodes, steps, manifest = "episodes/00000001.parquet", "steps/00000001.parquet", "manifest.json"
	const episodesTemp, stepsTemp, alive = "episodes/writer-dead.parquet.tmp", "steps/writer-dead.parquet.tmp", "lock.writer-dead"
	for _, c := range []struct {
		name string
		disk map[string]string
	}{
		{"joined", nil},
		{"files half written", map[string]string{episodesTemp: "half", stepsTemp: "ha"}},
		{"files written", map[string]string{episodesTemp: done[episodes], stepsTemp: done[steps]}},
		{"one file renamed", map[string]string{episodes: done[episodes], stepsTemp: done[steps]}},
		{"files renamed", map[string]string{episodes: done[episodes], steps: done[steps]}},
		{"manifest half written", map[string]string{episodes: done[episodes], steps: done[steps], manifest + ".tmp": "half"}},
		{"manifest renamed", map[string]string{episodes: done[episodes], steps: done[steps], manifest: done[manifest]}},
	} {
		dir := t.TempDir()
		restore(t, dir, old)
		lock, running, err := shared(dir, &r.settings)
		if err != nil {
			t.Fatal(err)
		}
		restore(t, dir, c.disk)
		restore(t, dir, map[string]string{alive: ""})
		if _, err := running.Commit([]int64{1}, r.of(1)); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		other, joined, err := shared(dir, &r.settings)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if !joined.Manifest().HasJob(2) {
			if _, err := joined.Commit([]int64{2}, r.of(2)); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		if running.Manifest().HasJob(2) != (c.name == "manifest renamed") {
			t.Errorf("%s: job 2 is in the manifest of the other writer: %v", c.name, running.Manifest().HasJob(2))
		}
		if err := running.Refresh(); err != nil || !running.Manifest().Complete {
			t.Errorf("%s: refreshed: complete is %v, error %v", c.name, running.Manifest().Complete, err)
		}
		if _, err := running.Commit([]int64{2}, r.of(2)); err == nil || !strings.Contains(err.Error(), "job 2 is already in the data set") {
			t.Errorf("%s: job 2 a second time: error is %v", c.name, err)
		}
		if err := errors.Join(lock.Release(), other.Release()); err != nil {
			t.Fatal(err)
		}
		r.checkWhole(t, dir)
	}
}

// The temporary files of a writer that lives are not removed by one that joins.
func TestAJoiningWriterLeavesTheFilesOfOthersAlone(t *testing.T) {
	r := randomRun(3, 30, 10)
	dir := t.TempDir()
	lock, w, err := shared(dir, &r.settings)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Commit([]int64{0}, func(yield func(*dataset.Episode, error) bool) {
		for ep := range r.of(0) {
			if ep.Number == 5 {
				other, joined, err := shared(dir, &r.settings)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := joined.Commit([]int64{1}, r.of(1)); err != nil {
					t.Error(err)
				}
				if err := other.Release(); err != nil {
					t.Error(err)
				}
			}
			if !yield(ep, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit([]int64{2}, r.of(2)); err != nil {
		t.Fatal(err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	r.checkWhole(t, dir)
}
