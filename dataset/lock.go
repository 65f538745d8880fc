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

// A Lock is the right to write into one data set. The operating system takes it
// back when the process ends in whatever way.
type Lock struct {
	dir  string
	file *flock.Flock
}

// LockName is the file that is locked. It holds the process id of who locked it
// last, and stays when the lock is given back.
const LockName = "lock"

// ErrLocked is what the error of AcquireLock wraps when another program, or
// another part of this one, is writing the data set.
var ErrLocked = errors.New("the data set is locked")

// AcquireLock locks a folder for writing, without waiting, and creates it when
// it is missing.
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

// holder returns " (process N)", or nothing when the holder has not written its
// number yet.
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

// Dir returns the folder that is locked.
func (l *Lock) Dir() string { return l.dir }

// Release gives the lock back.
func (l *Lock) Release() error {
	if err := l.file.Unlock(); err != nil {
		return fmt.Errorf("unlocking %s: %w", l.dir, err)
	}
	return nil
}

// Discard gives the lock back and leaves no trace of it: the file that was
// locked goes, and the folder with it when nothing else is there.
func (l *Lock) Discard() error {
	err := os.Remove(filepath.Join(l.dir, LockName))
	_ = os.Remove(l.dir) // fails where something else is there, as it should
	return errors.Join(err, l.Release())
}
