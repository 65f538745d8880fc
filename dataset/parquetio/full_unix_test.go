//go:build unix

package parquetio_test

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/datasettest"
)

// limitedVariable says that the process is the one of TestAFullDiskLeavesTheDataSetAsItWas
// whose files are limited.
const limitedVariable = "SANDTABLE_TEST_LIMITED"

// TestAFullDiskLeavesTheDataSetAsItWas limits the size of files, so that the write of one
// of the two files of a shard fails as on a full disk. It does so in a process of its own,
// because the limit applies to every file.
func TestAFullDiskLeavesTheDataSetAsItWas(t *testing.T) {
	if os.Getenv(limitedVariable) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), limitedVariable+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	r := randomRun(5, 20, 10)
	whole := t.TempDir()
	r.write(t, whole, []int64{0}, []int64{1})
	sizes := datasettest.Files(t, whole)
	episodes, steps := len(sizes["episodes/00000001.parquet"]), len(sizes["steps/00000001.parquet"])
	if episodes >= steps {
		t.Fatal("the plies take less space than the episodes; choose another seed")
	}
	for _, limit := range []int{episodes - 1, steps - 1} {
		dir := t.TempDir()
		w := r.write(t, dir, []int64{0})
		before := datasettest.Files(t, dir)
		var err error
		limited(t, limit, func() { _, err = w.Commit([]int64{1}, r.of(1)) })
		if !errors.Is(err, syscall.EFBIG) {
			t.Errorf("limit of %d bytes: error is %v, want that the file is too large", limit, err)
		}
		if !same(before, datasettest.Files(t, dir)) {
			t.Fatalf("limit of %d bytes: the folder has changed", limit)
		}
		if _, err := w.Commit([]int64{1}, r.of(1)); err != nil {
			t.Fatalf("without the limit: %v", err)
		}
		r.check(t, dir, 0, 1)
	}
}

// limited calls f while no file of the process can grow beyond the given size.
func limited(t *testing.T, bytes int, f func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: uint64(bytes), Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
			t.Fatal(err)
		}
	}()
	f()
}
