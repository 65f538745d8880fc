package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

func (a *app) datasetListCommand() *cobra.Command {
	var asJSON bool
	cmd := newCommand("ls [DIR]",
		"List the data sets of a folder",
		`Ls lists the data sets in DIR and in the folders below it. The default is runs, where farm
puts its data sets.`,
		`  sandtable dataset ls
  sandtable dataset ls /data --json | jq '.data_sets[] | select(.complete | not) | .dir'`,
		func(_ *cobra.Command, args []string) error {
			dir := "runs"
			if len(args) > 0 {
				dir = args[0]
			}
			list, err := listDataSets(dir)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return usage(fmt.Errorf("the folder %s does not exist; sandtable dataset ls DIR lists another one", dir))
			case err != nil:
				return err
			case asJSON:
				return writeJSON(a.out, map[string]any{"data_sets": list})
			}
			return writeDataSets(a.out, dir, list)
		})
	jsonFlag(cmd, &asJSON)
	return cmd
}

// dataSetJSON describes a data set by its manifest.
type dataSetJSON struct {
	Dir      string    `json:"dir"`
	Run      string    `json:"run,omitempty"`
	Variant  string    `json:"variant,omitempty"`
	Digest   string    `json:"digest,omitempty"`
	Agents   [2]string `json:"agents"`
	Seed     uint64    `json:"seed,string"`
	Complete bool      `json:"complete"`
	Episodes int64     `json:"episodes"`
	Planned  int64     `json:"planned"` // 0 without a fixed end
	Plies    int64     `json:"plies"`
	Bytes    int64     `json:"bytes"`
	Fault    string    `json:"fault,omitempty"` // why the manifest cannot be read
}

// listDataSets returns the data sets in a folder and below, in order of name.
func listDataSets(root string) ([]dataSetJSON, error) {
	list := []dataSetJSON{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if _, err := os.Stat(filepath.Join(path, dataset.ManifestName)); err != nil {
			return nil // it is not a readable data set
		}
		d := dataSetJSON{Dir: path}
		if m, err := dataset.Load(path); err != nil {
			d.Fault = err.Error()
		} else {
			s := &m.Settings
			d = dataSetJSON{
				Dir: path, Run: m.Run, Variant: s.Variant, Digest: s.Digest, Agents: s.Agents, Seed: s.Seed, Complete: m.Complete,
				Episodes: m.Episodes(), Planned: s.Episodes, Plies: m.Steps(), Bytes: m.Bytes(),
			}
		}
		list = append(list, d)
		return fs.SkipDir
	})
	return list, err
}

// state says how much of the run is there.
func (d *dataSetJSON) state() string {
	switch {
	case d.Fault != "":
		return "damaged"
	case d.Complete:
		return "complete"
	case d.Planned == 0:
		return "open"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(d.Episodes)/float64(d.Planned))
}

func writeDataSets(out io.Writer, dir string, list []dataSetJSON) error {
	if len(list) == 0 {
		_, err := fmt.Fprintf(out, "%s has no data sets.\n", dir)
		return err
	}
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "DIR\tSTATE\tGAMES\tPLIES\tSIZE\tVARIANT\tAGENTS")
	for i := range list {
		d := &list[i]
		agents := agent.Short(d.Agents[0])
		if d.Agents[1] != d.Agents[0] {
			agents += ", " + agent.Short(d.Agents[1])
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", d.Dir, d.state(), report.Count(d.Episodes), report.Count(d.Plies), size(d.Bytes),
			shortened(d.Variant, mostVariant), shortened(agents, mostVariant))
	}
	_ = table.Flush() // a strings.Builder takes everything
	for i := range list {
		if list[i].Fault != "" {
			fmt.Fprintf(&b, "\n%s\n", list[i].Fault)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
