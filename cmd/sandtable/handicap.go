package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	effects "github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/handicap"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/experiment"
	"github.com/sandtable-farm/sandtable/workers/metrics"
)

// handicapFlags are those of balance --handicap.
type handicapFlags struct {
	variant  string
	types    []string
	changes  []string
	agent    string
	pairs    int64
	control  int64
	options  handicap.Options
	workers  workerFlags
	nats     natsFlags
	programs programFlag
	out      string
}

const (
	handicapFlag         = "handicap"
	defaultHandicapPairs = 500
	// The default agents play a game of the default variants in some hundredths of a
	// second. Both have noise, so that their games differ.
	plainHandicapAgent   = "alphabeta:nodes=500"
	learntHandicapAgent  = "alphabeta:eval=linear,nodes=500,noise=2"
	defaultOpeningPlies  = 8
	handicapAgentDefault = "alphabeta with 500 positions and noise, by the weights that are shipped for the rules where nothing but removals is played"
)

func (f *handicapFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.variant, handicapFlag, "", "play an experiment with handicaps in these rules; see above")
	flags.StringSliceVar(&f.types, "type", nil, "type of pieces, by name or symbol, that one side lacks one of or has changed; may be repeated (default: all of which it is possible)")
	flags.StringSliceVar(&f.changes, "change", []string{handicap.Change{}.String()}, "what is other for one side: removed, or an attribute of all its pieces of the type such as speed+1 or armour-1")
	flags.StringVar(&f.agent, "agent", "", "agent that plays both sides (default: "+handicapAgentDefault+")")
	flags.Int64Var(&f.pairs, "pairs", defaultHandicapPairs, "pairs of games of each handicap, one with either side handicapped")
	flags.Int64Var(&f.control, "control", 0, "games of the unchanged rules, for values by regression (default: as many as of a handicap, none where data sets are given)")
	flags.IntVar(&f.options.OpeningPlies, openingPliesFlag, defaultOpeningPlies, "begin each game with so many random plies in which nobody gets ahead")
	flags.IntVar(&f.options.MaxPlies, "max-plies", selfplay.DefaultMaxPlies, "cut a game off after so many plies; it has no result then. 0 is no limit")
	flags.Uint64Var(&f.options.Seed, "seed", 1, "seed of the experiment")
	f.workers.add(cmd)
	f.nats.add(cmd, ownNatsUsage)
	f.programs.add(cmd)
	flags.StringVar(&f.out, "out", "", "folder of the experiment (default: runs/handicap- and variant, id of the plan)")
	completeAgents(cmd, "agent")
	if err := cmd.RegisterFlagCompletionFunc(handicapFlag, completeVariants); err != nil {
		panic(err) // the flag is the one above
	}
}

// unused refuses flags that only an experiment has.
func (f *handicapFlags) unused(cmd *cobra.Command) error {
	for _, name := range []string{"type", "change", "agent", "pairs", "control", openingPliesFlag, "max-plies", "seed", "workers",
		"nats", "nats-creds", "nats-token", "nats-ca", "nats-cert", "nats-key", "exec", "out"} {
		if cmd.Flags().Changed(name) {
			return usage(fmt.Errorf("--%s is of experiments: it needs --%s VARIANT", name, handicapFlag))
		}
	}
	return nil
}

