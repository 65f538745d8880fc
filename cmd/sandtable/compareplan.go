package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers/experiment"
)

// comparePlanFlags are the flags that state a comparison.
type comparePlanFlags struct {
	agent, budgets     string
	games, ladderPairs int64
	openingPlies       int
	maxPlies           int
	seed               uint64
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
	flags.StringVar(&f.agent, "agent", compareAgent, "agent that plays both sides; its limits are those of --budgets")
	flags.StringVar(&f.budgets, "budgets", compareBudgets, "positions that the agent visits for a move: rising numbers, or "+noBudgets+" for the agent as it is, and no ladder")
	flags.Int64Var(&f.games, "games", compareGames, "games of self-play of each variant with each budget")
	flags.Int64Var(&f.ladderPairs, "ladder-pairs", compareLadderPairs, "pairs of games of twice the budget against once, of each variant with each budget; 0 is none")
	flags.IntVar(&f.openingPlies, openingPliesFlag, 8, "random plies at the start of each game or pair, in which nobody gets ahead")
	flags.IntVar(&f.maxPlies, "max-plies", selfplay.DefaultMaxPlies, "cut a game off after so many plies; 0 is no limit")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of all games")
	flags.StringArrayVar(&f.margins, "margin", nil, "METRIC=NUMBER: the greatest difference that does not matter; may be repeated")
	flags.Float64Var(&f.power, "power", 0.8, "probability with which a difference that is told to be detectable is found")
	flags.BoolVar(&f.sequential, "sequential", false, "look at the games while they are played, and end when all is decided")
	flags.IntVar(&f.looks, "looks", compareLooks, "looks of --sequential, evenly spaced")
	flags.StringVar(&f.unit, "unit", "", "piece type that is worth 1, by name or symbol (default the most frequent one at the start)")
	completeAgents(cmd, "agent")
}

// comparison checks the flags and returns the comparison of variants. A variant may
// be named twice.
func (f *comparePlanFlags) comparison(cmd *cobra.Command, variants []string, commands agent.Commands) (*experiment.Comparison, error) {
	c := &experiment.Comparison{Commands: commands, Files: dataset.Files{}, Plan: &compare.Plan{
		Games: f.games, LadderPairs: f.ladderPairs, OpeningPlies: f.openingPlies, MaxPlies: f.maxPlies, Seed: f.seed, Power: f.power, Unit: f.unit,
	}}
	if f.games > mostCompareGames || f.ladderPairs > mostCompareGames {
		return nil, fmt.Errorf("--games is %d and --ladder-pairs %d, must be at most %d", f.games, f.ladderPairs, mostCompareGames)
	}
	nodes, err := parseBudgets(f.budgets)
	if err != nil {
		return nil, fmt.Errorf("--budgets: %w", err)
	}
	if nodes == nil {
		if cmd.Flags().Changed("ladder-pairs") && f.ladderPairs != 0 {
			return nil, errors.New("--ladder-pairs needs --budgets: without them there is no agent with twice as much")
		}
		c.Plan.LadderPairs = 0
	}
	for _, text := range variants {
		if err := f.variant(c, text, nodes); err != nil {
			return nil, err
		}
	}
	if c.Plan.Margins, err = parseMargins(f.margins); err != nil {
		return nil, err
	}
	if err := f.setLooks(cmd, c.Plan); err != nil {
		return nil, err
	}
	return c, c.Validate()
}

// variant adds a variant to the plan, and the agents with the first one.
func (f *comparePlanFlags) variant(c *experiment.Comparison, text string, nodes []int64) error {
	v, err := lookup(text)
	if err != nil {
		return err
	}
	spec, err := parseAgent(f.agent, v, c.Commands)
	if err != nil {
		return fmt.Errorf("--agent: %w", err)
	}
	budgets, err := f.agents(spec, nodes)
	if err != nil {
		return err
	}
	if c.Plan.Budgets == nil {
		c.Plan.Budgets = budgets
	}
	if first := c.Plan.Budgets[0].Agent; budgets[0].Agent != first {
		return fmt.Errorf("--agent %s is %s with %s, but %s with %s: all variants must be played by one agent; eval=score and eval=material are the same for all",
			f.agent, first, c.Plan.Variants[0].Name, budgets[0].Agent, v.Name)
	}
	spec.AddFiles(c.Files)
	c.Plan.Variants = append(c.Plan.Variants, compare.Variant{Name: label(v, text, c.Plan.Variants), Digest: v.Digest, Rules: v.Rules})
	return nil
}

// label is what a variant is called: by its name, and where that is another's by what
// the command line calls it, such as a file of changed rules that kept its name. One
// that is compared with itself is numbered.
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

// agents returns the agents of the budgets; nil stands for none.
func (f *comparePlanFlags) agents(spec agent.Spec, nodes []int64) ([]compare.Budget, error) {
	if nodes == nil {
		return []compare.Budget{{Agent: spec.String()}}, nil
	}
	if !spec.HasNodes() {
		return nil, fmt.Errorf("--agent %s has no option nodes that --budgets could set; with --budgets %s it plays as it is", f.agent, noBudgets)
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
				return nil, fmt.Errorf("--budgets: twice %d is too much: %w", n, err)
			}
			b.Double = twice.String()
		}
		budgets = append(budgets, b)
	}
	return budgets, nil
}

// parseBudgets reads rising numbers of positions; nil are none.
func parseBudgets(text string) ([]int64, error) {
	if text == noBudgets {
		return nil, nil
	}
	var nodes []int64
	for item := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseInt(item, 10, 64)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q must be %s or numbers of positions, 1 or more, such as %s", text, noBudgets, compareBudgets)
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

// parseMargins reads METRIC=NUMBER; which metrics there are is for the plan to say.
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

// compareFolder is where a comparison goes that was given no folder: below runs/, by
// the name of the baseline and the id of the plan.
func compareFolder(plan *compare.Plan) (string, error) {
	data, err := json.Marshal(plan)
	if err != nil {
		return "", err
	}
	id := sha256.Sum256(data)
	name, _, _ := strings.Cut(plan.Variants[0].Name, "{")
	return filepath.Join("runs", "compare-"+strings.ReplaceAll(name, "/", "-")+"-"+hex.EncodeToString(id[:8])), nil
}

// planned tells how much is to be played, and what it can find, in a line each.
func planned(plan *compare.Plan) []string {
	arms := int64(len(plan.Variants) * len(plan.Budgets))
	line := fmt.Sprintf("%s games: %s of self-play of each variant with each budget", report.Count(arms*(plan.Games+2*plan.LadderPairs)), report.Count(plan.Games))
	if plan.LadderPairs > 0 {
		line += fmt.Sprintf(", and %s of twice the budget against once", report.Count(2*plan.LadderPairs))
	}
	lines := []string{line}
	if len(plan.Looks) > 0 {
		lines = append(lines, fmt.Sprintf("it ends at the first of %d looks at which all is decided", plan.LookCount()))
	}
	switch least, err := plan.Detectable(); {
	case err != nil: // there is nothing to compare
	case least >= 1:
		lines = append(lines, "too few games to find any difference in the first player's score, or in the share of draws; --games makes them more")
	default:
		lines = append(lines, fmt.Sprintf("a difference of %.2g percentage points in the first player's score, or in the share of draws, is found with a probability of %g at least; --games makes it less",
			100*least, plan.Power))
	}
	return lines
}

// writePlan writes what would be played.
func (a *app) writePlan(plan *compare.Plan, asJSON bool) error {
	if asJSON {
		return writeJSON(a.out, plan)
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
