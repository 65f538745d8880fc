package dataset

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// A Lock is the exclusive right to write into one data set. The operating system releases
// it when the process ends for any reason.
type Lock struct {
	dir  string
	file *flock.Flock
}

// LockName is the name of the file that is locked. It contains the id of the process that
// locked it last, and Release leaves it in place.
const LockName = "lock"

// ErrLocked is wrapped by the error of AcquireLock if another process, or another part of
// this one, holds the lock.
var ErrLocked = errors.New("data set is locked")

// AcquireLock locks a folder for writing. It creates the folder if it does not exist, and
// does not wait for the lock.
func AcquireLock(dir string) (*Lock, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("creating a data set: %w", err)
	}
	path := filepath.Join(dir, LockName)
	file := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o666))
	locked, err := file.TryLock()
	if err != nil {
		return nil, fmt.Errorf("locking %s: %w", dir, err)
	}
	if !locked {
		return nil, fmt.Errorf("another sandtable%s is writing %s: %w", holder(path), dir, ErrLocked)
	}
	if err := os.WriteFile(path, fmt.Appendln(nil, os.Getpid()), 0o666); err != nil {
		return nil, errors.Join(fmt.Errorf("locking %s: %w", dir, err), file.Unlock())
	}
	return &Lock{dir: dir, file: file}, nil
}

// holder returns " (process N)", or "" if the holder has not written its id yet.
func holder(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" (process %d)", pid)
}

// Dir returns the locked folder.
func (l *Lock) Dir() string { return l.dir }

// Release releases the lock.
func (l *Lock) Release() error {
	if err := l.file.Unlock(); err != nil {
		return fmt.Errorf("unlocking %s: %w", l.dir, err)
	}
	return nil
}

// Discard releases the lock and removes the lock file, and the folder if it is empty.
func (l *Lock) Discard() error {
	err := os.Remove(filepath.Join(l.dir, LockName))
	_ = os.Remove(l.dir) // fails if the folder is not empty, as it should
	return errors.Join(err, l.Release())
}
