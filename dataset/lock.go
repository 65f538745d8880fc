package dataset

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// A Lock is the right to write into a data set. One exclusive lock or any number of shared
// locks can be held on a data set. The operating system releases a lock when its process
// ends for any reason.
type Lock struct {
	dir  string
	file *flock.Flock
	// alive is locked for the life of a shared lock, so that the others can detect whether
	// its temporary files are in use. It is nil for an exclusive lock.
	alive  *flock.Flock
	writer string
}

// LockName is the name of the file that is locked. It contains the id of the process that
// locked it last, and Release leaves it in place. Shared locks use more files, whose names
// begin with LockName and a dot.
const LockName = "lock"

const (
	commitName   = LockName + ".commit"
	writerPrefix = LockName + ".writer-"
)

// ErrLocked is wrapped by the error of AcquireLock and AcquireSharedLock if another
// process, or another part of this one, holds a lock that excludes the wanted one.
var ErrLocked = errors.New("data set is locked")

// AcquireLock locks a folder for one writer. It creates the folder if it does not exist,
// and does not wait for the lock.
func AcquireLock(dir string) (*Lock, error) { return acquire(dir, (*flock.Flock).TryLock) }

// AcquireSharedLock locks a folder for one of several writers, which write different jobs.
// Like AcquireLock, it creates the folder and does not wait.
func AcquireSharedLock(dir string) (*Lock, error) {
	l, err := acquire(dir, (*flock.Flock).TryRLock)
	if err != nil {
		return nil, err
	}
	if err := l.join(); err != nil {
		return nil, errors.Join(fmt.Errorf("locking %s: %w", dir, err), l.Release())
	}
	return l, nil
}

func acquire(dir string, try func(*flock.Flock) (bool, error)) (*Lock, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("creating a data set: %w", err)
	}
	path := filepath.Join(dir, LockName)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("locking %s: %s is not a regular file; remove it", dir, path)
	}
	file := lockFile(path)
	locked, err := try(file)
	if err != nil {
		return nil, fmt.Errorf("locking %s: %w", dir, err)
	}
	if !locked {
		return nil, fmt.Errorf("another sandtable%s is writing %s: %w", holder(path), dir, ErrLocked)
	}
	if err := writeHolder(path); err != nil {
		return nil, errors.Join(fmt.Errorf("locking %s: %w", dir, err), file.Unlock())
	}
	return &Lock{dir: dir, file: file}, nil
}

// writeHolder writes the id of the process into the file of a lock.
func writeHolder(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC|noFollow, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, os.Getpid())
	return errors.Join(err, f.Close())
}

// lockFile returns the lock of a file. A symbolic link is an error.
func lockFile(path string) *flock.Flock {
	return flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|noFollow), flock.SetPermissions(0o666))
}

// join makes the lock one of several. The names of writers are random, so that they never
// occur twice.
func (l *Lock) join() error {
	leave, err := l.enter()
	if err != nil {
		return err
	}
	name := strings.ToLower(rand.Text())
	alive := lockFile(filepath.Join(l.dir, writerPrefix+name))
	locked, err := alive.TryLock()
	if err == nil && !locked {
		err = ErrLocked
	}
	if err == nil {
		l.writer, l.alive = name, alive
	}
	return errors.Join(err, leave())
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

// Writer returns the name of a shared lock, which no other lock has. It is empty for an
// exclusive lock.
func (l *Lock) Writer() string { return l.writer }

// Shared reports whether other locks may be held on the folder.
func (l *Lock) Shared() bool { return l.alive != nil }

// Commit waits until no other shared lock is between Commit and leave, where the manifest
// is read and replaced. With an exclusive lock it does nothing.
func (l *Lock) Commit() (leave func() error, err error) {
	if !l.Shared() {
		return func() error { return nil }, nil
	}
	return l.enter()
}

func (l *Lock) enter() (leave func() error, err error) {
	file := lockFile(filepath.Join(l.dir, commitName))
	if err := file.Lock(); err != nil {
		return nil, fmt.Errorf("locking %s: %w", l.dir, err)
	}
	return file.Unlock, nil
}

// RemoveEnded removes what shared locks left whose processes ended without Release: it
// calls remove with the name of each, and then forgets it. It must be called between Commit
// and leave.
func (l *Lock) RemoveEnded(remove func(writer string) error) error {
	entries, err := os.ReadDir(l.dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name, ok := strings.CutPrefix(entry.Name(), writerPrefix)
		if !ok || name == l.writer {
			continue
		}
		path := filepath.Join(l.dir, entry.Name())
		file := lockFile(path)
		ended, err := file.TryLock()
		if err != nil {
			return err
		}
		if !ended {
			continue
		}
		err = remove(name)
		if err == nil {
			err = removeIfThere(path)
		}
		if err := errors.Join(err, file.Unlock()); err != nil {
			return err
		}
	}
	return nil
}

// removeIfThere removes a file that another process may have removed.
func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Release releases the lock.
func (l *Lock) Release() error {
	var errs []error
	if l.alive != nil {
		errs = append(errs, removeIfThere(l.alive.Path()), l.alive.Unlock())
	}
	errs = append(errs, l.file.Unlock())
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("unlocking %s: %w", l.dir, err)
	}
	return nil
}

// Discard releases an exclusive lock and removes the lock files, and the folder if it is
// empty.
func (l *Lock) Discard() error {
	err := os.Remove(filepath.Join(l.dir, LockName))
	_ = os.Remove(filepath.Join(l.dir, commitName)) // exists only if the lock was shared before
	_ = os.Remove(l.dir)                            // fails if the folder is not empty, as it should
	return errors.Join(err, l.Release())
}
