package experiment

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// A Comparison is a plan to compare rule variants, with what it takes to play it.
//
// An arm is a data set: self-play of each variant with each budget, and the ladder of
// twice the budget against once. Its seed is env.Derive(plan seed, kind, variant,
// budget), kind being 0 of self-play and 1 of the ladder and variants and budgets
// being numbered from 0, so that no two arms share one, not even those of a variant
// that is compared with itself.
type Comparison struct {
	Dir        string // of plan.json and the arms
	Plan       *compare.Plan
	Files      dataset.Files  // what the agents name by digest
	Commands   agent.Commands // what external programs stand for on this machine
	Goroutines int            // that measure, 1 or more
	// Watch, unless nil, is called when a stage of the work begins, with how many
	// episodes there are to do, and returns what is told how many are done, and how
	// many plies were played: one call at a time.
	Watch func(stage Stage, episodes int64) func(done, plies int64)
}

// A Stage is what is being done for a comparison.
type Stage string

const (
	Playing   Stage = "playing"
	Measuring Stage = "measuring"
	Valuing   Stage = "valuing pieces"
)

// Kinds of arms, which their seeds derive from.
const (
	selfPlayArms = 0
	ladderArms   = 1
)

// comparisonArms are the arms of a comparison by variant and budget.
type comparisonArms struct {
	selfPlay, ladder [][]Arm // ladder is nil where there is none
}

// Validate checks the plan, its rules, its agents and the unit of its values, but not
// whether this machine can run the agents.
func (c *Comparison) Validate() error {
	arms, err := c.arms()
	if err != nil {
		return err
	}
	for _, budgets := range arms.selfPlay {
		settings := Settings(budgets[0].Plan)
		nothing := balance.Source{Name: settings.Variant, Settings: &settings, Episodes: func(func(*dataset.Episode, error) bool) {}}
		if _, err := balance.AnalyzeValues(context.Background(), []balance.Source{nothing}, balance.Options{Unit: c.Plan.Unit}); err != nil {
			return err
		}
	}
	return nil
}

// arms makes the arms of all games that the plan may come to.
func (c *Comparison) arms() (*comparisonArms, error) {
	if err := c.Plan.Validate(); err != nil {
		return nil, err
	}
	arms, names := &comparisonArms{}, map[string]bool{}
	for v := range c.Plan.Variants {
		name := c.Plan.Variants[v].Name
		if names[name] {
			return nil, fmt.Errorf("two variants are called %s: each needs a name of its own", name)
		}
		names[name] = true
		var selfPlay, ladder []Arm
		for b := range c.Plan.Budgets {
			budget := &c.Plan.Budgets[b]
			arm, err := c.arm(v, b, selfPlayArms, budget.Agent, budget.Agent)
			if err != nil {
				return nil, err
			}
			arm.Episodes = c.Plan.Games
			selfPlay = append(selfPlay, arm)
			if c.Plan.LadderPairs == 0 {
				continue
			}
			if arm, err = c.arm(v, b, ladderArms, budget.Double, budget.Agent); err != nil {
				return nil, err
			}
			arm.Episodes = 2 * c.Plan.LadderPairs
			ladder = append(ladder, arm)
		}
		arms.selfPlay = append(arms.selfPlay, selfPlay)
		if ladder != nil {
			arms.ladder = append(arms.ladder, ladder)
		}
	}
	return arms, nil
}

// arm makes an arm without its number of episodes.
func (c *Comparison) arm(variant, budget, kind int, first, second string) (Arm, error) {
	v, b := &c.Plan.Variants[variant], &c.Plan.Budgets[budget]
	plan, err := selfplay.Open(&dataset.Settings{
		Variant: v.Name, Digest: v.Digest, Rules: v.Rules, Agents: [2]string{first, second}, Files: c.Files,
		OpeningPlies: c.Plan.OpeningPlies, OpeningBalanced: c.Plan.OpeningPlies > 0, MaxPlies: c.Plan.MaxPlies,
		Seed: env.Derive(c.Plan.Seed, uint64(kind), uint64(variant), uint64(budget)),
	}, c.Commands)
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
	return Arm{Dir: filepath.Join(c.Dir, folder, name), Plan: plan}, nil
}
