package experiment

import (
	"context"

	"github.com/sandtable-farm/sandtable/workers"
)

// Local is where and how an experiment is played on this machine.
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
