package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
	"github.com/sandtable-farm/sandtable/workers/experiment"
)

// comparePlanFlags are the flags of a comparison's plan.
type comparePlanFlags struct {
	agent, budgets     string
	label              string // of the agent; set by comparison
	games, ladderPairs int64
	margins            []string
	power              float64
	sequential         bool
	looks              int
	unit               string
}

const (
	// compareAgent values positions by the score, which every rule set has, so that no
	// variant is played better than another for what was learnt of it.
	compareAgent   = "alphabeta:eval=score,noise=10"
	compareBudgets = "500,2000"
	noBudgets      = "none"
	// compareGames and compareLadderPairs take some minutes on two cores for two variants
	// of any game.
	compareGames       = 1000
	compareLadderPairs = 200
	compareLooks       = 4
	mostBudgets        = 8
	mostLooks          = 20
	mostCompareGames   = 100_000_000
)

func (f *comparePlanFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.agent, "agent", compareAgent, "agent that plays both sides; --budgets sets its nodes")
	flags.StringVar(&f.budgets, "budgets", compareBudgets, "numbers of nodes per move, rising; or "+noBudgets+" for the agent as it is, without a ladder")
	flags.Int64Var(&f.games, "games", compareGames, "number of self-play games of each variant with each budget")
	flags.Int64Var(&f.ladderPairs, "ladder-pairs", compareLadderPairs, "number of pairs of games of twice the budget against once, for each variant with each budget; 0 means none")
	flags.StringArrayVar(&f.margins, "margin", nil, "METRIC=NUMBER, the greatest difference that does not matter; repeatable")
	flags.Float64Var(&f.power, "power", 0.8, "statistical power used to compute detectable differences")
	flags.BoolVar(&f.sequential, "sequential", false, "look at the games during play, and stop once every comparison is decided")
	flags.IntVar(&f.looks, "looks", compareLooks, "number of evenly spaced looks of --sequential")
	flags.StringVar(&f.unit, "unit", "", "piece type whose value is 1, by name or symbol (default: the most frequent type at the start)")
}

// comparison checks the flags and returns the comparison of variants. A variant may be
// named twice.
func (f *compareFlags) comparison(cmd *cobra.Command, variants []string, commands agent.Commands) (*experiment.Comparison, error) {
	plan := &compare.Plan{
		Games: f.plan.games, LadderPairs: f.plan.ladderPairs, MaxPlies: f.maxPlies, Seed: f.seed, Power: f.plan.power, Unit: f.plan.unit,
	}
	if plan.Games > mostCompareGames || plan.LadderPairs > mostCompareGames {
		return nil, fmt.Errorf("--games is %d and --ladder-pairs is %d, must be at most %d", plan.Games, plan.LadderPairs, mostCompareGames)
	}
	nodes, err := parseBudgets(f.plan.budgets)
	if err != nil {
		return nil, fmt.Errorf("--budgets: %w", err)
	}
	if nodes == nil {
		if cmd.Flags().Changed("ladder-pairs") && plan.LadderPairs != 0 {
			return nil, errors.New("--ladder-pairs needs --budgets: without budgets no agent has twice the nodes")
		}
		plan.LadderPairs = 0
	}
	if f.plan.label, f.plan.agent, err = cutLabel(f.plan.agent); err != nil {
		return nil, fmt.Errorf("--agent: %w", err)
	}
	files := dataset.Files{}
	for _, text := range variants {
		v, err := lookup(text)
		if err != nil {
			return nil, err
		}
		opening, err := f.opening.opening(cmd, v, f.seed, openings.Start())
		if err != nil {
			return nil, err
		}
		if len(plan.Variants) == 0 {
			plan.OpeningPlies, plan.OpeningPolicy = opening.Plies, opening.Policy
		}
		if err := f.plan.variant(plan, files, commands, v, text, nodes); err != nil {
			return nil, err
		}
		plan.Variants[len(plan.Variants)-1].Starts = opening.Starts
	}
	if plan.Margins, err = parseMargins(f.plan.margins); err != nil {
		return nil, err
	}
	if err := f.plan.setLooks(cmd, plan); err != nil {
		return nil, err
	}
	return experiment.NewComparison(plan, files, commands)
}

// variant adds a variant to the plan, with the first one also the agents. It adds the
// files of the agent to files.
func (f *comparePlanFlags) variant(plan *compare.Plan, files dataset.Files, commands agent.Commands, v *variant.Variant, text string, nodes []int64) error {
	spec, err := parseAgent(f.agent, v, commands)
	if err != nil {
		return fmt.Errorf("--agent: %w", err)
	}
	budgets, err := f.agents(spec, nodes)
	if err != nil {
		return err
	}
	if plan.Budgets == nil {
		plan.Budgets = budgets
	}
	if first := plan.Budgets[0].Agent; budgets[0].Agent != first {
		return fmt.Errorf("--agent %s is %s with %s, but %s with %s: one agent must play all variants; eval=score and eval=material are the same for all",
			f.agent, first, plan.Variants[0].Name, budgets[0].Agent, v.Name)
	}
	spec.AddFiles(files)
	plan.Variants = append(plan.Variants, compare.Variant{Name: label(v, text, plan.Variants), Digest: v.Digest, Rules: v.Rules})
	return nil
}

