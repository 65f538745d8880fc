package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/export"
)

// exportFlags are the flags of dataset export and dataset split.
type exportFlags struct {
	options export.Options
	out     string
	threads int
	asJSON  bool
}

func (f *exportFlags) add(cmd *cobra.Command) {
	o := &f.options
	*o = export.Default()
	cmd.Flags().StringVar(&f.out, "out", "", "`DIR` of the export; an interrupted export resumes there (required)")
	cmd.Flags().StringVar(&o.Format, "format", o.Format, "`FORMAT`: "+strings.Join(export.Formats(), ", "))
	cmd.Flags().StringVar(&o.Observations, "observations", o.Observations, "`FORM` of the observations: bits, planes or none")
	cmd.Flags().StringVar(&o.Legal, "legal", o.Legal, "`FORM` of the legal actions: mask, list or none")
	cmd.Flags().BoolVar(&o.Compress, "compress", false, "compress npz by deflate, and csv, jsonl and text by gzip")
	cmd.Flags().IntVar(&o.Rows, "rows", 0, "rows after which a file ends with the game (default: as many as fit into about 64 MiB)")
	cmd.Flags().IntVar(&f.threads, "threads", runtime.GOMAXPROCS(0), "shards exported at a time")
	jsonFlag(cmd, &f.asJSON)
	for flag, words := range map[string][]string{
		"format": export.Formats(), "observations": {export.Bits, export.Planes, export.None}, "legal": {export.Mask, export.List, export.None},
	} {
		// The only error is that of a flag that the command lacks.
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
}

func (f *exportFlags) check() error {
	if f.out == "" {
		return usage(errors.New("--out is missing, must be the DIR of the export"))
	}
	if f.threads < 1 {
		return usage(fmt.Errorf("--threads is %d, must be 1 or more", f.threads))
	}
	return usage(f.options.Validate())
}

func (a *app) datasetExportCommand() *cobra.Command {
	var f exportFlags
	cmd := newCommand("export DIR…",
		"Write positions for NumPy, PyTorch, DuckDB and others",
		`Export replays the games and writes a row for each position: the observation and the legal
actions of the mover, the action, the player, the result from the mover's view, and the
value and visits of the search. The formats are:

  npz      NumPy archives; numpy.load reads them
  parquet  Parquet files with the same columns
  csv      a header and a line for each position
  jsonl    a JSON object for each position
  text     the games as headers and move texts

The file export.json in the folder describes every column and observation plane and lists
the finished files. The same command resumes an interrupted export, and adds the games by
which a data set has grown. Several data sets of the same rules make one export.`,
		`  sandtable dataset export runs/my-run --out positions
  sandtable dataset export runs/my-run --out games.csv --format csv --observations none --legal list
  sandtable dataset export runs/a runs/b --out both --format parquet`,
		func(cmd *cobra.Command, args []string) error {
			return a.export(cmd.Context(), args, &f)
		})
	f.add(cmd)
	return cmd
}

func (a *app) datasetSplitCommand() *cobra.Command {
	var f exportFlags
	var validation, test float64
	cmd := newCommand("split DIR…",
		"Export training, validation and test positions",
		`Split exports the positions of data sets as dataset export does, into the folders train,
validation and test of the export. All positions of a game are in the same folder. The hash
of the start and the moves of a game decides the folder, so that equal games are never in
two folders, and a data set that grows keeps its division.`,
		`  sandtable dataset split runs/my-run --out positions
  sandtable dataset split runs/my-run --out positions --validation 0.05 --test 0.05 --format parquet`,
		func(cmd *cobra.Command, args []string) error {
			for _, share := range []struct {
				flag  string
				value float64
			}{{"validation", validation}, {"test", test}, {"validation and --test together", validation + test}} {
				if !(share.value >= 0 && share.value < 1) {
					return usage(fmt.Errorf("--%s is %g, must be at least 0 and below 1", share.flag, share.value))
				}
			}
			parts := []export.Part{{Name: "train", Share: 1 - validation - test}}
			if validation > 0 {
				parts = append(parts, export.Part{Name: "validation", Share: validation})
			}
			if test > 0 {
				parts = append(parts, export.Part{Name: "test", Share: test})
			}
			f.options.Parts = parts
			return a.export(cmd.Context(), args, &f)
		})
	f.add(cmd)
	cmd.Flags().Float64Var(&validation, "validation", 0.1, "`SHARE` of the games for validation")
	cmd.Flags().Float64Var(&test, "test", 0.1, "`SHARE` of the games for the test")
	cmd.Flags().Uint64Var(&f.options.Seed, "seed", 0, "another seed gives another division")
	return cmd
}

func (a *app) export(ctx context.Context, dirs []string, f *exportFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	progress, end := a.countingEpisodes("exporting", dirs)
	c, err := export.Run(ctx, dirs, f.out, f.options, f.threads, progress)
	end()
	switch {
	case errors.Is(err, export.ErrDifferent):
		return usage(fmt.Errorf("%w; choose another --out", err))
	case errors.Is(err, export.ErrRules):
		return usage(err)
	case err != nil && ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))):
		return fmt.Errorf("stopped; %s keeps the finished files, and the same command resumes the export", f.out)
	case err != nil:
		return badData(err)
	}
	if f.asJSON {
		return writeJSON(a.out, c)
	}
	parts := f.options.Parts
	if len(parts) == 0 {
		parts = []export.Part{{}}
	}
	for _, part := range parts {
		games, rows, bytes := c.Size(part.Name)
		name := ""
		if part.Name != "" {
			name = part.Name + ": "
		}
		fmt.Fprintf(a.out, "%s%s games, %s positions, %s\n", name, report.Count(games), report.Count(rows), size(bytes))
	}
	_, err = fmt.Fprintf(a.out, "%s in %s, described in %s/%s\n", plural(len(c.Files), "file"), f.out, f.out, export.CatalogueName)
	return err
}

// countingEpisodes returns a progress bar for work on every episode of data sets. Its first
// function is safe for concurrent use.
func (a *app) countingEpisodes(what string, dirs []string) (progress func(episodes int64), end func()) {
	var total int64
	for _, dir := range dirs {
		if m, err := dataset.Load(dir); err == nil {
			total += m.Episodes()
		}
	}
	bar := a.newProgress(what, total)
	var showing sync.Mutex
	done := int64(0)
	return func(n int64) {
		showing.Lock()
		defer showing.Unlock()
		done += n
		bar.show(done, 0)
	}, bar.end
}
