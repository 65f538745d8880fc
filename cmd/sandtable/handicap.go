package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
	"github.com/sandtable-farm/sandtable/workers/experiment"
	"github.com/sandtable-farm/sandtable/workers/metrics"
)

// handicapFlags are the flags of balance --handicap.
type handicapFlags struct {
	experimentFlags
	variant string
	types   []string
	changes []string
	agent   string
	pairs   int64
	control int64
	until   string
	budgets string

	noControl bool // set for the weaker agent of two budgets
}

const (
	handicapFlag = "handicap"
	untilFlag    = "until"
	// defaultHandicapPairs finds with all types of Trench a loss of 3.5 points of 100. With
	// the default agent a General costs 11.5 (9.5 to 13.4), for which 90 pairs would do, and
	// a Colonel 3.0 (0.9 to 5.0).
	defaultHandicapPairs = 1000
	// defaultUntilPairs is the default of --pairs with --until, at which play ends anyway.
	defaultUntilPairs = 16_000
	// The default agents play a game of the default variants in some hundredths of a
	// second. Both have noise, so that their games differ.
	plainHandicapAgent   = "alphabeta:nodes=500"
	learntHandicapAgent  = "alphabeta:eval=linear,nodes=500,noise=2"
	handicapAgentDefault = "alphabeta with 500 nodes and noise; with the built-in weights of the rules if all handicaps are removals"
)

func (f *handicapFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.variant, handicapFlag, "", "play an experiment with handicaps in this `VARIANT`")
	flags.StringSliceVar(&f.types, "type", nil, "piece type to handicap, by name or symbol; repeatable (default: every type that supports the change)")
	flags.StringSliceVar(&f.changes, "change", []string{handicap.Change{}.String()}, "the handicap: removed, last (the last piece of the type, with all others gone from both sides), or a change of an attribute such as speed+1 or armour-1; repeatable")
	flags.StringVar(&f.agent, "agent", "", "agent that plays both sides (default: "+handicapAgentDefault+")")
	flags.Int64Var(&f.pairs, "pairs", defaultHandicapPairs, "number of pairs of games per handicap, one with either side handicapped")
	flags.Int64Var(&f.control, "control", 0, "number of games with the unchanged rules, for values by regression (default: as many as per handicap; none if there are data sets)")
	flags.StringVar(&f.until, untilFlag, "", fmt.Sprintf("play until each worth is known to `±NUMBER` units, or each loss to ±NUMBER%% points, or --pairs is reached (default then %d)", defaultUntilPairs))
	flags.StringVar(&f.budgets, "budgets", "", "two numbers of nodes per move, rising: play the experiment with both, and report how far each loss moves")
	f.experimentFlags.add(cmd, "handicap", fmt.Sprintf("sampled:%d", openings.DefaultPlies))
	if err := cmd.RegisterFlagCompletionFunc(handicapFlag, completeVariants); err != nil {
		panic(err) // the flag was added above
	}
}

// unused refuses the flags of experiments without --handicap.
func (f *handicapFlags) unused(cmd *cobra.Command) error {
	for _, name := range append([]string{"type", "change", "agent", "pairs", "control", untilFlag, "budgets"}, experimentFlagNames()...) {
		if cmd.Flags().Changed(name) {
			return usage(fmt.Errorf("--%s needs --%s VARIANT", name, handicapFlag))
		}
	}
	return nil
}

