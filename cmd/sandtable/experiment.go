package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/experiment"
)

// experimentFlags are the flags that all planned experiments share.
type experimentFlags struct {
	opening  openingFlags
	maxPlies int
	seed     uint64
	workers  workerFlags
	nats     natsFlags
	programs programFlag
	out      string
}

// experimentFlagNames returns the names of the flags in experimentFlags.
func experimentFlagNames() []string {
	return append(natsFlagNames(), openingsFlag, openingPliesFlag, "max-plies", "seed", "workers", "exec", "out")
}

// add adds the flags. kind is that of the default folder, policy the default of --openings.
func (f *experimentFlags) add(cmd *cobra.Command, kind, policy string) {
	flags := cmd.Flags()
	f.opening.level = true
	f.opening.add(cmd, policy)
	flags.IntVar(&f.maxPlies, "max-plies", selfplay.DefaultMaxPlies, "truncate a game after this many plies; 0 means no limit")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of all games")
	f.workers.add(cmd)
	f.nats.add(cmd, ownNatsUsage)
	f.programs.add(cmd)
	flags.StringVar(&f.out, "out", "", "folder of the experiment (default: runs/"+kind+"-VARIANT-ID)")
	completeAgents(cmd, "agent")
}

// check checks the flags that need no plan, and returns the external programs.
func (f *experimentFlags) check() (agent.Commands, error) {
	if err := f.workers.check(); err != nil {
		return nil, err
	}
	commands, err := f.programs.commands()
	if err != nil {
		return nil, usage(err)
	}
	return commands, nil
}

// folder returns the folder of an experiment with a plan, by default that of the first
// bytes of the plan's digest.
func (f *experimentFlags) folder(kind, variant string, plan any, bytes int) string {
	if f.out != "" {
		return f.out
	}
	data, err := json.Marshal(plan)
	if err != nil {
		panic(err) // a plan is plain data
	}
	id := sha256.Sum256(data)
	return runFolder("runs", kind, variant, hex.EncodeToString(id[:bytes]))
}

// runFolder returns the default folder of a run: PARENT/KIND-VARIANT-ID, without the
// changed rules of the variant.
func runFolder(parent, kind, variant, id string) string {
	name, _, _ := strings.Cut(variant, "{")
	return filepath.Join(parent, kind+"-"+strings.ReplaceAll(name, "/", "-")+"-"+id)
}

// openFarm returns the farm that plays into a folder, on the server that the flags
// name or on an embedded one, which it opens when there is something to play. trust skips
// the replay of what workers on other machines play. A nil meter counts nothing. The caller closes the farm.
func (a *app) openFarm(dir string, nats *natsFlags, players *workerFlags, commands agent.Commands, meter workers.Meter, trust bool) *workers.Farm {
	return workers.New(workers.Config{
		Open: nats.opener(a, dir, meter), Workers: players.count, Version: version(), Memory: int64(players.memory),
		KeepCrashes: players.keepCrashes, Commands: commands, Meter: meter, Log: a.log,
		Trust: nats.url == "" && nats.share == "" || trust, // no other process reaches the embedded server
	})
}

// playExperiment calls play with a farm, and shows the progress of its stages.
func playExperiment[R any](ctx context.Context, a *app, f *experimentFlags, local *experiment.Local, commands agent.Commands, meter workers.Meter,
	play func(context.Context, *workers.Farm) (*R, error)) (r *R, err error) {
	farm := a.openFarm(local.Dir, &f.nats, &f.workers, commands, meter, false)
	defer func() { err = errors.Join(err, farm.Close()) }()
	var bar *progress
	end := func() {
		if bar != nil {
			bar.end()
		}
	}
	defer func() { end() }()
	local.Goroutines = f.workers.count
	local.Watch = func(stage experiment.Stage, episodes int64) func(int64, int64) {
		end()
		bar = a.newProgress(string(stage), episodes)
		return bar.show
	}
	return play(ctx, farm)
}
