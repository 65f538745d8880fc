package experiment

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
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

	selfPlay, ladder [][]Arm // by variant and budget, without folders; ladder may be nil
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
		var selfPlay, ladder []Arm
		for b := range plan.Budgets {
			budget := &plan.Budgets[b]
			arm, err := c.arm(v, b, selfPlayArms, [2]string{budget.Agent, budget.Agent}, files, commands)
			if err != nil {
				return nil, err
			}
			arm.Episodes = plan.Games
			selfPlay = append(selfPlay, arm)
			if plan.LadderPairs == 0 {
				continue
			}
			if arm, err = c.arm(v, b, ladderArms, [2]string{budget.Double, budget.Agent}, files, commands); err != nil {
				return nil, err
			}
			arm.Episodes = 2 * plan.LadderPairs
			ladder = append(ladder, arm)
		}
		c.selfPlay = append(c.selfPlay, selfPlay)
		if ladder != nil {
			c.ladder = append(c.ladder, ladder)
		}
	}
	return c, c.checkUnit()
}

// checkUnit refuses an unknown unit, by an analysis of each variant without games.
func (c *Comparison) checkUnit() error {
	for v := range c.selfPlay {
		settings := Settings(c.selfPlay[v][0].Plan)
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
		OpeningPlies: c.Plan.OpeningPlies, OpeningBalanced: c.Plan.OpeningPlies > 0, MaxPlies: c.Plan.MaxPlies,
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
	return inFolder(c.Dir, append(slices.Concat(c.selfPlay...), slices.Concat(c.ladder...)...))
}
