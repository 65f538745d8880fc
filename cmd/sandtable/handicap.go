package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
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
}

const (
	handicapFlag         = "handicap"
	defaultHandicapPairs = 500
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
	flags.StringSliceVar(&f.changes, "change", []string{handicap.Change{}.String()}, "the handicap: removed, or a change of an attribute such as speed+1 or armour-1; repeatable")
	flags.StringVar(&f.agent, "agent", "", "agent that plays both sides (default: "+handicapAgentDefault+")")
	flags.Int64Var(&f.pairs, "pairs", defaultHandicapPairs, "number of pairs of games per handicap, one with either side handicapped")
	flags.Int64Var(&f.control, "control", 0, "number of games with the unchanged rules, for values by regression (default: as many as per handicap; none if there are data sets)")
	f.experimentFlags.add(cmd, "handicap", fmt.Sprintf("sampled:%d", openings.DefaultPlies))
	if err := cmd.RegisterFlagCompletionFunc(handicapFlag, completeVariants); err != nil {
		panic(err) // the flag was added above
	}
}

// unused refuses the flags of experiments without --handicap.
func (f *handicapFlags) unused(cmd *cobra.Command) error {
	for _, name := range append([]string{"type", "change", "agent", "pairs", "control"}, experimentFlagNames()...) {
		if cmd.Flags().Changed(name) {
			return usage(fmt.Errorf("--%s needs --%s VARIANT", name, handicapFlag))
		}
	}
	return nil
}

// experiment checks the flags and returns the experiment. If there are data sets, it has
// no control unless the flags ask for one.
func (f *handicapFlags) experiment(a *app, cmd *cobra.Command, dirs int, unit string) (*experiment.Handicaps, agent.Commands, error) {
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
	plan := handicap.Plan{OpeningPlies: opening.Plies, OpeningPolicy: opening.Policy, MaxPlies: f.maxPlies, Seed: f.seed, Pairs: f.pairs, Control: f.control}
	switch {
	case len(opening.Starts) > 0:
		return nil, nil, usage(fmt.Errorf("--%s is %q, but handicaps need the start of the variant: must be start, sampled:K or random:K", openingsFlag, f.opening.policy))
	case f.pairs < 1 || f.pairs > handicap.MostPairs:
		return nil, nil, usage(fmt.Errorf("--pairs is %d, must be 1 to %d", f.pairs, int64(handicap.MostPairs)))
	case f.control < 0:
		return nil, nil, usage(fmt.Errorf("--control is %d, must be 0 or more", f.control))
	case !cmd.Flags().Changed("control") && dirs == 0:
		plan.Control = 2 * f.pairs
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
	h, commands, err := f.experiment(a, cmd, len(dirs), unit)
	if err != nil {
		return err
	}
	if h.Control, err = openSources(dirs, h.Plan); err != nil {
		return err
	}
	h.Dir = f.folder("handicap", h.Plan.Variant, h.Plan, 4)
	a.warnRepeats(h.Arms()[0].Plan, 2*h.Plan.Pairs)
	a.foresee(h)
	r, err := playExperiment(cmd.Context(), a, &f.experimentFlags, &h.Local, commands, metrics.New(metrics.RoleFarm), h.Play)
	switch {
	case errors.Is(err, balance.ErrSources), errors.Is(err, balance.ErrUnit):
		return usage(err)
	case err != nil:
		return explain(cmd.Context(), err, h.Dir)
	}
	return a.publish(report.Handicap(r), report.HandicapJSON(r), output)
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
	a.log.Info("experiment with handicaps", "handicaps", len(h.Plan.Handicaps), "games", h.Plan.Episodes(), "agent", h.Plan.Agent, "detects", detects, "out", h.Dir)
}
