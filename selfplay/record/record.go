package record

import (
	"context"
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// A Recording describes which episodes are to be played into which data set.
type Recording struct {
	Dir      string // folder of the data set; an interrupted recording resumes there
	Plan     *selfplay.Plan
	Episodes int64 // maximum number in the data set; even in paired self-play
	Workers  int   // number of games played at a time
	// Each, unless nil, is called with the episodes in order of number from 0 on,
	// including those of earlier calls, and returns whether more are wanted. An episode
	// is valid during the call.
	Each func(*dataset.Episode) (more bool)
	// Progress, unless nil, is called with the number of games and plies that this call
	// has played so far.
	Progress func(games, plies int64)
}

// A Recorder plays recordings as Play does, possibly on other machines; nil is Play.
type Recorder func(context.Context, Recording) error

// Record plays a recording.
func (f Recorder) Record(ctx context.Context, r Recording) error {
	if f == nil {
		f = Play
	}
	return f(ctx, r)
}

// Settings returns the settings of the data set of a recorded plan.
func Settings(plan *selfplay.Plan) dataset.Settings {
	jobEpisodes := int64(1)
	if plan.Paired() {
		jobEpisodes = 2
	}
	return plan.Cut(0, jobEpisodes).Settings()
}

// Missing returns how many episodes are not in the data set, if Each wants all.
func (r *Recording) Missing() int64 {
	manifest, err := dataset.Load(r.Dir)
	if err != nil {
		return r.Episodes // Play reports what is wrong
	}
	return max(0, r.Episodes-manifest.Episodes())
}

// Play plays the missing episodes. It locks the folder. If the folder contains a
// different run, the error wraps dataset.ErrSettings. When ctx is done, Play keeps the
// whole jobs and returns an error that wraps the cause; another call resumes.
func Play(ctx context.Context, r Recording) (err error) {
	lock, err := dataset.AcquireLock(r.Dir)
	if err != nil {
		return err
	}
	release := lock.Release
	defer func() { err = errors.Join(err, release()) }()
	if _, err := dataset.Load(r.Dir); errors.Is(err, dataset.ErrNoDataSet) {
		release = lock.Discard // until there is a data set
		if err := selfplay.TryPlayer(r.Plan); err != nil {
			return err
		}
	}
	settings := Settings(r.Plan)
	writer, err := parquetio.OpenWriter(lock, &settings)
	if err != nil {
		return err
	}
	release = lock.Release

	more, err := r.Recall(ctx, writer.Manifest())
	if err != nil || !more {
		return err
	}
	return r.play(ctx, writer)
}

// Recall calls Each with the episodes that the data set contains by its manifest, and
// reports whether more are wanted. It is the first step of every Recorder.
func (r *Recording) Recall(ctx context.Context, manifest *dataset.Manifest) (more bool, err error) {
	if jobs := manifest.Jobs(); jobs.Len() != jobs.Max()+1 {
		return false, fmt.Errorf("%s contains jobs %s, must contain all jobs from 0 on to be extended", r.Dir, jobs)
	}
	if r.Each == nil {
		return manifest.Episodes() < r.Episodes, nil
	}
	reader, err := parquetio.Open(r.Dir)
	if err != nil {
		return false, err
	}
	for ep, err := range reader.Episodes() {
		if err != nil {
			return false, err
		}
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		if ep.Number == r.Episodes || !r.Each(ep) {
			return false, nil
		}
	}
	return manifest.Episodes() < r.Episodes, nil
}

// play plays the episodes that follow those in the data set.
func (r *Recording) play(ctx context.Context, writer *parquetio.Writer) error {
	k := &keeper{writer: writer, job: writer.Manifest().Jobs().Len()}
	first := writer.Manifest().Episodes()
	var games, plies int64
	err := selfplay.PlayAll(ctx, r.Plan, writer.Manifest().Run, first, r.Episodes-first, r.Workers, func(ep *dataset.Episode) error {
		games, plies = games+1, plies+int64(ep.Plies())
		if err := k.keep(ep); err != nil {
			return err
		}
		more := r.Each == nil || r.Each(ep)
		if r.Progress != nil {
			r.Progress(games, plies)
		}
		if !more {
			return selfplay.ErrEnough
		}
		return nil
	})
	if err := errors.Join(err, k.flush()); err != nil {
		return fmt.Errorf("%s, after %d episodes: %w", r.Dir, writer.Manifest().Episodes(), err)
	}
	return nil
}
