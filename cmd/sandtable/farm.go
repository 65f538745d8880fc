package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/metrics"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// farmFlags are the flags of farm.
type farmFlags struct {
	plan    planFlags
	nats    natsFlags
	listen  listenFlags
	workers workerFlags
	out     string
	trust   bool
	asJSON  bool
}

func (a *app) farmCommand() *cobra.Command {
	var f farmFlags
	cmd := newCommand("farm [VARIANT…]",
		"Play self-play games and write them to a data set",
		`Farm plays games of a variant on all cores and writes them to a data set. The default
variant is trench/standard; several variants are played one after the other. Farm runs
an embedded NATS server, or uses the server that --nats names; with --nats, workers on
other machines can play too.

--share runs the embedded server for other machines too, and prints the command that their
workers need. The token in it is that of SANDTABLE_NATS_TOKEN, or a random one. The server
does not encrypt: share only in a network that you trust.

The same command resumes an interrupted run. The same settings give the same games, for
any number of workers. Farm refuses a folder that contains a different run or files that
are not part of a data set.`,
		`  sandtable farm
  sandtable farm ntxuva/basic --agent greedy --vs random --episodes 2000 --out my-data
  sandtable farm --agent mcts:sims=400,fast-sims=80,dirichlet=1083,temperature-plies=10 --episodes 2000
  sandtable farm --agent alphabeta:depth=3 --resign 800 --resign-plies 3 --resign-playon 0.1
  sandtable farm 'trench/standard{"target_points":20}' --for 10m
  sandtable farm tankchess --agent best --share :4222
  sandtable farm trench/standard --agent greedy --vs exec:mine --exec 'mine=python3 agent.py'`,
		func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = games.Presets()[:1]
			}
			return a.farm(cmd, args, &f)
		})
	f.plan.add(cmd)
	f.nats.add(cmd, ownNatsUsage)
	f.nats.addShare(cmd)
	f.nats.store.addReplicas(cmd)
	f.nats.store.addSync(cmd)
	f.listen.add(cmd, farmListen)
	f.workers.add(cmd)
	f.workers.addLimits(cmd)
	addTrust(cmd, &f.trust)
	f.plan.programs.add(cmd)
	cmd.Flags().StringVar(&f.out, "out", "", "folder of the data set (default: runs/VARIANT-ID, where ID depends on all settings of the games)")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "write the summary as JSON")
	return cmd
}

// farm checks everything before it plays anything.
func (a *app) farm(cmd *cobra.Command, variants []string, f *farmFlags) error {
	if f.out != "" && len(variants) > 1 {
		return usage(errors.New("--out names one folder, so it allows only one VARIANT"))
	}
	if err := f.workers.check(); err != nil {
		return err
	}
	commands, err := f.plan.programs.commands()
	if err != nil {
		return usage(err)
	}
	var runs []*selfplay.Plan
	for _, text := range variants {
		plan, err := f.plan.plan(cmd, text)
		if err != nil {
			return err
		}
		if err := plan.Runnable(); err != nil {
			return usage(err)
		}
		a.warnTimed(plan)
		a.warnName(plan.Config().Variant)
		a.warnRepeats(plan, plan.Settings().Episodes)
		runs = append(runs, plan)
	}
	meter, stop, err := a.serve(f.listen, metrics.RoleFarm)
	if err != nil {
		return err
	}
	defer stop()
	for _, plan := range runs {
		dir := f.out
		if dir == "" {
			settings := plan.Settings()
			dir = defaultFolder(&settings)
		}
		if err := a.farmRun(cmd.Context(), dir, plan, f, commands, meter); err != nil {
			return err
		}
	}
	return nil
}

// farmRun plays one run and prints its summary.
func (a *app) farmRun(ctx context.Context, dir string, plan *selfplay.Plan, f *farmFlags, commands agent.Commands, meter *metrics.Farm) error {
	settings := plan.Settings()
	remaining := settings.Episodes
	if m, err := dataset.Load(dir); err == nil && remaining > 0 {
		remaining = max(0, remaining-m.Episodes())
	}
	a.log.Info("the run begins", "run", settings.Run(), "host", hostname(), "out", dir, "episodes", settings.Episodes, "missing", remaining)
	unwatch := func() {}
	defer func() { unwatch() }()
	f.nats.opened = func(q queue.Operator) {
		unwatch()
		unwatch = a.watchWorkers(ctx, q, settings.Run())
	}
	bar := a.newProgress("playing", settings.Episodes)
	bar.base = settings.Episodes - remaining
	var status workers.Status
	tally := dataset.NewTally()
	begun := time.Now()
	farm := a.openFarm(dir, &f.nats, &f.workers, commands, meter, f.trust)
	show := func(s workers.Status) {
		status = s
		bar.show(s.Played, s.PlayedPlies)
	}
	reports, err := farm.Play(ctx, show, workers.Run{Dir: dir, Plan: plan, For: f.plan.duration, Episode: tally.Add})
	err = errors.Join(err, farm.Close())
	seconds := time.Since(begun).Seconds()
	bar.end()
	for i := range reports {
		a.logReport(&reports[i], err)
	}
	if err != nil {
		return explain(ctx, err, dir)
	}
	report := reports[0]
	if f.asJSON || tally.Summary().Episodes != report.Episodes {
		tally = nil // it lacks the episodes of earlier calls
	}
	d, err := describeData(ctx, dir, tally)
	if err != nil {
		return err
	}
	if report.Before < report.Episodes {
		d.Speed = &speed{Plies: status.PlayedPlies, Seconds: seconds}
	}
	if f.asJSON {
		return writeJSON(a.out, d)
	}
	if report.Complete && report.Before == report.Episodes {
		if _, err := fmt.Fprintf(a.out, "The run in %s is complete; nothing was played. Another --seed gives other games.\n\n", dir); err != nil {
			return err
		}
	}
	return d.write(a.out, true)
}

