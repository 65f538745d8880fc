package experiment

import (
	"context"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers"
)

// Comparison is a comparison of rule variants, with everything needed to play it.
//
// Its arms are self-play of each variant with each budget, and the ladder of twice the
// budget against once. The seed of an arm is env.Derive(plan seed, kind, variant, budget).
// The kind is 0 for self-play and 1 for the ladder; variants and budgets are numbered
// from 0. So no two arms share a seed, not even those of a variant compared with itself.
type Comparison struct {
	Local
	Plan *compare.Plan

	selfPlay, ladder []Arm              // by variant and budget, without folders; ladder may be nil
	played           [][]compare.Played // by variant and budget
}

// Kinds of arms, from which their seeds derive.
const (
	selfPlayArms = 0
	ladderArms   = 1
)

// NewComparison plans the games of a comparison. files are the files that its agents name
// by digest, commands the external programs on this machine. Its errors are those of the
// plan, its rules, its agents and its unit. Play reports agents that this machine cannot
// run.
func NewComparison(plan *compare.Plan, files dataset.Files, commands agent.Commands) (*Comparison, error) {
	if err := plan.Validate(); err != nil {
		return nil, err
	}
	c := &Comparison{Plan: plan}
	for v := range plan.Variants {
		for b := range plan.Budgets {
			budget := &plan.Budgets[b]
			arm, err := c.arm(v, b, selfPlayArms, [2]string{budget.Agent, budget.Agent}, files, commands)
			if err != nil {
				return nil, err
			}
			arm.Episodes = plan.Games
			c.selfPlay = append(c.selfPlay, arm)
			if plan.LadderPairs == 0 {
				continue
			}
			if arm, err = c.arm(v, b, ladderArms, [2]string{budget.Double, budget.Agent}, files, commands); err != nil {
				return nil, err
			}
			arm.Episodes = 2 * plan.LadderPairs
			c.ladder = append(c.ladder, arm)
		}
	}
	return c, c.checkUnit()
}

// checkUnit refuses an unknown unit, by an analysis of each variant without games.
func (c *Comparison) checkUnit() error {
	for v := range c.Plan.Variants {
		settings := Settings(c.selfPlay[v*len(c.Plan.Budgets)].Plan)
		nothing := balance.Source{Name: settings.Variant, Settings: &settings, Episodes: func(func(*dataset.Episode, error) bool) {}}
		if _, err := balance.AnalyzeValues(context.Background(), []balance.Source{nothing}, balance.Options{Unit: c.Plan.Unit}); err != nil {
			return err
		}
	}
	return nil
}

// arm plans an arm, without its number of episodes.
func (c *Comparison) arm(variant, budget, kind int, agents [2]string, files dataset.Files, commands agent.Commands) (Arm, error) {
	v, b := &c.Plan.Variants[variant], &c.Plan.Budgets[budget]
	plan, err := selfplay.Open(&dataset.Settings{
		Variant: v.Name, Digest: v.Digest, Rules: v.Rules, Agents: agents, Files: files,
		OpeningPlies: c.Plan.OpeningPlies, OpeningBalanced: c.Plan.OpeningPlies > 0 && !c.Plan.OpeningPolicy.Alternates(),
		OpeningPolicy: c.Plan.OpeningPolicy, Starts: v.Starts, MaxPlies: c.Plan.MaxPlies,
		Seed: env.Derive(c.Plan.Seed, uint64(kind), uint64(variant), uint64(budget)),
	}, commands)
	if err != nil {
		return Arm{}, fmt.Errorf("%s: %w", v.Name, err)
	}
	head, _, _ := strings.Cut(v.Name, "{")
	folder := fmt.Sprintf("%d-%s", variant+1, strings.NewReplacer("/", "-", " ", "-").Replace(head))
	name := "games"
	if b.Nodes > 0 {
		name = fmt.Sprintf("%d-nodes", b.Nodes)
	}
	if kind == ladderArms {
		name += "-ladder"
	}
	return Arm{Name: path.Join(folder, name), Plan: plan}, nil
}

