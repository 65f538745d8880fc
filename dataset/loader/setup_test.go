package loader_test

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/loader"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/record"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

// search is an agent with visits, with fast searches among them.
const search = "mcts:sims=24,fast-sims=6"

// play plays episodes of an agent against itself into dir, or adds the missing ones.
func play(t testing.TB, dir, variant, agent string, episodes int64, change func(*selfplay.Config)) string {
	t.Helper()
	if dir == "" {
		dir = t.TempDir()
	}
	plan := selfplaytest.Plan(t, variant, agent, agent, change)
	if err := record.Play(t.Context(), record.Recording{Dir: dir, Plan: plan, Episodes: episodes, Workers: 2}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func open(t testing.TB, o loader.Options, dirs ...string) *loader.Loader {
	t.Helper()
	l, err := loader.Open(dirs, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// small returns options with small blocks.
func small(change func(*loader.Options)) loader.Options {
	o := loader.Default()
	o.Shuffle, o.Seed, o.Threads = 300, 7, 2
	if change != nil {
		change(&o)
	}
	return o
}

// take returns a copy of the next batch, or nil at the end of the stream.
func take(t testing.TB, l *loader.Loader, rows int) *loader.Batch {
	t.Helper()
	b := new(loader.Batch)
	err := l.Next(context.Background(), rows, b)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// takeAll returns all batches of a stream that ends.
func takeAll(t testing.TB, l *loader.Loader, rows int) []*loader.Batch {
	t.Helper()
	var all []*loader.Batch
	for b := take(t, l, rows); b != nil; b = take(t, l, rows) {
		all = append(all, b)
	}
	return all
}

// equal reports whether two batches have equal content.
func equal(a, b *loader.Batch) bool {
	same := func(x, y []float32) bool {
		return slices.EqualFunc(x, y, func(p, q float32) bool { return math.Float32bits(p) == math.Float32bits(q) })
	}
	return slices.Equal(a.Bits, b.Bits) && slices.Equal(a.Scalars, b.Scalars) &&
		slices.Equal(a.LegalOffsets, b.LegalOffsets) && slices.Equal(a.LegalActions, b.LegalActions) &&
		same(a.Policy, b.Policy) && same(a.PolicyWeight, b.PolicyWeight) && same(a.Value, b.Value) &&
		same(a.ValueWeight, b.ValueWeight) && slices.Equal(a.WDL, b.WDL) && same(a.Score, b.Score) &&
		same(a.SearchValue, b.SearchValue) && slices.Equal(a.NextOffsets, b.NextOffsets) &&
		slices.Equal(a.NextActions, b.NextActions) && same(a.NextPolicy, b.NextPolicy) && same(a.Weight, b.Weight) &&
		slices.Equal(a.Episode, b.Episode) && slices.Equal(a.Set, b.Set) && slices.Equal(a.Ply, b.Ply) &&
		slices.Equal(a.Symmetry, b.Symmetry)
}

// episodes returns the episodes of a data set.
func episodes(t testing.TB, dir string) (*dataset.Settings, []*dataset.Episode) {
	t.Helper()
	r, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []*dataset.Episode
	for ep, err := range r.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		kept := new(dataset.Episode)
		if _, err := dataset.ReadEpisode(dataset.AppendEpisode(nil, ep), kept); err != nil {
			t.Fatal(err)
		}
		all = append(all, kept)
	}
	return &r.Manifest().Settings, all
}
