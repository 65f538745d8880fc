package experiment

import (
	"context"
	"fmt"

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
