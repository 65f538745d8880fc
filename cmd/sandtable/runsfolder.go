package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// folderRun is a data set in the list of a folder.
type folderRun struct {
	Dir      string    `json:"dir"`
	Run      string    `json:"run"`
	Variant  string    `json:"variant"`
	Agents   [2]string `json:"agents"`
	Episodes int64     `json:"episodes"`
	Planned  int64     `json:"planned_episodes"` // 0 without a fixed end
	Complete bool      `json:"complete"`
	Bytes    int64     `json:"bytes"`
	Fault    string    `json:"fault,omitempty"` // why the manifest cannot be read
}

// folderDepth is how many folders below the given one may hold data sets: those of an
// experiment lie in folders of their experiment.
const folderDepth = 4

// listFolder prints the data sets in a folder.
func (a *app) listFolder(ctx context.Context, dir string, asJSON bool) error {
	runs, err := folderRuns(ctx, dir)
	if errors.Is(err, fs.ErrNotExist) && dir != "runs" {
		return usage(err)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if asJSON {
		return writeJSON(a.out, map[string]any{"datasets": append([]folderRun{}, runs...)})
	}
	if len(runs) == 0 {
		_, err := fmt.Fprintf(a.out, "%s contains no data sets; sandtable farm writes one. --nats URL lists the runs of a server.\n", dir)
		return err
	}
	table := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "DIR\tSTATE\tGAMES\tSIZE\tVARIANT\tAGENTS")
	for i := range runs {
		r := &runs[i]
		if r.Fault != "" {
			fmt.Fprintf(table, "%s\tfaulty\t-\t-\t-\t%s\n", printable(r.Dir), printable(r.Fault))
			continue
		}
		games, state := report.Count(r.Episodes), "unfinished"
		switch {
		case r.Complete:
			state = "complete"
		case r.Planned == 0:
			state = "open"
		default:
			games += " of " + report.Count(r.Planned)
		}
		agents := agent.Short(r.Agents[0])
		if r.Agents[1] != r.Agents[0] {
			agents += " against " + agent.Short(r.Agents[1])
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", printable(r.Dir), state, games, size(r.Bytes), shortened(printable(r.Variant), mostVariant), shortened(printable(agents), mostVariant))
	}
	return table.Flush()
}

// folderRuns returns the data sets in a folder, in the order of their names.
func folderRuns(ctx context.Context, dir string) ([]folderRun, error) {
	var runs []folderRun
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && path == dir:
			return err
		case err != nil || !entry.IsDir():
			return nil // a folder that this user may not read has no data sets for them
		}
		m, err := dataset.Load(path)
		if errors.Is(err, dataset.ErrNoDataSet) {
			inner, err := filepath.Rel(dir, path)
			if err == nil && strings.Count(inner, string(filepath.Separator)) >= folderDepth-1 {
				return filepath.SkipDir
			}
			return nil
		}
		r := folderRun{Dir: path}
		if err != nil {
			r.Fault = err.Error()
		} else {
			s := &m.Settings
			r = folderRun{
				Dir: path, Run: m.Run, Variant: s.Variant, Agents: s.Agents, Episodes: m.Episodes(), Planned: s.Episodes,
				Complete: m.Complete, Bytes: m.Bytes(),
			}
		}
		runs = append(runs, r)
		return filepath.SkipDir
	})
	return runs, err
}
