package record

import (
	"context"
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// A Recording says what is to be played into which data set.
type Recording struct {
	Dir      string // of the data set; an earlier part of it is continued
	Plan     *selfplay.Plan
	Episodes int64 // to be there, at most; in paired self-play an even number
	Workers  int   // games played at a time
	// Each, unless nil, is handed the episodes in order of number from 0 on, those
	// that were there before included, and says whether more are wanted. An episode
	// is valid during the call.
	Each func(*dataset.Episode) (more bool)
	// Progress, unless nil, is told how many games and plies were played so far by
	// this call.
	Progress func(games, plies int64)
}

// A Recorder plays recordings as Play does, perhaps with other machines; nil is Play.
type Recorder func(context.Context, Recording) error

// Record plays a recording.
func (f Recorder) Record(ctx context.Context, r Recording) error {
	if f == nil {
		f = Play
	}
	return f(ctx, r)
}

// Settings returns the settings of the data set that a plan is recorded into.
func Settings(plan *selfplay.Plan) dataset.Settings {
	jobEpisodes := int64(1)
	if plan.Paired() {
		jobEpisodes = 2
	}
	return plan.Cut(0, jobEpisodes).Settings()
}

// Missing returns how many episodes are not in the folder, if Each wants all.
func (r *Recording) Missing() int64 {
	manifest, err := dataset.Load(r.Dir)
	if err != nil {
		return r.Episodes // what is wrong there is for Play to say
	}
	return max(0, r.Episodes-manifest.Episodes())
}

// errEnough ends the playing when no more episodes are wanted.
var errEnough = errors.New("enough was played")

// Play plays what is missing. It locks the folder. A folder that holds another
// run is refused with an error that wraps dataset.ErrSettings. When ctx is done,
// the jobs that are whole are kept, and the error wraps the cause; calling it
// again then goes on.
func Play(ctx context.Context, r Recording) (err error) {
	lock, err := dataset.AcquireLock(r.Dir)
	if err != nil {
		return err
	}
	giveBack := lock.Release
	defer func() { err = errors.Join(err, giveBack()) }()
	if _, err := dataset.Load(r.Dir); errors.Is(err, dataset.ErrNoDataSet) {
		giveBack = lock.Discard // until there is a data set
		if err := selfplay.TryPlayer(r.Plan); err != nil {
			return err
		}
	}
	settings := Settings(r.Plan)
	writer, err := parquetio.OpenWriter(lock, &settings)
	if err != nil {
		return err
	}
	giveBack = lock.Release

	more, err := r.Recall(ctx, writer.Manifest())
	if err != nil || !more {
		return err
	}
	return r.play(ctx, writer)
}

// Recall hands out the episodes that are there by the manifest, and reports whether
// more are wanted. It is a step of Play, for those who play otherwise.
func (r *Recording) Recall(ctx context.Context, manifest *dataset.Manifest) (more bool, err error) {
	if jobs := manifest.Jobs(); jobs.Len() != jobs.Max()+1 {
		return false, fmt.Errorf("%s holds jobs %s, must hold all from 0 on to be continued", r.Dir, jobs)
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

// play plays on behind what is in the data set.
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
			return errEnough
		}
		return nil
	})
	switch {
	case errors.Is(err, errEnough):
		err = nil
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		err = context.Cause(ctx)
	}
	if err := errors.Join(err, k.flush()); err != nil {
		return fmt.Errorf("%s, after %d episodes: %w", r.Dir, writer.Manifest().Episodes(), err)
	}
	return nil
}
