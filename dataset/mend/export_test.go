package mend

import (
	"context"
	"errors"

	"github.com/sandtable-farm/sandtable/dataset"
)

// RepairSteps repairs a data set like Repair, but stops after the given number of steps, as
// a process that is killed does. It reports whether all steps were made.
func RepairSteps(dir string, most int) (done bool, err error) {
	lock, err := dataset.AcquireLock(dir)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	p, err := plan(context.Background(), dir, Options{Goroutines: 1})
	if err != nil {
		return false, err
	}
	if !p.Changed() {
		return true, nil
	}
	for i, step := range p.steps(lock) {
		if i == most {
			return false, nil
		}
		if err := step(); err != nil {
			return false, err
		}
	}
	return true, nil
}
