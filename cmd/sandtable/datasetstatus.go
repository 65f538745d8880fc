package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers"
)

// statusJSON is the output of dataset status --json.
type statusJSON struct {
	Dir       string       `json:"dir"`
	Run       string       `json:"run"`
	Variant   string       `json:"variant"`
	Agents    [2]string    `json:"agents"`
	Complete  bool         `json:"complete"`
	Episodes  int64        `json:"episodes"`
	Planned   int64        `json:"planned_episodes"` // 0 if the run has no fixed end
	Jobs      int64        `json:"jobs"`
	Plies     int64        `json:"plies"`
	Shards    int          `json:"shards"`
	Bytes     int64        `json:"bytes"`
	Dead      dataset.Jobs `json:"dead_letters"`
	Workers   []playedJSON `json:"workers"`
	Damaged   []faultJSON  `json:"damaged,omitempty"`
	Leftovers []string     `json:"leftovers,omitempty"`
	missingJSON
}

// playedJSON describes what a worker has played. The name is empty for episodes of unknown
// workers.
type playedJSON struct {
	Worker   string       `json:"worker"`
	Episodes int64        `json:"episodes"`
	Jobs     dataset.Jobs `json:"jobs"`
}

func (a *app) datasetStatusCommand() *cobra.Command {
	var asJSON bool
	cmd := newCommand("status DIR",
		"Print what a data set has and what it lacks",
		`Status prints the state of a data set without reading its games: what was planned and what
is missing, failed jobs, the workers that played the games, and damage that the sizes of
the files show. dataset verify --quick also checks the content of the files.`,
		`  sandtable dataset status runs/my-run`,
		func(cmd *cobra.Command, args []string) error {
			s, err := dataStatus(cmd.Context(), args[0])
			if err != nil {
				return badData(err)
			}
			if asJSON {
				return writeJSON(a.out, s)
			}
			_, err = fmt.Fprint(a.out, s)
			return err
		})
	jsonFlag(cmd, &asJSON)
	return cmd
}

func dataStatus(ctx context.Context, dir string) (*statusJSON, error) {
	survey, err := parquetio.Look(dir)
	if err != nil {
		return nil, err
	}
	m := survey.Manifest
	if m == nil {
		return nil, faultList{dir, survey.Faults}
	}
	letters, err := workers.DeadLetters(dir)
	if err != nil {
		return nil, err
	}
	s := &statusJSON{
		Dir: dir, Run: m.Run, Variant: m.Settings.Variant, Agents: m.Settings.Agents, Complete: m.Complete,
		Episodes: m.Episodes(), Planned: m.Settings.Episodes, Jobs: m.Jobs().Len(), Plies: m.Steps(), Shards: len(m.Shards), Bytes: m.Bytes(),
		Leftovers: survey.Leftovers,
	}
	s.missingJSON = describeMissing(dir, &m.Settings, m.Missing())
	var dead []int64
	for _, letter := range letters {
		dead = append(dead, letter.Job)
	}
	if s.Dead, err = dataset.JobsOf(dead...); err != nil {
		return nil, fmt.Errorf("dead letters of %s: %w", dir, err)
	}
	faults := slices.Concat(survey.Faults, survey.CheckSizes())
	if s.Workers, err = played(ctx, parquetio.NewReader(dir, m), &faults); err != nil {
		return nil, err
	}
	s.Damaged = describeFaults(faults)
	return s, nil
}

// played returns what each worker has played. Shards that cannot be read are added to the
// faults, unless they are among them.
func played(ctx context.Context, reader *parquetio.Reader, faults *dataset.Faults) ([]playedJSON, error) {
	m := reader.Manifest()
	workers := map[string]*playedJSON{}
	for i := range m.Shards {
		shard := &m.Shards[i]
		if slices.ContainsFunc(*faults, func(f *dataset.Fault) bool { return f.File == shard.Episodes.Name }) {
			continue
		}
		jobs := map[string][]int64{}
		for p, err := range reader.Played(shard) {
			if err != nil {
				*faults = append(*faults, &dataset.Fault{File: shard.Episodes.Name, Episode: dataset.None, Ply: dataset.None, What: "file", Found: err.Error()})
				break
			}
			w := workers[p.Worker]
			if w == nil {
				w = &playedJSON{Worker: p.Worker}
				workers[p.Worker] = w
			}
			w.Episodes++
			list := jobs[p.Worker]
			if job := p.Episode / m.Settings.JobEpisodes; len(list) == 0 || list[len(list)-1] != job {
				jobs[p.Worker] = append(list, job)
			}
		}
		for name, list := range jobs {
			set, err := dataset.JobsOf(list...)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", shard.Episodes.Name, err)
			}
			if workers[name].Jobs, err = workers[name].Jobs.Union(set.Without(workers[name].Jobs)); err != nil {
				return nil, err
			}
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	list := make([]playedJSON, 0, len(workers))
	for _, name := range slices.Sorted(maps.Keys(workers)) {
		list = append(list, *workers[name])
	}
	return list, nil
}

func (s *statusJSON) String() string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-15s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("run", "%s in %s", s.Run, s.Dir)
	line("variant", "%s", s.Variant)
	line("agents", "%s, %s", agent.Short(s.Agents[0]), agent.Short(s.Agents[1]))
	planned := "without a fixed end"
	if s.Planned > 0 {
		planned = fmt.Sprintf("of %s planned", report.Count(s.Planned))
	}
	line("episodes", "%s %s, %s plies", report.Count(s.Episodes), planned, report.Count(s.Plies))
	line("on disk", "%s in %s", size(s.Bytes), plural(s.Shards, "shard"))
	if s.Missing.Len() > 0 {
		line("missing", "%s episodes in jobs %s", report.Count(s.MissingEpisodes), s.Missing)
		line("", "%s", s.Command)
	}
	if s.Dead.Len() > 0 {
		line("failed", "jobs %s; dataset requeue removes their dead letters", s.Dead)
	}
	for i, w := range s.Workers {
		name, worker := "", w.Worker
		if i == 0 {
			name = "workers"
		}
		if worker == "" {
			worker = "unknown"
		}
		line(name, "%-18s %s episodes in jobs %s", worker, report.Count(w.Episodes), shortened(w.Jobs.String(), 60))
	}
	for i, f := range s.Damaged {
		name := ""
		if i == 0 {
			name = "damaged"
		}
		line(name, "%s: %s: %s", f.File, f.What, f.Found)
	}
	if len(s.Leftovers) > 0 {
		line("temporary", "%s", strings.Join(s.Leftovers, ", "))
	}
	return b.String()
}
