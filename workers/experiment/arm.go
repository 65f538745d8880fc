package experiment

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/record"
	"github.com/sandtable-farm/sandtable/workers"
)

// An Arm is a data set of an experiment.
type Arm struct {
	Dir      string // of the data set; an earlier part of it is continued
	Plan     *selfplay.Plan
	Episodes int64 // to be there, from number 0 on; even where they are paired
}

// Status is how a call of Play gets on.
type Status struct {
	Total     int64 // episodes that all arms are to have
	Remaining int64 // of them, those that were missing when the call began
	// Played and Plies count what was played since, by all workers of the queue, in
	// whole jobs, so that Played may be a little more than Remaining at the end.
	Played, Plies int64
}

// jobShare is how many jobs of an arm make one of an ordinary run, which is some ten
// seconds of one core: an arm may have but a few hundred episodes.
const jobShare = 64

// Settings returns the settings of an arm's data set, which follow from its plan
// alone.
func Settings(plan *selfplay.Plan) dataset.Settings {
	s := record.Settings(plan)
	share := plan.Cut(0, 0).Settings().JobEpisodes / jobShare
	s.JobEpisodes = max(s.JobEpisodes, share&^1)
	return s
}

// Validate checks the arm but for what is in its folder.
func (a *Arm) Validate() error {
	switch {
	case a.Episodes < 1:
		return fmt.Errorf("%s: episodes is %d, must be 1 or more", a.Dir, a.Episodes)
	case a.Plan.Paired() && a.Episodes%2 != 0:
		return fmt.Errorf("%s: episodes is %d, must be even, for they come in pairs", a.Dir, a.Episodes)
	}
	return nil
}

// Play plays whatever is missing of all arms, side by side. A later call may ask for
// more episodes of the same arms. status, unless nil, is told now and then how it
// gets on, one call at a time.
//
// The folders are locked before the queue is opened, and where nothing is missing it
// is not opened at all. A folder that holds another run is refused with an error that
// wraps dataset.ErrSettings. Other errors are those of workers.PlayRuns: an arm with
// jobs that nobody could do is named by a *workers.DeadJobsError once the others are
// there. When ctx is done, what is whole is kept, and the error wraps the cause.
func (f *Farm) Play(ctx context.Context, arms []Arm, status func(Status)) (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := distinct(arms); err != nil {
		return err
	}
	p := &progress{tell: status, arms: make([]workers.Progress, len(arms))}
	var missing []*workers.Run
	for i, arm := range arms {
		settings := Settings(arm.Plan)
		run, openErr := workers.OpenRun(workers.RunConfig{
			Dir: arm.Dir, Settings: settings, Jobs: (arm.Episodes + settings.JobEpisodes - 1) / settings.JobEpisodes, Commands: f.cfg.Commands,
			Meter: f.cfg.Meter, Log: f.cfg.Log, Tuning: f.cfg.Tuning,
			Status: func(now workers.Progress, _ workers.Queued) { p.update(i, now) },
		})
		if openErr != nil {
			return openErr
		}
		defer func() { err = errors.Join(err, run.Close()) }()
		p.begin(i, arm.Episodes, run.Missing()*settings.JobEpisodes, run.Report())
		if !run.Complete() {
			missing = append(missing, run)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return f.play(ctx, missing)
}

// distinct checks the arms, and that no two are the same run or in the same folder.
func distinct(arms []Arm) error {
	folders, runs := map[string]bool{}, map[string]string{}
	for i := range arms {
		arm := &arms[i]
		if err := arm.Validate(); err != nil {
			return err
		}
		if folders[arm.Dir] {
			return fmt.Errorf("%s is the folder of two arms", arm.Dir)
		}
		folders[arm.Dir] = true
		settings := Settings(arm.Plan)
		run := settings.Run()
		if other := runs[run]; other != "" {
			return fmt.Errorf("%s and %s are the same games: give their plans different seeds", other, arm.Dir)
		}
		runs[run] = arm.Dir
	}
	return nil
}

// progress adds up how the arms get on. Their coordinators tell it at the same time.
type progress struct {
	tell func(Status)

	mu     sync.Mutex
	status Status
	arms   []workers.Progress // told last; of arms that are not told of, what was there
	before workers.Progress   // episodes and plies that were there
}

// begin takes in what is there of an arm.
func (p *progress) begin(arm int, episodes, missing int64, there workers.Report) {
	p.status.Total += episodes
	p.status.Remaining += min(episodes, missing)
	p.arms[arm] = workers.Progress{Episodes: there.Episodes, Plies: there.Plies}
	p.before.Episodes += there.Episodes
	p.before.Plies += there.Plies
}

func (p *progress) update(arm int, now workers.Progress) {
	if p.tell == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Run == "" {
		return // nothing is published yet
	}
	p.arms[arm] = now
	p.status.Played, p.status.Plies = -p.before.Episodes, -p.before.Plies
	for i := range p.arms {
		a := &p.arms[i]
		p.status.Played += a.Episodes + a.Arrived.Episodes
		p.status.Plies += a.Plies + a.Arrived.Plies
	}
	p.tell(p.status)
}
