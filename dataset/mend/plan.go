package mend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/dataset/replay"
)

// A Repaired describes what Repair has done to a data set, or with Options.DryRun what it
// would do.
type Repaired struct {
	Dir      string
	Settings dataset.Settings
	// Manifest says why the manifest was made again; it is empty if it was sound.
	Manifest string
	// Relisted are the numbers of sound shards that the manifest did not list, or with other
	// jobs.
	Relisted []int64
	Aside    []Aside
	// Leftovers are the temporary files that a killed writer left and that were removed.
	Leftovers []string
	// Jobs are the jobs of the data set afterwards, and Missing those of the run that it
	// lacks. A run without an end lacks the jobs below its last one.
	Jobs, Missing dataset.Jobs
}

// An Aside is a group of files that do not belong to the data set.
type Aside struct {
	Number int64    // of the shard, or −1
	Files  []string // relative to the folder of the data set, with slashes; empty if all are missing
	Reason string
	// Kept are the sound jobs of a shard with false episodes. They are written into a new
	// shard.
	Kept dataset.Jobs
}

// Changed reports whether the data set needed repair.
func (r *Repaired) Changed() bool {
	return r.Manifest != "" || len(r.Relisted)+len(r.Aside)+len(r.Leftovers) > 0
}

// Options are the options of Repair.
type Options struct {
	Goroutines int    // that replay episodes; at least one
	DryRun     bool   // change nothing
	Run        string // the run to keep if files of several runs have no manifest
	// Progress, unless nil, is called from several goroutines with the number of episodes
	// replayed since the last call.
	Progress func(episodes int64)
}

// ErrRuns is wrapped by the error of Repair for shards of several runs without a manifest.
var ErrRuns = errors.New("the files belong to several runs")

// ErrNothing is wrapped by the error of Repair for a folder without a manifest in which no
// file names its run.
var ErrNothing = errors.New("no file names the run, so nothing can be repaired")

// A planner finds out what is wrong with a data set.
type planner struct {
	Repaired
	survey *parquetio.Survey
	// manifest is the one to be saved. Its shards are sound, except those in rewrite.
	manifest *dataset.Manifest
	asides   []aside
}

// An aside is an Aside with the shard that it was.
type aside struct {
	Aside
	shard dataset.Shard // only if Kept is not empty
}

// A candidate is a shard that may belong to the data set.
type candidate struct {
	shard  dataset.Shard
	listed bool
}

func plan(ctx context.Context, dir string, opts Options) (*planner, error) {
	survey, err := parquetio.Look(dir)
	if err != nil {
		return nil, err
	}
	p := &planner{survey: survey}
	p.Dir, p.Leftovers = dir, temporary(survey.Leftovers)
	if err := p.chooseRun(opts.Run); err != nil {
		return nil, err
	}
	for _, name := range survey.Foreign {
		p.asides = append(p.asides, aside{Aside: Aside{Number: -1, Files: []string{name}, Reason: "it is not a shard of the data set"}})
	}
	candidates, err := p.candidates(ctx)
	if err != nil {
		return nil, err
	}
	list := &dataset.Manifest{Run: p.manifest.Run, Settings: p.manifest.Settings}
	for _, c := range candidates {
		list.Shards = append(list.Shards, c.shard)
	}
	checked, err := replay.CheckShards(ctx, parquetio.NewReader(dir, list), opts.Goroutines, opts.Progress, true)
	if err != nil {
		return nil, err
	}
	for i, c := range candidates {
		p.judge(c, &checked[i])
	}
	return p, p.finish()
}

// temporary returns the files that are not shards.
func temporary(leftovers []string) []string {
	return slices.DeleteFunc(slices.Clone(leftovers), func(name string) bool { return !strings.HasSuffix(name, dataset.TempSuffix) })
}

// chooseRun sets the manifest without shards: that of the folder, or that of the run that
// the files of shards name.
func (p *planner) chooseRun(want string) error {
	m := p.survey.Manifest
	if m == nil {
		p.Manifest = p.survey.Faults[0].Error()
	} else {
		runs := p.runs(p.listed())
		if _, ok := runs[m.Run]; ok || len(runs) != 1 {
			p.manifest = &dataset.Manifest{SchemaVersion: m.SchemaVersion, Run: m.Run, Settings: m.Settings, Removed: m.Removed}
			return nil
		}
		p.Manifest = "its shards belong to another run than " + m.Run
	}
	runs := p.runs(slices.Concat(p.listed(), p.survey.Numbers))
	var settings *dataset.Settings
	for run, s := range runs {
		if settings == nil || run == want {
			settings = s
		}
	}
	switch {
	case settings == nil:
		return fmt.Errorf("%s: %w", p.Dir, ErrNothing)
	case want != "" && settings.Run() != want:
		return fmt.Errorf("%s has no file of run %s", p.Dir, want)
	case want == "" && len(runs) > 1:
		var ids []string
		for run := range runs {
			ids = append(ids, run)
		}
		slices.Sort(ids)
		return fmt.Errorf("%s: %w, %s: choose the one to keep", p.Dir, ErrRuns, strings.Join(ids, ", "))
	}
	p.manifest = dataset.NewManifest(*settings)
	return nil
}

