package experiment_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay/record"
	"github.com/sandtable-farm/sandtable/workers"
)

// recording is one of pairs, or of single games where the agents are the same.
func recording(t testing.TB, first, second string, episodes int64) record.Recording {
	return record.Recording{
		Dir: filepath.Join(t.TempDir(), "data"), Plan: plan(t, "ntxuva/4", first, second, 5), Episodes: episodes, Workers: 2,
	}
}

// until returns an Each that wants no more after the episode of a number, and notes
// the numbers that it is handed.
func until(last int64, numbers *[]int64) func(*dataset.Episode) bool {
	return func(ep *dataset.Episode) bool {
		*numbers = append(*numbers, ep.Number)
		return ep.Number < last
	}
}

func TestRecordDoesWhatPlayingWithoutAQueueDoes(t *testing.T) {
	for _, c := range []struct {
		second         string
		episodes, last int64
	}{
		{"greedy", 500, 39},
		{"random", 60, 1000}, // all
		{"random", 500, 41},  // with a pair
		{"random", 500, 0},   // within a pair
	} {
		var want []int64
		alone := recording(t, "greedy", c.second, c.episodes)
		alone.Each = until(c.last, &want)
		if err := record.Play(t.Context(), alone); err != nil {
			t.Fatal(err)
		}
		for _, players := range []int{1, 4} {
			var got []int64
			r := recording(t, "greedy", c.second, c.episodes)
			r.Each = until(c.last, &got)
			var games, plies int64
			r.Progress = func(g, p int64) { games, plies = g, p }
			if err := newFarm(t, config(t, players)).Record(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) || games != int64(len(want)) || plies < games {
				t.Errorf("%+v, %d players: handed out were %v, progress is %d games, want %v", c, players, got, games, want)
			}
			settings := record.Settings(r.Plan)
			if episodes := wantFirst(t, r.Dir, r.Plan, &settings); episodes < int64(len(want)) || c.last == 1000 && episodes != c.episodes {
				t.Errorf("%+v, %d players: the data set holds %d episodes", c, players, episodes)
			}
		}
	}
}

func TestAFolderBegunByOneIsContinuedByTheOther(t *testing.T) {
	farm := newFarm(t, config(t, 2))
	r := recording(t, "greedy", "random", 600)
	for i, play := range []func(context.Context, record.Recording) error{farm.Record, record.Play, farm.Record, record.Play} {
		var seen []int64
		r.Each = until(int64(200*i+11), &seen)
		if err := play(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if want := min(600, 200*i+12); len(seen) != want || !slices.IsSorted(seen) {
			t.Errorf("step %d hands out %v, want %d", i, seen, want)
		}
	}
	settings := record.Settings(r.Plan)
	if episodes := wantFirst(t, r.Dir, r.Plan, &settings); episodes != 600 {
		t.Errorf("the data set holds %d episodes", episodes)
	}
}

func TestARecordingCutShortGoesOnToTheSameData(t *testing.T) {
	cfg := config(t, 2)
	r := recording(t, "greedy", "greedy", 150)
	for stops := 0; ; stops++ {
		ctx, cancel := context.WithCancel(t.Context())
		r.Progress = func(games, _ int64) {
			if games == 20 && stops < 4 {
				cancel()
			}
		}
		farm := workers.New(cfg)
		err := farm.Record(ctx, r)
		cancel()
		if err := farm.Close(); err != nil {
			t.Fatal(err)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), r.Dir) {
			t.Fatalf("error is %v", err)
		}
		m, err := dataset.Load(r.Dir)
		if err != nil || m.Jobs().Len() != m.Jobs().Max()+1 {
			t.Fatalf("stopped with %v, %v", m, err)
		}
	}
	settings := record.Settings(r.Plan)
	if episodes := wantFirst(t, r.Dir, r.Plan, &settings); episodes != 150 {
		t.Errorf("the data set holds %d episodes", episodes)
	}
}
