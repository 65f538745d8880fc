package experiment

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/workers"
)

// Play checks that this machine can run the agents, keeps the plan as KeepPlan does, plays
// the missing games, and returns the report. Its other errors are those of the package's
// Play. A plan with looks ends at the first look at which everything is decided, even if
// more games exist.
func (c *Comparison) Play(ctx context.Context, farm *workers.Farm) (*compare.Report, error) {
	for _, budgets := range c.selfPlay {
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
		if err := c.playLook(ctx, farm, look); err != nil {
			return nil, err
		}
		if err := c.measure(ctx, look, played); err != nil {
			return nil, err
		}
		last := look == c.Plan.LookCount()-1
		if !last {
			var err error
			if last, _, err = c.Plan.Decide(look, played); err != nil {
				return nil, err
			}
		}
		if last {
			return c.report(ctx, look, played)
		}
	}
}

// playLook plays the games up to a look. The first look includes the ladder, whose games
// do not decide when play ends.
func (c *Comparison) playLook(ctx context.Context, farm *workers.Farm, look int) error {
	list := slices.Concat(c.selfPlay...)
	for i := range list {
		list[i].Episodes = c.Plan.GamesAt(look)
	}
	if look == 0 {
		list = append(list, slices.Concat(c.ladder...)...)
	}
	return c.play(ctx, farm, inFolder(c.Dir, list))
}

// measure measures the games up to a look. The first look includes the ladder.
func (c *Comparison) measure(ctx context.Context, look int, played [][]compare.Played) error {
	if look == 0 {
		err := c.each(ctx, c.ladder, Measuring, 2*c.Plan.LadderPairs, func(ctx context.Context, v, b int, source balance.Source) (err error) {
			played[v][b].Ladder, err = compare.MeasureLadder(ctx, source, c.Plan.LadderPairs)
			return err
		})
		if err != nil {
			return err
		}
	}
	games := c.Plan.GamesAt(look)
	return c.each(ctx, c.selfPlay, Measuring, games, func(ctx context.Context, v, b int, source balance.Source) (err error) {
		played[v][b].SelfPlay, err = compare.Measure(ctx, source, games)
		return err
	})
}

// report analyses the values of pieces up to a look, and makes the report.
func (c *Comparison) report(ctx context.Context, look int, played [][]compare.Played) (*compare.Report, error) {
	games := c.Plan.GamesAt(look)
	err := c.each(ctx, c.selfPlay, Valuing, games, func(ctx context.Context, v, b int, source balance.Source) (err error) {
		played[v][b].Values, err = balance.AnalyzeValues(ctx, []balance.Source{source.First(games)}, balance.Options{Unit: c.Plan.Unit, Goroutines: 1})
		return err
	})
	if err != nil {
		return nil, err
	}
	return compare.Compare(c.Plan, look, played)
}

// each opens the data sets of arms and calls do with them, for several at a time. Each
// counts as the given number of games in the progress.
func (c *Comparison) each(ctx context.Context, arms [][]Arm, stage Stage, games int64, do func(ctx context.Context, variant, budget int, source balance.Source) error) error {
	if len(arms) == 0 {
		return nil
	}
	progress := c.begin(stage, games*int64(len(arms)*len(arms[0])))
	var mu sync.Mutex
	done := int64(0)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, min(c.Goroutines, runtime.GOMAXPROCS(0))))
	for v := range arms {
		for b := range arms[v] {
			group.Go(func() error {
				source, err := balance.Open(filepath.Join(c.Dir, arms[v][b].Name))
				if err != nil {
					return err
				}
				if err := do(ctx, v, b, source); err != nil {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				done += games
				progress(done, 0)
				return nil
			})
		}
	}
	return group.Wait()
}