// experiment checks the flags and returns the experiment, with an agent of a number of
// nodes unless that is 0. If there are data sets, it has no control unless the flags ask
// for one.
func (f *handicapFlags) experiment(a *app, cmd *cobra.Command, dirs int, unit string, nodes int64) (*experiment.Handicaps, agent.Commands, error) {
	v, err := lookup(f.variant)
	if err != nil {
		return nil, nil, err
	}
	if unit != "" {
		if _, err := v.Game.Spec().PieceType(unit); err != nil {
			return nil, nil, usage(fmt.Errorf("--unit: %w", err))
		}
	}
	commands, err := f.check()
	if err != nil {
		return nil, nil, err
	}
	opening, err := f.opening.opening(cmd, v, f.seed, openings.Sampled())
	if err != nil {
		return nil, nil, usage(err)
	}
	if f.until != "" && !cmd.Flags().Changed("pairs") {
		f.pairs = defaultUntilPairs
	}
	plan := handicap.Plan{OpeningPlies: opening.Plies, OpeningPolicy: opening.Policy, MaxPlies: f.maxPlies, Seed: f.seed, Pairs: f.pairs, Control: f.control}
	switch {
	case len(opening.Starts) > 0:
		return nil, nil, usage(fmt.Errorf("--%s is %q, but handicaps need the start of the variant: must be start, sampled:K or random:K", openingsFlag, f.opening.policy))
	case f.pairs < 1 || f.pairs > handicap.MostPairs:
		return nil, nil, usage(fmt.Errorf("--pairs is %d, must be 1 to %d", f.pairs, int64(handicap.MostPairs)))
	case f.control < 0:
		return nil, nil, usage(fmt.Errorf("--control is %d, must be 0 or more", f.control))
	case f.noControl:
		plan.Control = 0
	case !cmd.Flags().Changed("control") && dirs == 0:
		plan.Control = 2 * f.pairs
	}
	if f.until != "" {
		if plan.Until, err = handicap.ParsePrecision(f.until); err != nil {
			return nil, nil, usage(fmt.Errorf("--until: %w", err))
		}
	}
	var changes []handicap.Change
	for _, text := range f.changes {
		change, err := handicap.ParseChange(text)
		if err != nil {
			return nil, nil, usage(fmt.Errorf("--change: %w", err))
		}
		changes = append(changes, change)
	}
	text := f.agentText(v, changes)
	player := func(v *variant.Variant) (agent.Spec, error) {
		spec, err := parseAgent(text, v, commands)
		if err == nil && nodes > 0 {
			spec, err = spec.WithNodes(nodes)
		}
		if err != nil {
			return spec, fmt.Errorf("--agent: %w", err)
		}
		return spec, nil
	}
	spec, err := player(v)
	if err != nil {
		return nil, nil, usage(err)
	}
	a.warnTimedAgent(spec)
	if plan.Handicaps, err = f.handicaps(a, v, player, changes, plan); err != nil {
		return nil, nil, usage(err)
	}
	h, err := experiment.NewHandicaps(v, player, plan)
	if err != nil {
		return nil, nil, usage(err)
	}
	h.Unit = unit
	return h, commands, nil
}

// agentText returns the agent string. Learnt weights belong to one rule set, and a changed
// attribute makes another.
func (f *handicapFlags) agentText(v *variant.Variant, changes []handicap.Change) string {
	if f.agent != "" {
		return f.agent
	}
	for _, c := range changes {
		if !c.Removal() {
			return plainHandicapAgent
		}
	}
	if _, ok := eval.Shipped(v.Digest); ok {
		return learntHandicapAgent
	}
	return plainHandicapAgent
}

// handicaps returns each change of each type, type by type. If the flags name no types, it
// logs and omits the types that do not support a change.
func (f *handicapFlags) handicaps(a *app, v *variant.Variant, player experiment.Agent, changes []handicap.Change, plan handicap.Plan) ([]handicap.Handicap, error) {
	types := f.types
	if len(types) == 0 {
		for _, t := range v.Game.Spec().Pieces {
			types = append(types, t.Name)
		}
	}
	var list []handicap.Handicap
	var faults []error
	for _, name := range types {
		for _, change := range changes {
			one := handicap.Handicap{Type: name, Change: change}
			plan.Handicaps = []handicap.Handicap{one}
			if _, err := experiment.NewHandicaps(v, player, plan); err != nil {
				// Many errors are the same for every type.
				if !slices.ContainsFunc(faults, func(other error) bool { return other.Error() == err.Error() }) {
					faults = append(faults, err)
				}
				continue
			}
			list = append(list, one)
		}
	}
	switch {
	case len(faults) > 0 && len(f.types) > 0 || len(list) == 0:
		return nil, errors.Join(faults...)
	case len(faults) > 0:
		for _, err := range faults {
			a.log.Info("handicap omitted", "error", err.Error())
		}
	}
	return list, nil
}

