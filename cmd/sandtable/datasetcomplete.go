package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/metrics"
)

// completeFlags are the flags of dataset complete.
type completeFlags struct {
	nats     natsFlags
	listen   listenFlags
	workers  workerFlags
	programs programFlag
}

func (a *app) datasetCompleteCommand() *cobra.Command {
	var f completeFlags
	cmd := newCommand("complete DIR",
		"Play the missing games of a data set",
		`Complete plays the jobs that a data set lacks, with the settings in its manifest: after
dataset repair or dataset drop, or to resume a run without its original command. In a run
without a fixed end, these are the jobs below the last one.`,
		`  sandtable dataset complete runs/my-run`,
		func(cmd *cobra.Command, args []string) error {
			if err := f.workers.check(); err != nil {
				return err
			}
			return explain(cmd.Context(), a.complete(cmd.Context(), args[0], &f), args[0])
		})
	f.nats.add(cmd, ownNatsUsage)
	f.listen.add(cmd, off)
	f.workers.add(cmd)
	f.programs.add(cmd)
	return cmd
}

func (a *app) complete(ctx context.Context, dir string, f *completeFlags) error {
	manifest, err := dataset.Load(dir)
	if err != nil {
		return err
	}
	commands, err := f.programs.commands()
	if err != nil {
		return usage(err)
	}
	plan, err := selfplay.Open(&manifest.Settings, commands)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	run := workers.Run{Dir: dir, Plan: plan}
	if manifest.Settings.Episodes == 0 {
		run.Episodes = (manifest.Jobs().Max() + 1) * manifest.Settings.JobEpisodes
	}
	missing := manifest.Settings.Count(manifest.Missing())
	if missing == 0 {
		_, err := fmt.Fprintf(a.out, "no job is missing in %s\n", dir)
		return err
	}
	meter, stop, err := a.serve(f.listen, metrics.RoleFarm)
	if err != nil {
		return err
	}
	defer stop()
	bar := a.newProgress("playing", missing)
	farm := a.openFarm(dir, &f.nats, &f.workers, commands, meter, false)
	_, err = farm.Play(ctx, func(s workers.Status) { bar.show(s.Played, s.PlayedPlies) }, run)
	err = errors.Join(err, farm.Close())
	bar.end()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "played %s episodes; no job is missing in %s\n", report.Count(missing), dir)
	return err
}
