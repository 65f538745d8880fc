package main

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env"
)

// changed writes the first episodes of a data set as one of their own, with something
// changed of each.
func changed(t *testing.T, dir string, episodes int64, change func(*dataset.Episode)) string {
	t.Helper()
	r, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	settings := r.Manifest().Settings
	settings.Episodes, settings.JobEpisodes = max(1, episodes), max(1, episodes)
	to := filepath.Join(t.TempDir(), "data")
	lock, err := dataset.AcquireLock(to)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := lock.Release(); err != nil {
			t.Error(err)
		}
	}()
	w, err := parquetio.OpenWriter(lock, &settings)
	if err != nil {
		t.Fatal(err)
	}
	if episodes == 0 {
		return to
	}
	_, err = w.Commit([]int64{0}, func(yield func(*dataset.Episode, error) bool) {
		for ep, err := range r.Episodes() {
			if err == nil {
				ep.Run = settings.Run()
				change(ep)
			}
			if !yield(ep, err) || err != nil || ep.Number+1 == episodes {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// told lists what JSON says of a kind: the answers, and whether each interval holds
// its estimate.
func told(t *testing.T, data string) (answers []string, intervals int) {
	t.Helper()
	var tree any
	if err := json.Unmarshal([]byte(data), &tree); err != nil {
		t.Fatal(err)
	}
	var walk func(path string, node any)
	walk = func(path string, node any) {
		switch node := node.(type) {
		case []any:
			for _, child := range node {
				walk(path, child)
			}
		case map[string]any:
			if text, ok := node["answer"].(string); ok && text != "" {
				answers = append(answers, text)
			}
			estimate, one := node["estimate"].(float64)
			if low, ok := node["low"].(float64); ok && one && low > estimate+1e-12 {
				t.Errorf("%s: %v", path, node)
			}
			if high, ok := node["high"].(float64); ok && one && high < estimate-1e-12 {
				t.Errorf("%s: %v", path, node)
			}
			if one {
				intervals++
			}
			for _, key := range slices.Sorted(maps.Keys(node)) {
				walk(path+"/"+key, node[key])
			}
		}
	}
	walk("", tree)
	return answers, intervals
}

func TestBalanceOfPoorDataAnswersPlainly(t *testing.T) {
	result := func(r env.Result) func(*dataset.Episode) {
		return func(ep *dataset.Episode) { ep.Result = r }
	}
	same := func(*dataset.Episode) {}
	cut := func(ep *dataset.Episode) {
		ep.Truncated, ep.Terminated, ep.Reason, ep.Result = true, false, env.NoReason, 0
	}
	for _, variant := range []string{"trench/standard", "ntxuva/4", "tankchess/16x16", "tankbattle/standard"} {
		games := smallFarm(t, variant, "--agent", "greedy", "--episodes", "12")
		for name, c := range map[string]struct {
			dir, seats, values string
		}{
			"empty":       {changed(t, games, 0, same), "No game has a result", "values cannot be estimated"},
			"one game":    {changed(t, games, 1, same), "Only one game has a result", "All games have the same result"},
			"two games":   {changed(t, games, 2, same), "", ""},
			"all won":     {changed(t, games, 12, result(1)), "won all 12 games", "All games have the same result"},
			"all lost":    {changed(t, games, 12, result(-1)), "won all 12 games", "All games have the same result"},
			"all drawn":   {changed(t, games, 12, result(0)), "All 12 games were drawn", "All games have the same result"},
			"all cut off": {changed(t, games, 12, cut), "No game has a result", "values cannot be estimated"},
		} {
			data := done(t, "", "balance", c.dir, "--json", "--against", "3,0,0")
			answers, intervals := told(t, data)
			if all := strings.Join(answers, "\n"); strings.Contains(data, "NaN") || !strings.Contains(all, c.seats) || !strings.Contains(all, c.values) || intervals == 0 {
				t.Errorf("%s, %s: %d intervals, the answers are\n%s", variant, name, intervals, all)
			}
			var r struct {
				balance.Report
				Notes []string `json:"notes"`
			}
			if err := json.Unmarshal([]byte(data), &r); err != nil || len(r.Notes) == 0 {
				t.Errorf("%s, %s: %v, notes are %q", variant, name, err, r.Notes)
			}
			for _, p := range r.Values.Phases {
				for _, v := range p.Types {
					if v.Value != nil || v.Problem.None() {
						t.Errorf("%s, %s: %s is worth %+v", variant, name, v.Type, v.Value)
					}
				}
			}
			if text := done(t, "", "balance", c.dir); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
				t.Errorf("%s, %s: the text is\n%s", variant, name, text)
			}
		}
	}
}
