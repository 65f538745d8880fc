package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/mend"
)

// repairJSON is the output of dataset repair --json.
type repairJSON struct {
	Dir       string      `json:"dir"`
	Run       string      `json:"run"`
	Changed   bool        `json:"changed"`
	DryRun    bool        `json:"dry_run,omitempty"`
	Manifest  string      `json:"manifest,omitempty"` // why it was made again
	Relisted  []int64     `json:"relisted_shards,omitempty"`
	Aside     []asideJSON `json:"aside,omitempty"`
	Leftovers []string    `json:"leftovers,omitempty"`
	missingJSON
}

// asideJSON describes files that repair moved into the folder damaged.
type asideJSON struct {
	Shard    int64        `json:"shard"` // −1 for a file that is not a shard
	Files    []string     `json:"files"`
	Reason   string       `json:"reason"`
	KeptJobs dataset.Jobs `json:"kept_jobs,omitzero"` // written into a new shard
}

// missingJSON describes the jobs that a data set lacks.
type missingJSON struct {
	Missing         dataset.Jobs `json:"missing_jobs"`
	MissingEpisodes int64        `json:"missing_episodes"`
	Command         string       `json:"command,omitempty"` // plays them
}

func (a *app) datasetRepairCommand() *cobra.Command {
	var asJSON bool
	opts := mend.Options{Goroutines: runtime.GOMAXPROCS(0)}
	cmd := newCommand("repair DIR",
		"Make a damaged data set sound again",
		`Repair replays every game and makes a damaged folder a data set without faults:

- It makes a lost or damaged manifest again from the shards.
- It lists sound shards that an older manifest does not list.
- It moves damaged shards into the folder damaged, each with a text file that gives the
  reason. From a shard with false games, it keeps the sound jobs.
- It removes temporary files of a writer that was killed.

It deletes nothing else. It prints the jobs that are then missing, and the command that
plays them again. If repair is interrupted, run it again.`,
		`  sandtable dataset repair runs/my-run --dry-run
  sandtable dataset repair runs/my-run`,
		func(cmd *cobra.Command, args []string) error {
			progress, end := a.countingEpisodes("verifying", args[:1])
			opts.Progress = progress
			r, err := mend.Repair(cmd.Context(), args[0], opts)
			end()
			switch {
			case errors.Is(err, mend.ErrRuns):
				return usage(fmt.Errorf("%w with --run", err))
			case errors.Is(err, mend.ErrNothing):
				return exitError{err, exitFault}
			case err != nil:
				return badData(err)
			}
			missing := describeMissing(r.Dir, &r.Settings, r.Missing)
			if asJSON {
				out := repairJSON{
					Dir: r.Dir, Run: r.Settings.Run(), Changed: r.Changed(), DryRun: opts.DryRun, Manifest: r.Manifest,
					Relisted: r.Relisted, Leftovers: r.Leftovers, missingJSON: missing,
				}
				for _, aside := range r.Aside {
					out.Aside = append(out.Aside, asideJSON{Shard: aside.Number, Files: aside.Files, Reason: aside.Reason, KeptJobs: aside.Kept})
				}
				return writeJSON(a.out, out)
			}
			_, err = fmt.Fprint(a.out, repairText(r, opts.DryRun), missing)
			return err
		})
	cmd.Flags().BoolVar(&opts.DryRun, "dry-run", false, "print what repair would do, and change nothing")
	cmd.Flags().StringVar(&opts.Run, "run", "", "`ID` of the run to keep if the manifest is lost and the shards belong to several runs")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func repairText(r *mend.Repaired, dryRun bool) string {
	var b strings.Builder
	if !r.Changed() {
		fmt.Fprintf(&b, "%s is sound; nothing was changed\n", r.Dir)
		return b.String()
	}
	if dryRun {
		fmt.Fprintf(&b, "a repair would make these changes:\n")
	}
	if r.Manifest != "" {
		fmt.Fprintf(&b, "manifest made again: %s\n", r.Manifest)
	}
	if len(r.Relisted) > 0 {
		fmt.Fprintf(&b, "%s listed again: %s\n", plural(len(r.Relisted), "shard"), numbers(r.Relisted))
	}
	for _, aside := range r.Aside {
		what := "moved into " + mend.AsideFolder + ": " + strings.Join(aside.Files, ", ")
		if len(aside.Files) == 0 {
			what = fmt.Sprintf("no longer listed: shard %d", aside.Number)
		}
		fmt.Fprintf(&b, "%s\n  %s\n", what, aside.Reason)
		if aside.Kept.Len() > 0 {
			fmt.Fprintf(&b, "  its sound jobs %s are kept in a new shard\n", aside.Kept)
		}
	}
	if len(r.Leftovers) > 0 {
		fmt.Fprintf(&b, "temporary files removed: %s\n", strings.Join(r.Leftovers, ", "))
	}
	return b.String()
}

// numbers returns numbers separated by commas.
func numbers(list []int64) string {
	var texts []string
	for _, n := range list {
		texts = append(texts, fmt.Sprint(n))
	}
	return strings.Join(texts, ", ")
}

func describeMissing(dir string, settings *dataset.Settings, missing dataset.Jobs) missingJSON {
	m := missingJSON{Missing: missing, MissingEpisodes: settings.Count(missing)}
	if missing.Len() > 0 {
		m.Command = "sandtable dataset complete " + shellWord(dir)
	}
	return m
}

func (m missingJSON) String() string {
	if m.Missing.Len() == 0 {
		return "no job is missing\n"
	}
	return fmt.Sprintf("missing: %s in jobs %s; this command plays them:\n  %s\n", plural(int(m.MissingEpisodes), "episode"), m.Missing, m.Command)
}

// dropJSON is the output of dataset drop --json.
type dropJSON struct {
	Dir      string       `json:"dir"`
	DryRun   bool         `json:"dry_run,omitempty"`
	Jobs     dataset.Jobs `json:"dropped_jobs"`
	Episodes int64        `json:"dropped_episodes"`
	Shards   []int64      `json:"shards"` // that had the jobs
	missingJSON
}

func (a *app) datasetDropCommand() *cobra.Command {
	var asJSON bool
	var selection mend.Selection
	var jobs string
	cmd := newCommand("drop DIR",
		"Take the games of a worker out of a data set",
		`Drop takes jobs out of a data set, so that they can be played again: those with a game that
a worker played (--worker), or those given by number (--jobs). dataset status lists both.
The other games do not change. Drop prints the command that plays the missing jobs again.
If drop is interrupted, run it again.`,
		`  sandtable dataset drop runs/my-run --worker heron-4711 --dry-run
  sandtable dataset drop runs/my-run --jobs 3,7-9`,
		func(cmd *cobra.Command, args []string) error {
			if selection.Worker == "" && jobs == "" {
				return usage(errors.New("drop needs --worker NAME or --jobs LIST"))
			}
			if err := selection.Jobs.UnmarshalText([]byte(jobs)); err != nil {
				return usage(fmt.Errorf("--jobs: %w", err))
			}
			d, err := mend.Drop(cmd.Context(), args[0], selection)
			if errors.Is(err, mend.ErrSelection) {
				return usage(err)
			}
			if err != nil {
				return badData(err)
			}
			missing := describeMissing(d.Dir, &d.Settings, d.Missing)
			if asJSON {
				return writeJSON(a.out, dropJSON{
					Dir: d.Dir, DryRun: selection.DryRun, Jobs: d.Jobs, Episodes: d.Episodes(), Shards: d.Shards, missingJSON: missing,
				})
			}
			verb := "dropped"
			if selection.DryRun {
				verb = "would drop"
			}
			_, err = fmt.Fprintf(a.out, "%s: %s episodes in jobs %s, from %s\n%s", verb, report.Count(d.Episodes()), d.Jobs, plural(len(d.Shards), "shard"), missing)
			return err
		})
	cmd.Flags().StringVar(&selection.Worker, "worker", "", "`NAME` of the worker whose games are to be dropped")
	cmd.Flags().StringVar(&jobs, "jobs", "", "`LIST` of jobs, such as 3,7-9")
	cmd.Flags().BoolVar(&selection.DryRun, "dry-run", false, "print what drop would do, and change nothing")
	jsonFlag(cmd, &asJSON)
	return cmd
}
