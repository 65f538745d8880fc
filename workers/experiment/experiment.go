package experiment

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/record"
	"github.com/sandtable-farm/sandtable/workers"
)

// Local describes where and how an experiment is played on this machine.
type Local struct {
	Dir        string // folder of plan.json and the arms
	Goroutines int    // number of goroutines that measure, 1 or more
	// Watch, unless nil, is called when a stage begins, with the number of its episodes. It
	// returns a function that is called, one call at a time, with the numbers of episodes
	// done and of plies played so far.
	Watch func(stage Stage, episodes int64) func(done, plies int64)
}

// A Stage is a part of the work for an experiment.
type Stage string

const (
	Playing   Stage = "playing"
	Measuring Stage = "measuring"
	Valuing   Stage = "valuing pieces"
)

// begin begins a stage.
func (l *Local) begin(stage Stage, episodes int64) func(done, plies int64) {
	if l.Watch == nil {
		return func(int64, int64) {}
	}
	return l.Watch(stage, episodes)
}

// play plays the missing episodes of arms.
func (l *Local) play(ctx context.Context, farm *workers.Farm, arms []Arm) error {
	var progress func(done, plies int64)
	return Play(ctx, farm, arms, func(s workers.Status) {
		if progress == nil {
			progress = l.begin(Playing, s.Remaining)
		}
		progress(s.Collected, s.CollectedPlies)
	})
}

// An Arm is a data set of an experiment.
type Arm struct {
	Name     string // path of the data set in the folder of the experiment, such as "LT-speed+1-second"
	Dir      string // folder of the data set; an existing part of it is resumed
	Plan     *selfplay.Plan
	Episodes int64 // number of episodes, from number 0; even for pairs
}

// inFolder returns copies of arms with their folders in the folder of an experiment.
func inFolder(dir string, arms []Arm) []Arm {
	arms = slices.Clone(arms)
	for i := range arms {
		arms[i].Dir = filepath.Join(dir, arms[i].Name)
	}
	return arms
}

// jobShare is the number of jobs of an arm in one job of an ordinary run. A job of a run
// takes about ten seconds of one core, but an arm may have only a few hundred episodes.
const jobShare = 64

// Settings returns the settings of an arm's data set, which depend only on its plan.
func Settings(plan *selfplay.Plan) dataset.Settings {
	s := record.Settings(plan)
	share := plan.Cut(0, 0).Settings().JobEpisodes / jobShare
	s.JobEpisodes = max(s.JobEpisodes, share&^1)
	return s
}

// Validate checks the number of episodes.
func (a *Arm) Validate() error {
	switch {
	case a.Episodes < 1:
		return fmt.Errorf("%s: episodes is %d, must be 1 or more", a.Dir, a.Episodes)
	case a.Plan.Paired() && a.Episodes%2 != 0:
		return fmt.Errorf("%s: episodes is %d, must be even because they come in pairs", a.Dir, a.Episodes)
	}
	return nil
}

// Play plays the missing episodes of all arms on a farm, side by side. A later call may
// ask for more episodes of the same arms. Errors and status are those of Farm.Play.
func Play(ctx context.Context, farm *workers.Farm, arms []Arm, status func(workers.Status)) error {
	runs := make([]workers.Run, len(arms))
	for i := range arms {
		arm := &arms[i]
		if err := arm.Validate(); err != nil {
			return err
		}
		runs[i] = workers.Run{Dir: arm.Dir, Plan: arm.Plan.Cut(0, Settings(arm.Plan).JobEpisodes), Episodes: arm.Episodes}
	}
	_, err := farm.Play(ctx, status, runs...)
	return err
}