// dataDescription is the summary of a data set that farm and dataset info print.
type dataDescription struct {
	Dir          string          `json:"dir"`
	Run          string          `json:"run"`
	Variant      string          `json:"variant"`
	Digest       string          `json:"digest"`
	Rules        json.RawMessage `json:"rules"`
	Agents       [2]string       `json:"agents"`
	OpeningPlies int             `json:"opening_plies"`
	// OpeningBalanced and OpeningPolicy say how the opening plies are drawn, Drawn how many
	// openings the policy drew and refused for the first games; see dataset.Settings.
	OpeningBalanced bool                  `json:"opening_balanced,omitempty"`
	OpeningPolicy   dataset.OpeningPolicy `json:"opening_policy,omitzero"`
	Drawn           *selfplay.Drawn       `json:"drawn,omitempty"`
	Starts          int                   `json:"starts"`
	MaxPlies        int                   `json:"max_plies"`
	Resign          dataset.Resign        `json:"resign,omitzero"`
	Seed            uint64                `json:"seed,string"`
	Planned         int64                 `json:"planned_episodes"`
	Complete        bool                  `json:"complete"`
	Shards          int                   `json:"shards"`
	Bytes           int64                 `json:"bytes"`
	BytesAPly       float64               `json:"bytes_per_ply"`
	ContentDigest   string                `json:"content_digest,omitempty"`
	Dead            int                   `json:"dead_letters"`
	Summary         dataset.Summary       `json:"summary"`
	Speed           *speed                `json:"speed,omitempty"`
}

// speed is the speed of a farm, including its start and its end.
type speed struct {
	Plies   int64   `json:"plies"`
	Seconds float64 `json:"seconds"`
}

// drawn draws the openings of the first games of a data set again, and counts those that
// the policy refused. It returns nil without a policy, and for data that this program
// cannot play, such as that of other versions of the rules.
func drawn(m *dataset.Manifest) *selfplay.Drawn {
	const groups = 30
	if !m.Settings.OpeningPolicy.Alternates() {
		return nil
	}
	plan, err := selfplay.Open(&m.Settings, nil)
	if err != nil {
		return nil
	}
	d, err := plan.Drawn(groups)
	if err != nil {
		return nil
	}
	return &d
}

// describeData summarises a data set. Without a tally it reads all episodes. With a
// tally of all episodes it reads none and leaves the content digest empty.
func describeData(ctx context.Context, dir string, tally *dataset.Tally) (*dataDescription, error) {
	reader, err := parquetio.Open(dir)
	if err != nil {
		return nil, err
	}
	letters, err := workers.DeadLetters(dir)
	if err != nil {
		return nil, err
	}
	m := reader.Manifest()
	s := &m.Settings
	d := &dataDescription{
		Dir: dir, Run: m.Run, Variant: s.Variant, Digest: s.Digest, Rules: s.Rules, Agents: s.Agents,
		OpeningPlies: s.OpeningPlies, OpeningBalanced: s.OpeningBalanced, OpeningPolicy: s.OpeningPolicy, Drawn: drawn(m),
		Starts: len(s.Starts), MaxPlies: s.MaxPlies, Resign: s.Resign, Seed: s.Seed,
		Planned: s.Episodes, Complete: m.Complete, Shards: len(m.Shards), Bytes: m.Bytes(), Dead: len(letters),
	}
	if steps := m.Steps(); steps > 0 {
		d.BytesAPly = float64(d.Bytes) / float64(steps)
	}
	if tally != nil {
		d.Summary = tally.Summary()
		return d, nil
	}
	tally = dataset.NewTally()
	var digest dataset.Digest
	for ep, err := range reader.Episodes() {
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tally.Add(ep)
		digest.Add(ep)
	}
	d.Summary, d.ContentDigest = tally.Summary(), digest.String()
	return d, nil
}
