package workers

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// DeadFolder is the folder of the dead letters within a data set, a JSON file per
// job. It exists only while a job is dead.
const DeadFolder = "dead"

// DeadLetterPath returns the file of a job's dead letter.
func DeadLetterPath(dir string, job int64) string {
	return filepath.Join(dir, DeadFolder, fmt.Sprintf("job-%06d.json", job))
}

// DeadLetters reads the dead letters of a data set, in order of their jobs.
func DeadLetters(dir string) ([]queue.DeadLetter, error) {
	paths, err := filepath.Glob(filepath.Join(dir, DeadFolder, "job-*.json"))
	if err != nil {
		return nil, fmt.Errorf("looking for dead letters: %w", err)
	}
	letters := make([]queue.DeadLetter, 0, len(paths))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("reading a dead letter: %w", err)
		}
		var letter queue.DeadLetter
		if err := json.Unmarshal(data, &letter); err != nil {
			return nil, fmt.Errorf("%s is not a dead letter: %w", path, err)
		}
		letters = append(letters, letter)
	}
	return letters, nil
}

// Requeue removes the dead letters of a data set, so that the next farm or
// collector on it has their jobs played again, and returns them. It fails while
// another process writes the data set.
func Requeue(dir string) (letters []queue.DeadLetter, err error) {
	if _, err := dataset.Load(dir); err != nil {
		return nil, err
	}
	lock, err := dataset.AcquireLock(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if letters, err = DeadLetters(dir); err != nil {
		return nil, err
	}
	for _, letter := range letters {
		if err := removeDeadLetter(dir, letter.Job); err != nil {
			return nil, err
		}
	}
	return letters, nil
}

// A deadFile keeps the dead letters of the data set that a collector writes.
type deadFile struct {
	dir  string
	jobs map[int64]bool
}

// openDeadFile reads the dead letters of a share of a data set, and removes those of jobs
// that it holds.
func openDeadFile(dir string, written dataset.Jobs, share queue.Share) (*deadFile, error) {
	letters, err := DeadLetters(dir)
	if err != nil {
		return nil, err
	}
	d := &deadFile{dir: dir, jobs: map[int64]bool{}}
	for _, letter := range letters {
		if !share.Has(letter.Job) {
			continue
		}
		if written.Has(letter.Job) {
			if err := removeDeadLetter(dir, letter.Job); err != nil {
				return nil, err
			}
			continue
		}
		d.jobs[letter.Job] = true
	}
	return d, nil
}

// list returns the dead jobs.
func (d *deadFile) list() dataset.Jobs {
	jobs, err := dataset.JobsOf(slices.Collect(maps.Keys(d.jobs))...)
	if err != nil {
		return dataset.Jobs{} // cannot happen: keys of a map differ, and the collector refuses negative jobs
	}
	return jobs
}

// save writes a dead letter atomically.
func (d *deadFile) save(letter *queue.DeadLetter) error {
	data, err := json.MarshalIndent(letter, "", "  ")
	if err != nil {
		return fmt.Errorf("dead letter of job %d: %w", letter.Job, err)
	}
	path := DeadLetterPath(d.dir, letter.Job)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("dead letter of job %d: %w", letter.Job, err)
	}
	if err := dataset.WriteFile(path, append(data, '\n')); err != nil {
		return fmt.Errorf("dead letter of job %d: %w", letter.Job, err)
	}
	d.jobs[letter.Job] = true
	return nil
}

// forget takes a job off the list; its file is removed when the job is written.
func (d *deadFile) forget(job int64) { delete(d.jobs, job) }

// removeDeadLetter removes a dead letter, and the folder with the last one.
func removeDeadLetter(dir string, job int64) error {
	path := DeadLetterPath(dir, job)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing the dead letter of job %d: %w", job, err)
	}
	_ = os.Remove(filepath.Dir(path)) // fails while it holds others, as it should
	return nil
}

// A DeadJobsError says that a run has ended without some of its jobs, which are
// dead letters in the data set's folder.
type DeadJobsError struct {
	Dir  string // of the data set; "" when only the collector knows it
	Jobs dataset.Jobs
}

func (e *DeadJobsError) Error() string {
	if e.Dir == "" {
		return fmt.Sprintf("the run is incomplete: job %s failed repeatedly; the dead letters in the collector's folder give the reasons", e.Jobs)
	}
	return fmt.Sprintf("the run is incomplete: job %s failed repeatedly; %s gives the reason, and `sandtable dataset requeue %s` queues them again",
		e.Jobs, DeadLetterPath(e.Dir, e.Jobs.Max()), e.Dir)
}