// experiment checks the flags and returns what they ask for. Given data sets there is
// no control unless one is asked for.
func (f *handicapFlags) experiment(a *app, cmd *cobra.Command, dirs int) (*experiment.Handicaps, agent.Commands, error) {
	v, err := lookup(f.variant)
	if err != nil {
		return nil, nil, err
	}
	if err := f.workers.check(); err != nil {
		return nil, nil, err
	}
	commands, err := f.programs.commands()
	if err != nil {
		return nil, nil, usage(err)
	}
	if f.pairs < 1 || f.pairs > experiment.MostHandicapPairs {
		return nil, nil, usage(fmt.Errorf("--pairs is %d, must be 1 to %d", f.pairs, int64(experiment.MostHandicapPairs)))
	}
	h := &experiment.Handicaps{Variant: v, Pairs: f.pairs, Control: f.control, Options: f.options}
	switch {
	case f.control < 0:
		return nil, nil, usage(fmt.Errorf("--control is %d, must be 0 or more", f.control))
	case !cmd.Flags().Changed("control") && dirs == 0:
		h.Control = 2 * f.pairs
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
	h.Agent = func(v *variant.Variant) (agent.Spec, error) {
		spec, err := parseAgent(text, v, commands)
		if err != nil {
			return spec, fmt.Errorf("--agent: %w", err)
		}
		return spec, nil
	}
	spec, err := h.Agent(v)
	if err != nil {
		return nil, nil, usage(err)
	}
	a.warnTimedAgent(spec)
	if h.Handicaps, err = f.handicaps(a, h, changes); err != nil {
		return nil, nil, usage(err)
	}
	return h, commands, nil
}

// agentText returns the agent string. Learnt weights are of one rule set, and an
// attribute makes another one.
func (f *handicapFlags) agentText(v *variant.Variant, changes []handicap.Change) string {
	if f.agent != "" {
		return f.agent
	}
	for _, c := range changes {
		if c.Attribute != "" {
			return plainHandicapAgent
		}
	}
	if _, ok := eval.Shipped(v.Digest); ok {
		return learntHandicapAgent
	}
	return plainHandicapAgent
}

// handicaps returns each change of each type, type by type. Where no types are named, those that a
// change is not possible for are left out, which the log says.
func (f *handicapFlags) handicaps(a *app, h *experiment.Handicaps, changes []handicap.Change) ([]handicap.Handicap, error) {
	types := f.types
	if len(types) == 0 {
		for _, t := range h.Variant.Game.Spec().Pieces {
			types = append(types, t.Name)
		}
	}
	var list []handicap.Handicap
	var faults []error
	for _, name := range types {
		for _, change := range changes {
			one := handicap.Handicap{Type: name, Change: change}
			if _, err := handicap.New(h.Variant, h.Agent, one, h.Options); err != nil {
				// Many say the same of every type.
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
			a.log.Info("left out", "because", err.Error())
		}
	}
	return list, nil
}

// balanceHandicaps plays an experiment with handicaps and tells what it says.
func (a *app) balanceHandicaps(cmd *cobra.Command, dirs []string, f *handicapFlags, unit string, write func(*report.Page) error, asJSON bool) error {
	h, commands, err := f.experiment(a, cmd, len(dirs))
	if err != nil {
		return err
	}
	if unit != "" {
		if _, err := h.Variant.Game.Spec().PieceType(unit); err != nil {
			return usage(fmt.Errorf("--unit: %w", err))
		}
	}
	plan, err := h.Plan()
	if err != nil {
		return usage(err)
	}
	sources, err := openSources(dirs, h.Variant)
	if err != nil {
		return err
	}
	dir := f.out
	if dir == "" {
		dir = handicapFolder(plan)
	}
	if err := a.playHandicaps(cmd.Context(), h, plan, dir, f, commands); err != nil {
		return err
	}
	counted := h.Control
	for i := range sources {
		counted += sources[i].Count
	}
	bar := a.newProgress("counting", counted)
	r, err := h.Analyze(cmd.Context(), dir, sources, balance.Options{Unit: unit, Goroutines: f.workers.count, Progress: bar.show})
	bar.end()
	switch {
	case errors.Is(err, balance.ErrSources), errors.Is(err, balance.ErrUnit):
		return usage(err)
	case err != nil:
		return explain(cmd.Context(), err, dir)
	}
	return a.publish(report.Handicap(r), r, write, asJSON)
}

// openSources opens data sets, which must be of the rules.
func openSources(dirs []string, v *variant.Variant) ([]balance.Source, error) {
	var sources []balance.Source
	for _, dir := range dirs {
		s, err := balance.Open(dir)
		if err != nil {
			return nil, badData(err)
		}
		if s.Settings.Digest != v.Digest {
			return nil, usage(fmt.Errorf("%s is of %s (%s), must be of the rules of the experiment, %s (%s)", dir, s.Settings.Variant, s.Settings.Digest, v.Name, v.Digest))
		}
		sources = append(sources, s)
	}
	return sources, nil
}

// playHandicaps plays with progress shown.
func (a *app) playHandicaps(ctx context.Context, h *experiment.Handicaps, plan *experiment.HandicapPlan, dir string, f *handicapFlags, commands agent.Commands) (err error) {
	a.foresee(h, plan, dir)
	meter := metrics.New(metrics.RoleFarm)
	farm := a.openFarm(dir, &f.nats, &f.workers, commands, meter)
	defer func() { err = errors.Join(err, farm.Close()) }()
	var bar *progress
	err = h.Play(ctx, farm, dir, func(s workers.Status) {
		if bar == nil {
			bar = a.newProgress("playing", s.Remaining)
		}
		bar.show(s.Collected, s.CollectedPlies)
	})
	if bar != nil {
		bar.end()
	}
	if err != nil {
		return explain(ctx, err, dir)
	}
	return nil
}

// foresee logs what the plan can find, before anything is played.
func (a *app) foresee(h *experiment.Handicaps, plan *experiment.HandicapPlan, dir string) {
	finds := "too few games to find anything"
	if d := effects.Foresee(h.Pairs, len(h.Handicaps)); d != nil {
		finds = fmt.Sprintf("a loss of %.1f %% of the score or more %.0f times in 100, of less where games are drawn", 100*d.Loss, 100*d.Power)
	}
	a.log.Info("an experiment with handicaps", "handicaps", len(h.Handicaps), "games", plan.Episodes(), "agent", plan.Agent, "finds", finds, "out", dir)
}

// handicapFolder is where an experiment goes that was given no folder.
func handicapFolder(plan *experiment.HandicapPlan) string {
	text, err := json.Marshal(plan)
	if err != nil {
		panic(err) // a plan is plain data
	}
	sum := sha256.Sum256(text)
	name, _, _ := strings.Cut(plan.Variant, "{")
	return filepath.Join("runs", "handicap-"+strings.ReplaceAll(name, "/", "-")+"-"+hex.EncodeToString(sum[:4]))
}