// Arms returns the arms in the experiment's folder: self-play by variant and budget, then
// the ladder.
func (c *Comparison) Arms() []Arm {
	return inFolder(c.Dir, slices.Concat(c.selfPlay, c.ladder))
}

// Play checks that this machine can run the agents, keeps the plan as KeepPlan does, plays
// the missing games, and returns the report. Its other errors are those of the package's
// Play. A plan with looks ends at the first look at which everything is decided, even if
// more games exist.
func (c *Comparison) Play(ctx context.Context, farm *workers.Farm) (*compare.Report, error) {
	for i := range c.selfPlay {
		if err := c.selfPlay[i].Plan.Runnable(); err != nil {
			return nil, err
		}
	}
	if err := KeepPlan(c.Dir, c.Plan); err != nil {
		return nil, err
	}
	c.played = make([][]compare.Played, len(c.Plan.Variants))
	for v := range c.played {
		c.played[v] = make([]compare.Played, len(c.Plan.Budgets))
	}
	for look := 0; ; look++ {
		if err := c.playLook(ctx, farm, look); err != nil {
			return nil, err
		}
		if err := c.measure(ctx, look); err != nil {
			return nil, err
		}
		last := look == c.Plan.LookCount()-1
		if !last {
			var err error
			if last, _, err = c.Plan.Decide(look, c.played); err != nil {
				return nil, err
			}
		}
		if last {
			return c.report(ctx, look)
		}
	}
}

// playLook plays the games up to a look. The first look includes the ladder, whose games
// do not decide when play ends.
func (c *Comparison) playLook(ctx context.Context, farm *workers.Farm, look int) error {
	list := inFolder(c.Dir, c.selfPlay)
	for i := range list {
		list[i].Episodes = c.Plan.GamesAt(look)
	}
	if look == 0 {
		list = append(list, inFolder(c.Dir, c.ladder)...)
	}
	return c.play(ctx, farm, list)
}

// measure measures the games up to a look. The first look includes the ladder.
func (c *Comparison) measure(ctx context.Context, look int) error {
	if look == 0 {
		err := c.each(ctx, c.ladder, Measuring, 2*c.Plan.LadderPairs, func(ctx context.Context, to *compare.Played, source balance.Source) (err error) {
			to.Ladder, err = compare.MeasureLadder(ctx, source, c.Plan.LadderPairs)
			return err
		})
		if err != nil {
			return err
		}
	}
	games := c.Plan.GamesAt(look)
	return c.each(ctx, c.selfPlay, Measuring, games, func(ctx context.Context, to *compare.Played, source balance.Source) (err error) {
		to.SelfPlay, err = compare.Measure(ctx, source, games)
		return err
	})
}

// report analyses the values of pieces up to a look, and makes the report.
func (c *Comparison) report(ctx context.Context, look int) (*compare.Report, error) {
	games := c.Plan.GamesAt(look)
	err := c.each(ctx, c.selfPlay, Valuing, games, func(ctx context.Context, to *compare.Played, source balance.Source) (err error) {
		to.Values, err = balance.AnalyzeValues(ctx, []balance.Source{source.First(games)}, balance.Options{Unit: c.Plan.Unit, Goroutines: 1})
		return err
	})
	if err != nil {
		return nil, err
	}
	return compare.Compare(c.Plan, look, c.played)
}

// each opens the data sets of arms and calls do with them, and with where its measures
// go, for several at a time. Each arm counts as the given number of games in the progress.
func (c *Comparison) each(ctx context.Context, arms []Arm, stage Stage, games int64, do func(ctx context.Context, to *compare.Played, source balance.Source) error) error {
	if len(arms) == 0 {
		return nil
	}
	progress := c.begin(stage, games*int64(len(arms)))
	var mu sync.Mutex
	done := int64(0)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, min(c.Goroutines, runtime.GOMAXPROCS(0))))
	for i, arm := range inFolder(c.Dir, arms) {
		to := &c.played[i/len(c.Plan.Budgets)][i%len(c.Plan.Budgets)]
		group.Go(func() error {
			source, err := openArm(&arm)
			if err != nil {
				return err
			}
			if err := do(ctx, to, source); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			done += games
			progress(done, 0)
			return nil
		})
	}
	return group.Wait()
}
