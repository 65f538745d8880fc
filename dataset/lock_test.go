package dataset_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
)

func TestASecondWriterIsRefusedAndToldByWhom(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "run")
	first, err := dataset.AcquireLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = dataset.AcquireLock(dir)
	if want := fmt.Sprintf("another sandtable (process %d) is writing %s", os.Getpid(), dir); !errors.Is(err, dataset.ErrLocked) || !strings.Contains(err.Error(), want) {
		t.Errorf("error is %v, want it to say %q", err, want)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	second, err := dataset.AcquireLock(dir)
	if err != nil {
		t.Fatalf("after the first released it: %v", err)
	}
	if second.Dir() != dir {
		t.Errorf("the lock is of %s, want %s", second.Dir(), dir)
	}
	if err := second.Release(); err != nil {
		t.Fatal(err)
	}
}

func TestAFileIsNoPlaceForADataSet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := dataset.AcquireLock(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error is %v, want one that names %s", err, path)
	}
}

// A lock that is a symbolic link is refused, and its target stays as it was.
func TestALockIsNeverOpenedThroughALink(t *testing.T) {
	precious := filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(precious, []byte("thesis"), 0o666); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(precious, filepath.Join(dir, dataset.LockName)); err != nil {
		t.Fatal(err)
	}
	for name, acquire := range map[string]func(string) (*dataset.Lock, error){"exclusive": dataset.AcquireLock, "shared": dataset.AcquireSharedLock} {
		if _, err := acquire(dir); err == nil || !strings.Contains(err.Error(), "lock is not a regular file; remove it") {
			t.Errorf("%s: error is %v", name, err)
		}
	}
	if data, err := os.ReadFile(precious); string(data) != "thesis" {
		t.Errorf("the target of the link is %q, error %v", data, err)
	}
}

func TestSharedLocksExcludeAnExclusiveOneAndNotEachOther(t *testing.T) {
	dir := t.TempDir()
	exclusive, err := dataset.AcquireLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dataset.AcquireSharedLock(dir); !errors.Is(err, dataset.ErrLocked) {
		t.Errorf("a shared lock beside an exclusive one: error is %v", err)
	}
	if exclusive.Shared() || exclusive.Writer() != "" {
		t.Errorf("the exclusive lock is shared by %q", exclusive.Writer())
	}
	if err := exclusive.Release(); err != nil {
		t.Fatal(err)
	}
	var locks []*dataset.Lock
	for range 2 {
		lock, err := dataset.AcquireSharedLock(dir)
		if err != nil {
			t.Fatal(err)
		}
		locks = append(locks, lock)
	}
	if !locks[0].Shared() || locks[0].Writer() == "" || locks[0].Writer() == locks[1].Writer() {
		t.Errorf("the writers are %q and %q", locks[0].Writer(), locks[1].Writer())
	}
	for _, lock := range locks {
		if _, err := dataset.AcquireLock(dir); !errors.Is(err, dataset.ErrLocked) {
			t.Errorf("an exclusive lock beside a shared one: error is %v", err)
		}
		if err := lock.Release(); err != nil {
			t.Fatal(err)
		}
	}
	if exclusive, err = dataset.AcquireLock(dir); err != nil {
		t.Fatal(err)
	}
	if err := exclusive.Discard(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder with the locks is left: %v", err)
	}
}

// Commit admits one shared lock at a time.
func TestCommitsOfSharedLocksExcludeEachOther(t *testing.T) {
	dir := t.TempDir()
	var inside, most atomic.Int32
	var group sync.WaitGroup
	for range 4 {
		lock, err := dataset.AcquireSharedLock(dir)
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			for range 50 {
				leave, err := lock.Commit()
				if err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); n > most.Load() {
					most.Store(n)
				}
				runtime.Gosched()
				inside.Add(-1)
				if err := leave(); err != nil {
					t.Error(err)
				}
			}
			if err := lock.Release(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if most.Load() != 1 {
		t.Errorf("%d locks were in a commit at a time", most.Load())
	}
}
