package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers"
)

// Exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitFault       = 3
	exitInterrupted = 130
)

// exitCodes returns all exit codes with their meanings.
func exitCodes() []struct {
	code    int
	meaning string
} {
	return []struct {
		code    int
		meaning string
	}{
		{exitDone, "the command did what it was asked to do"},
		{exitFailed, "the command failed, for example because a file or a server could not be reached"},
		{exitUsage, "the input was wrong; nothing was changed"},
		{exitFault, "a check failed: faulty data, faulty rules, or an expectation that did not hold"},
		{exitInterrupted, "Ctrl-C or a signal ended the command; most commands then name the way to resume"},
	}
}

// exitError is an error that determines the exit code.
type exitError struct {
	error
	code int
}

func (e exitError) Unwrap() error { return e.error }

// usage marks an error as caused by wrong input: exit code 2.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return exitError{err, exitUsage}
}

// An interruption is the error of a command that a signal has ended: exit code 130.
type interruption struct {
	text      string
	resumable bool // by the same command line
}

func (i interruption) Error() string { return i.text }

// wasStopped reports whether an error only says that ctx is done.
func wasStopped(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)))
}

// explain returns the error to print for work in a folder that was not completed. If the
// work was interrupted, the error says how to resume it.
func explain(ctx context.Context, err error, dir string) error {
	switch {
	case errors.Is(err, dataset.ErrSettings), errors.Is(err, dataset.ErrUnlisted):
		return usage(fmt.Errorf("%w; choose another folder with --out DIR", err)) // the folder contains something other than the data of this run
	case errors.Is(err, workers.ErrCancelled):
		return fmt.Errorf("%w; %s keeps the games that it has, and sandtable run resume allows the run to be continued", err, dir)
	case !wasStopped(ctx, err):
		return badData(err)
	}
	contents := "the games so far"
	if m, err := dataset.Load(dir); err == nil {
		contents = plural(int(m.Episodes()), "episode")
	}
	return interruption{fmt.Sprintf("stopped; %s contains %s, and the same command resumes the run", dir, contents), true}
}

// badData gives exit code 3 to a fault of the data, and exit code 2 to a folder that is
// not a data set.
func badData(err error) error {
	var fault *dataset.Fault
	switch {
	case errors.As(err, &fault), errors.Is(err, dataset.ErrManifest):
		return exitError{err, exitFault}
	case errors.Is(err, dataset.ErrNoDataSet), errors.Is(err, agent.ErrNoCommand):
		return usage(err)
	}
	return err
}
