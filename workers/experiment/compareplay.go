package experiment

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/workers"
)

// Play plays what is missing of a comparison and reports it. It keeps the plan first,
// as KeepPlan does, unless this machine cannot run the agents; its other errors are
// those of Play. A plan with looks ends at the first one at which all is decided,
// whatever further games there are already.
func (c *Comparison) Play(ctx context.Context, farm *workers.Farm) (*compare.Report, error) {
	arms, err := c.arms()
	if err != nil {
		return nil, err
	}
	for _, budgets := range arms.selfPlay {
		if err := budgets[0].Plan.Runnable(); err != nil {
			return nil, err
		}
	}
	if err := KeepPlan(c.Dir, c.Plan); err != nil {
		return nil, err
	}
	played := make([][]compare.Played, len(c.Plan.Variants))
	for v := range played {
		played[v] = make([]compare.Played, len(c.Plan.Budgets))
	}
	for look := 0; ; look++ {
		if err := c.playLook(ctx, farm, arms, look); err != nil {
			return nil, err
		}
		if err := c.measure(ctx, arms, look, played); err != nil {
			return nil, err
		}
		last := look == c.Plan.LookCount()-1
		if !last {
			if last, _, err = c.Plan.Decide(look, played); err != nil {
				return nil, err
			}
		}
		if last {
			return c.report(ctx, arms, look, played)
		}
	}
}

// playLook plays the games up to a look, and with the first one the ladder, whose
// games do not decide when playing ends.
func (c *Comparison) playLook(ctx context.Context, farm *workers.Farm, arms *comparisonArms, look int) error {
	var list []Arm
	for _, budgets := range arms.selfPlay {
		for _, arm := range budgets {
			arm.Episodes = c.Plan.GamesAt(look)
			list = append(list, arm)
		}
	}
	if look == 0 {
		for _, budgets := range arms.ladder {
			list = append(list, budgets...)
		}
	}
	var told func(done, plies int64)
	return Play(ctx, farm, list, func(s workers.Status) {
		if told == nil {
			told = c.begin(Playing, s.Remaining)
		}
		told(s.Collected, s.CollectedPlies)
	})
}

// begin begins a stage.
func (c *Comparison) begin(stage Stage, episodes int64) func(done, plies int64) {
	if c.Watch == nil {
		return func(int64, int64) {}
	}
	return c.Watch(stage, episodes)
}

// measure measures the games up to a look, and with the first one the ladder.
func (c *Comparison) measure(ctx context.Context, arms *comparisonArms, look int, played [][]compare.Played) error {
	if look == 0 {
		err := c.each(ctx, arms.ladder, Measuring, 2*c.Plan.LadderPairs, func(ctx context.Context, v, b int, source balance.Source) (err error) {
			played[v][b].Ladder, err = compare.MeasureLadder(ctx, source, c.Plan.LadderPairs)
			return err
		})
		if err != nil {
			return err
		}
	}
	games := c.Plan.GamesAt(look)
	return c.each(ctx, arms.selfPlay, Measuring, games, func(ctx context.Context, v, b int, source balance.Source) (err error) {
		played[v][b].SelfPlay, err = compare.Measure(ctx, source, games)
		return err
	})
}

// report adds the values of pieces up to a look, and reports.
func (c *Comparison) report(ctx context.Context, arms *comparisonArms, look int, played [][]compare.Played) (*compare.Report, error) {
	games := c.Plan.GamesAt(look)
	err := c.each(ctx, arms.selfPlay, Valuing, games, func(ctx context.Context, v, b int, source balance.Source) (err error) {
		played[v][b].Values, err = balance.AnalyzeValues(ctx, []balance.Source{source.First(games)}, balance.Options{Unit: c.Plan.Unit, Goroutines: 1})
		return err
	})
	if err != nil {
		return nil, err
	}
	return compare.Compare(c.Plan, look, played)
}

// each opens the data sets of arms, of so many games each, and does something with
// them, several at a time.
func (c *Comparison) each(ctx context.Context, arms [][]Arm, stage Stage, games int64, do func(ctx context.Context, variant, budget int, source balance.Source) error) error {
	if len(arms) == 0 {
		return nil
	}
	told := c.begin(stage, games*int64(len(arms)*len(arms[0])))
	var mu sync.Mutex
	done := int64(0)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, min(c.Goroutines, runtime.GOMAXPROCS(0))))
	for v := range arms {
		for b := range arms[v] {
			group.Go(func() error {
				source, err := balance.Open(arms[v][b].Dir)
				if err != nil {
					return err
				}
				if err := do(ctx, v, b, source); err != nil {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				done += games
				told(done, 0)
				return nil
			})
		}
	}
	return group.Wait()
}
