package workers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sandtable-farm/sandtable/dataset"
)

// DeadFolder is the folder of the dead letters within a data set, a JSON file
// for each job. It is there only when a job is dead.
const DeadFolder = "dead"

// DeadLetterPath returns the file of a job's dead letter.
func DeadLetterPath(dir string, job int64) string {
	return filepath.Join(dir, DeadFolder, fmt.Sprintf("job-%06d.json", job))
}

// DeadLetters reads the dead letters of a data set, in order of their jobs.
func DeadLetters(dir string) ([]DeadLetter, error) {
	paths, err := filepath.Glob(filepath.Join(dir, DeadFolder, "job-*.json"))
	if err != nil {
		return nil, fmt.Errorf("looking for dead letters: %w", err)
	}
	letters := make([]DeadLetter, 0, len(paths))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("reading a dead letter: %w", err)
		}
		var letter DeadLetter
		if err := json.Unmarshal(data, &letter); err != nil {
			return nil, fmt.Errorf("%s is no dead letter: %w", path, err)
		}
		letters = append(letters, letter)
	}
	return letters, nil
}

// Requeue removes the dead letters of a data set, so that the next farm or
// collector on it has their jobs tried again. It returns what the letters said.
// It fails while somebody is writing the data set.
func Requeue(dir string) (letters []DeadLetter, err error) {
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

// saveDeadLetter writes a dead letter, whole or not at all.
func saveDeadLetter(dir string, letter *DeadLetter) error {
	data, err := json.MarshalIndent(letter, "", "  ")
	if err != nil {
		return fmt.Errorf("dead letter of job %d: %w", letter.Job, err)
	}
	path := DeadLetterPath(dir, letter.Job)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("dead letter of job %d: %w", letter.Job, err)
	}
	if err := dataset.WriteFile(path, append(data, '\n')); err != nil {
		return fmt.Errorf("dead letter of job %d: %w", letter.Job, err)
	}
	return nil
}

// removeDeadLetter removes a dead letter, and the folder with the last.
func removeDeadLetter(dir string, job int64) error {
	path := DeadLetterPath(dir, job)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing the dead letter of job %d: %w", job, err)
	}
	_ = os.Remove(filepath.Dir(path)) // fails while others are there, as it should
	return nil
}

// takeDead files a dead letter, unless the result came by another way.
func (c *collector) takeDead(ctx context.Context, in Arrival) error {
	job := in.Dead.Job
	if held := c.arrivals.jobs[job]; c.jobs.Has(job) || held != nil && held.whole {
		in.Ack()
		return nil
	}
	return c.file(ctx, in.Dead, append(c.arrivals.remove(job), in.Ack))
}

// bury makes a dead letter of a job whose result cannot be used.
func (c *collector) bury(ctx context.Context, number int64, cause error) error {
	first, count := c.writer.Manifest().Settings.Job(number)
	letter := &DeadLetter{
		Run: c.Run, Job: number, First: first, Count: count,
		Error: cause.Error(), Worker: c.arrivals.jobs[number].worker, Deliveries: 1,
	}
	c.meter.JobDead()
	return c.file(ctx, letter, c.arrivals.remove(number))
}

// file writes a dead letter, tells of it and acknowledges.
func (c *collector) file(ctx context.Context, letter *DeadLetter, acks []func()) error {
	if err := saveDeadLetter(c.Dir, letter); err != nil {
		return err
	}
	c.dead[letter.Job] = true
	c.log.Error("a job is dead", "run", c.Run, "job", letter.Job, "error", letter.Error, "file", DeadLetterPath(c.Dir, letter.Job))
	if err := c.tell(ctx); err != nil {
		return err
	}
	for _, ack := range acks {
		ack()
	}
	return nil
}
