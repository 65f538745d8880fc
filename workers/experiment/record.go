package experiment

import (
	"context"
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay/record"
	"github.com/sandtable-farm/sandtable/workers"
)

// recordWindow is the most jobs of a recording that are queued or being played at a
// time, unless more get done between two looks: enough for the players of a few
// machines, and few, because they are finished when no more are wanted.
const recordWindow = 32

// Record does what [record.Play] does, on the farm: what Each is handed is the same, and
// a folder that one has begun the other continues. The farm's players count, not those
// of the recording. The jobs that are under way when Each has seen enough are finished,
// so that the data set holds some episodes more than it wanted.
//
// Its errors are those of Play, of an arm whose jobs nobody could do too.
func (f *Farm) Record(ctx context.Context, r record.Recording) (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.Episodes < 1 {
		return fmt.Errorf("%s: episodes is %d, must be 1 or more", r.Dir, r.Episodes)
	}
	settings := record.Settings(r.Plan)
	tuning := f.cfg.Tuning
	if tuning.Window == 0 {
		tuning.Window = recordWindow
	}
	var games, plies int64
	run, err := workers.OpenRun(workers.RunConfig{
		Dir: r.Dir, Settings: settings, Jobs: (r.Episodes + settings.JobEpisodes - 1) / settings.JobEpisodes, Commands: f.cfg.Commands,
		Meter: f.cfg.Meter, Log: f.cfg.Log, Tuning: tuning,
		Each: func(ep *dataset.Episode) bool {
			games, plies = games+1, plies+int64(ep.Plies())
			more := r.Each == nil || r.Each(ep)
			if r.Progress != nil {
				r.Progress(games, plies)
			}
			return more
		},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.Close()) }()
	if manifest := run.Manifest(); manifest != nil {
		if more, err := r.Recall(ctx, manifest); err != nil || !more {
			return err
		}
	}
	return f.play(ctx, []*workers.Run{run})
}
