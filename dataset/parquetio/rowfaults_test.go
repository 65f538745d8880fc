package parquetio

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
	"github.com/sandtable-farm/sandtable/env"
)

// aGame returns a game of three plies, of which the second has visits.
func aGame(run string) *dataset.Episode {
	ep := &dataset.Episode{Run: run, Terminated: true, Reason: env.Points, Pair: dataset.NoPair, ResignPly: dataset.NoPly}
	for i := range 3 {
		s := ep.AddStep()
		s.Action, s.LegalCount = 7, 9
		if i == 1 {
			s.Search = dataset.Search{Has: dataset.HasVisits, Visits: []dataset.Visit{{Action: 1, Count: 2}, {Action: 3, Count: 4}}}
		}
	}
	return ep
}

// faultOf writes a shard of aGame whose table of plies write writes, and returns the first
// fault that a reader finds, or nil.
func faultOf(t *testing.T, write func(*dataset.Episode, *stepTable) error) *dataset.Fault {
	t.Helper()
	settings := datasettest.Settings(1, 1, 1)
	run := settings.Run()
	text, err := json.Marshal(&settings)
	if err != nil {
		t.Fatal(err)
	}
	config := tableConfig{
		run: run, codec: &zstd.Codec{Level: zstd.SpeedFastest}, metadata: map[string]string{MetaRun: run, MetaSettings: string(text)},
	}
	dir := t.TempDir()
	games, plies := newEpisodeTable(&config), newStepTable(&config)
	var files [2]*shardFile
	for i, name := range []string{"episodes.parquet", "steps.parquet"} {
		if files[i], err = createShardFile(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	games.begin(files[0])
	plies.begin(files[1])
	err = errors.Join(games.add(aGame(run)), write(aGame(run), plies), games.close(), plies.close(), files[0].sync(), files[1].sync())
	if err != nil {
		t.Fatal(err)
	}
	shard := &dataset.Shard{Episodes: files[0].entry("episodes.parquet", 1), Steps: files[1].entry("steps.parquet", 3)}
	var fault *dataset.Fault
	for _, err := range NewReader(dir, &dataset.Manifest{Run: run, Settings: settings}).Shard(shard) {
		if err != nil && !errors.As(err, &fault) {
			t.Fatal(err)
		}
	}
	return fault
}

// Each column of the table of plies that contradicts the table of episodes is a fault by
// itself.
func TestEachContradictionOfTheTablesIsAFault(t *testing.T) {
	if fault := faultOf(t, func(ep *dataset.Episode, plies *stepTable) error { return plies.add(ep) }); fault != nil {
		t.Errorf("a sound shard: %v", fault)
	}
	for _, c := range []struct {
		what, found string
		ply         int
		change      func(*dataset.Episode, *stepTable)
	}{
		{"episode", "5", 0, func(ep *dataset.Episode, _ *stepTable) { ep.Number = 5 }},
		{"action", "8", 2, func(ep *dataset.Episode, _ *stepTable) { ep.Steps[2].Action = 8 }},
		{"player", "2", 1, func(ep *dataset.Episode, _ *stepTable) { ep.Steps[1].Player = 2 }},
		{"source", "book", 0, func(_ *dataset.Episode, plies *stepTable) { plies.sources[dataset.FromAgent] = textValue("book") }},
		{"run", "0123", 0, func(_ *dataset.Episode, plies *stepTable) {
			run := plies.columns[stepRun].usual
			for i := range run {
				run[i] = textValue("0123")
			}
		}},
	} {
		fault := faultOf(t, func(ep *dataset.Episode, plies *stepTable) error {
			c.change(ep, plies)
			return plies.add(ep)
		})
		if fault == nil || fault.File != "steps.parquet" || fault.What != c.what || fault.Found != c.found || fault.Ply != c.ply {
			t.Errorf("another %s: the fault is %v, want %s at ply %d", c.what, fault, c.found, c.ply)
		}
	}
	fault := faultOf(t, func(ep *dataset.Episode, plies *stepTable) error {
		err := plies.add(ep)
		plies.columns[stepPly].values[1] = parquet.Int32Value(4)
		return err
	})
	if fault == nil || fault.What != "ply" || fault.Found != "4" || fault.Want != "1" || fault.Ply != 1 {
		t.Errorf("another ply: the fault is %v", fault)
	}
}

// Lists of visits with different lengths are a fault, and so is one list without the other.
func TestListsOfVisitsMustMatch(t *testing.T) {
	null, empty := parquet.Value{}, parquet.Value{}.Level(0, 1, 0)
	first, next := parquet.Int32Value(1).Level(0, 2, 0), parquet.Int32Value(1).Level(1, 2, 0)
	for name, c := range map[string]struct {
		actions, counts []parquet.Value
		ok              bool
	}{
		"both null":         {[]parquet.Value{null}, []parquet.Value{null}, true},
		"both empty":        {[]parquet.Value{empty}, []parquet.Value{empty}, true},
		"two each":          {[]parquet.Value{first, next}, []parquet.Value{first, next}, true},
		"empty actions":     {[]parquet.Value{empty}, []parquet.Value{null}, false},
		"empty counts":      {[]parquet.Value{null}, []parquet.Value{empty}, false},
		"more actions":      {[]parquet.Value{first, next}, []parquet.Value{first}, false},
		"counts of nothing": {[]parquet.Value{empty}, []parquet.Value{first}, false},
		"only actions":      {[]parquet.Value{first}, []parquet.Value{null}, false},
	} {
		fault := faultOf(t, func(ep *dataset.Episode, plies *stepTable) error {
			err := plies.add(ep)
			rest := []parquet.Value{null, null} // of the other plies
			actions, counts := &plies.columns[stepVisitActions], &plies.columns[stepVisitCounts]
			actions.values, actions.same = append(c.actions, rest...), 0
			counts.values, counts.same = append(c.counts, rest...), 0
			return err
		})
		if (fault == nil) != c.ok || fault != nil && (fault.What != "length of visit_counts" || fault.Ply != 0) {
			t.Errorf("%s: the fault is %v", name, fault)
		}
	}
}