// balanceHandicaps plays an experiment with handicaps and publishes its report.
func (a *app) balanceHandicaps(cmd *cobra.Command, dirs []string, f *handicapFlags, unit string, output *reportFlags) error {
	r, err := a.handicapReport(cmd, dirs, f, unit)
	if err != nil {
		return err
	}
	return a.publish(report.Handicap(r), report.HandicapJSON(r), output)
}

// handicapReport plays an experiment with handicaps, with two agents if the flags give two
// budgets, and returns the report of the stronger one.
func (a *app) handicapReport(cmd *cobra.Command, dirs []string, f *handicapFlags, unit string) (*handicap.Report, error) {
	if f.budgets == "" {
		return a.playHandicaps(cmd, dirs, f, unit, 0, "")
	}
	nodes, err := parseBudgets(f.budgets)
	if err == nil && len(nodes) != 2 {
		err = fmt.Errorf("%q must be two numbers of nodes, such as %s", f.budgets, compareBudgets)
	}
	if err != nil {
		return nil, usage(fmt.Errorf("--budgets: %w", err))
	}
	folder := func(nodes int64) string { return fmt.Sprintf("%d-nodes", nodes) }
	strong, err := a.playHandicaps(cmd, dirs, f, unit, nodes[1], folder(nodes[1]))
	if err != nil {
		return nil, err
	}
	// Another seed makes the games of both agents independent. One control is enough.
	weaker := *f
	weaker.seed = env.Derive(f.seed, uint64(nodes[0]))
	weaker.noControl = true
	weak, err := a.playHandicaps(cmd, nil, &weaker, strong.Unit, nodes[0], folder(nodes[0]))
	if err != nil {
		return nil, err
	}
	return strong, handicap.Compare(weak, strong, [2]int64(nodes))
}

// playHandicaps plays an experiment in its folder, or in a folder in it.
func (a *app) playHandicaps(cmd *cobra.Command, dirs []string, f *handicapFlags, unit string, nodes int64, folder string) (*handicap.Report, error) {
	h, commands, err := f.experiment(a, cmd, len(dirs), unit, nodes)
	if err != nil {
		return nil, err
	}
	if h.Control, err = openSources(dirs, h.Plan); err != nil {
		return nil, err
	}
	if h.Dir = f.folder("handicap", h.Plan.Variant, h.Plan, 4); f.out != "" {
		h.Dir = filepath.Join(f.out, folder)
	}
	a.warnRepeats(h.Arms()[0].Plan, 2*h.Plan.Pairs)
	a.foresee(h)
	r, err := playExperiment(cmd.Context(), a, &f.experimentFlags, &h.Local, commands, metrics.New(metrics.RoleFarm), h.Play)
	switch {
	case errors.Is(err, balance.ErrSources), errors.Is(err, balance.ErrUnit):
		return nil, usage(err)
	case err != nil:
		return nil, explain(cmd.Context(), err, h.Dir)
	}
	return r, nil
}

// openSources opens data sets, which must have the rules of the plan.
func openSources(dirs []string, plan *handicap.Plan) ([]balance.Source, error) {
	var sources []balance.Source
	for _, dir := range dirs {
		s, err := balance.Open(dir)
		if err != nil {
			return nil, badData(err)
		}
		if s.Settings.Digest != plan.Digest {
			return nil, usage(fmt.Errorf("the rules of %s are %s (%s), must be those of the experiment, %s (%s)", dir, s.Settings.Variant, s.Settings.Digest, plan.Variant, plan.Digest))
		}
		sources = append(sources, s)
	}
	return sources, nil
}

// foresee logs what the experiment can detect, before a game is played.
func (a *app) foresee(h *experiment.Handicaps) {
	detects := "nothing: there are too few games"
	if d := handicap.Foresee(h.Plan.Pairs, len(h.Plan.Handicaps)); d != nil {
		detects = fmt.Sprintf("a loss of %.1f points with a probability of %.0f %%, or less with draws", 100*d.Loss, 100*d.Power)
	}
	if u := h.Plan.Until; u != nil {
		detects += fmt.Sprintf("; ends for each handicap at %s", u)
	}
	a.log.Info("experiment with handicaps", "handicaps", len(h.Plan.Handicaps), "games", h.Plan.Episodes(), "agent", h.Plan.Agent, "detects", detects, "out", h.Dir)
}