// listed returns the numbers of the shards in the manifest.
func (p *planner) listed() []int64 {
	var numbers []int64
	if m := p.survey.Manifest; m != nil {
		for i := range m.Shards {
			numbers = append(numbers, m.Shards[i].Number)
		}
	}
	return numbers
}

// runs returns the settings that the files of shards contain, by run.
func (p *planner) runs(numbers []int64) map[string]*dataset.Settings {
	runs := map[string]*dataset.Settings{}
	for _, number := range numbers {
		for _, table := range []string{dataset.EpisodesFolder, dataset.StepsFolder} {
			if s, err := parquetio.ReadSettings(p.path(dataset.ShardFile(table, number))); err == nil {
				runs[s.Run()] = s
			}
		}
	}
	return runs
}

func (p *planner) path(name string) string { return filepath.Join(p.Dir, filepath.FromSlash(name)) }

// candidates returns the shards of the manifest and then the others, in order of number.
// It puts aside those that cannot be candidates.
func (p *planner) candidates(ctx context.Context) ([]candidate, error) {
	var list []candidate
	if p.Manifest == "" {
		for _, shard := range p.survey.Manifest.Shards {
			list = append(list, candidate{shard, true})
		}
	}
	numbers := p.survey.Numbers
	if p.Manifest != "" {
		numbers = slices.Concat(p.listed(), numbers)
		slices.Sort(numbers)
	}
	for _, number := range numbers {
		if p.manifest.Removed.Has(number) {
			continue // the next writer deletes it
		}
		shard, err := p.identify(ctx, number)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			p.put(number, err.Error())
		default:
			list = append(list, candidate{shard, false})
		}
	}
	return list, nil
}

// identify returns a shard of two files as a manifest would list it, but without its jobs.
func (p *planner) identify(ctx context.Context, number int64) (shard dataset.Shard, err error) {
	shard.Number = number
	if shard.Episodes, err = parquetio.Identify(ctx, p.Dir, dataset.ShardFile(dataset.EpisodesFolder, number)); err != nil {
		return shard, err
	}
	shard.Steps, err = parquetio.Identify(ctx, p.Dir, dataset.ShardFile(dataset.StepsFolder, number))
	return shard, err
}

// judge decides what happens to a shard.
func (p *planner) judge(c candidate, r *replay.CheckedShard) {
	shard := c.shard
	sound := r.Sound.Without(p.Jobs)
	whole := sound.String() == r.Sound.String() && p.manifest.Settings.Count(sound) == shard.Episodes.Rows
	switch {
	case r.Unreadable:
		p.put(shard.Number, reason(r))
	case whole && sound.Len() > 0:
		if !c.listed || shard.Jobs.String() != sound.String() {
			p.Relisted = append(p.Relisted, shard.Number)
		}
		shard.Jobs = sound
		p.manifest.Shards = append(p.manifest.Shards, shard)
	case sound.Len() == 0 && r.Sound.Len() > 0:
		p.put(shard.Number, fmt.Sprintf("other shards contain its jobs %s", r.Sound))
	default:
		p.put(shard.Number, reason(r))
		if sound.Len() > 0 {
			last := &p.asides[len(p.asides)-1]
			last.Kept, last.shard = sound, shard
		}
	}
	if !r.Unreadable {
		p.Jobs, _ = p.Jobs.Union(sound) // disjoint
	}
}

// put puts a shard aside.
func (p *planner) put(number int64, reason string) {
	var names []string
	for _, table := range []string{dataset.EpisodesFolder, dataset.StepsFolder} {
		if name := dataset.ShardFile(table, number); exists(p.path(name)) {
			names = append(names, name)
		}
	}
	p.asides = append(p.asides, aside{Aside: Aside{Number: number, Files: names, Reason: reason}})
}

// reason returns why a shard with some faults cannot stay.
func reason(r *replay.CheckedShard) string {
	switch {
	case len(r.Faults) > 0:
		return r.Faults.Error()
	case r.Misplaced != nil:
		return r.Misplaced.Error()
	}
	return "other shards contain some of its jobs"
}

// finish completes the manifest and the report.
func (p *planner) finish() error {
	m := p.manifest
	slices.SortFunc(m.Shards, func(a, b dataset.Shard) int { return cmp.Compare(a.Number, b.Number) })
	m.Complete = m.Jobs().Len() == m.Settings.Jobs()
	if m.Shards == nil {
		m.Shards = []dataset.Shard{}
	}
	if err := m.Validate(); err != nil {
		return fmt.Errorf("%s: the repaired manifest: %w", p.Dir, err)
	}
	last := p.Jobs.Max()
	if listed := p.survey.Manifest; listed != nil && p.Manifest == "" {
		last = max(last, listed.Jobs().Max())
	}
	p.Settings, p.Missing = m.Settings, m.Settings.Missing(p.Jobs, last+1)
	for _, a := range p.asides {
		p.Aside = append(p.Aside, a.Aside)
	}
	return nil
}