// label names a variant: by its own name or, if other rules have that name, by its text on
// the command line, such as a file of changed rules. A variant that is compared with
// itself is numbered.
func label(v *variant.Variant, text string, others []compare.Variant) string {
	name := v.Name
	taken := func(name string) int {
		return slices.IndexFunc(others, func(o compare.Variant) bool { return o.Name == name })
	}
	if i := taken(name); i >= 0 && others[i].Digest != v.Digest {
		name = text
	}
	unique := name
	for n := 2; taken(unique) >= 0; n++ {
		unique = fmt.Sprintf("%s (%d)", name, n)
	}
	return unique
}

// agents returns the agents of the budgets. nil means one budget, the agent as it is.
func (f *comparePlanFlags) agents(spec agent.Spec, nodes []int64) ([]compare.Budget, error) {
	if nodes == nil {
		return []compare.Budget{{Agent: spec.String()}}, nil
	}
	if !spec.HasNodes() {
		return nil, fmt.Errorf("--agent %s has no option nodes for --budgets to set; use --budgets %s to play it as it is", f.agent, noBudgets)
	}
	var budgets []compare.Budget
	for _, n := range nodes {
		once, err := spec.WithNodes(n)
		if err != nil {
			return nil, fmt.Errorf("--budgets: %w", err)
		}
		b := compare.Budget{Nodes: n, Agent: once.String()}
		if f.ladderPairs > 0 {
			twice, err := spec.WithNodes(2 * n)
			if err != nil {
				return nil, fmt.Errorf("--budgets: twice %d is too large: %w", n, err)
			}
			b.Double = twice.String()
		}
		budgets = append(budgets, b)
	}
	return budgets, nil
}

// parseBudgets reads rising numbers of nodes, or noBudgets as nil.
func parseBudgets(text string) ([]int64, error) {
	if text == noBudgets {
		return nil, nil
	}
	var nodes []int64
	for item := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseInt(item, 10, 64)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q must be %s or numbers of nodes, 1 or more, such as %s", text, noBudgets, compareBudgets)
		}
		if len(nodes) > 0 && n <= nodes[len(nodes)-1] {
			return nil, fmt.Errorf("%q must rise", text)
		}
		nodes = append(nodes, n)
	}
	if len(nodes) > mostBudgets {
		return nil, fmt.Errorf("%q has %d numbers, must have at most %d", text, len(nodes), mostBudgets)
	}
	return nodes, nil
}

// parseMargins reads METRIC=NUMBER. The plan checks the metrics.
func parseMargins(given []string) (map[string]float64, error) {
	margins := map[string]float64{}
	for _, text := range given {
		name, value, _ := strings.Cut(text, "=")
		number, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, fmt.Errorf("--margin is %q, must be of the form METRIC=NUMBER", text)
		}
		if _, ok := margins[name]; ok {
			return nil, fmt.Errorf("--margin gives %s twice", name)
		}
		margins[name] = number
	}
	if len(margins) == 0 {
		return nil, nil
	}
	return margins, nil
}

// setLooks spaces the looks of a sequential comparison.
func (f *comparePlanFlags) setLooks(cmd *cobra.Command, plan *compare.Plan) error {
	switch {
	case !f.sequential && cmd.Flags().Changed("looks"):
		return errors.New("--looks needs --sequential")
	case !f.sequential:
		return nil
	case f.looks < 2 || f.looks > mostLooks:
		return fmt.Errorf("--looks is %d, must be 2 to %d", f.looks, mostLooks)
	}
	for k := 1; k <= f.looks; k++ {
		plan.Looks = append(plan.Looks, float64(k)/float64(f.looks))
	}
	return nil
}

// planned describes the size of a plan and what it detects, in a few lines.
func planned(plan *compare.Plan) []string {
	arms := int64(len(plan.Variants) * len(plan.Budgets))
	line := fmt.Sprintf("%s games: %s of self-play for each variant with each budget", report.Count(arms*(plan.Games+2*plan.LadderPairs)), report.Count(plan.Games))
	if plan.LadderPairs > 0 {
		line += fmt.Sprintf(", and %s of twice the budget against once", report.Count(2*plan.LadderPairs))
	}
	lines := []string{line}
	if len(plan.Looks) > 0 {
		lines = append(lines, fmt.Sprintf("stops at the first of %d looks at which every comparison is decided", plan.LookCount()))
	}
	switch least, err := plan.Detectable(); {
	case err != nil: // there is nothing to compare
	case least >= 1:
		lines = append(lines, "too few games to detect any difference in the first player's score or in the share of draws; increase --games")
	default:
		lines = append(lines, fmt.Sprintf("detects a difference of %.2g percentage points in the first player's score or in the share of draws with a probability of at least %g; more --games detect smaller differences",
			100*least, plan.Power))
	}
	return lines
}

// writePlan writes the plan.
func (a *app) writePlan(plan *compare.Plan, asJSON bool) error {
	if asJSON {
		return writeJSON(a.out, report.PlanJSON(plan))
	}
	for i, v := range plan.Variants {
		role := ""
		if i == 0 {
			role = ", the baseline"
		}
		if _, err := fmt.Fprintf(a.out, "%s (%s)%s\n", v.Name, v.Digest, role); err != nil {
			return err
		}
	}
	for _, b := range plan.Budgets {
		if _, err := fmt.Fprintln(a.out, b.Agent); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(a.out, strings.Join(planned(plan), "\n"))
	return err
}
