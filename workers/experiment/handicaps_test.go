package experiment_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/handicap"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/experiment"
)

// handicaps is a small experiment: a missing piece and a changed attribute.
func handicaps(t *testing.T, text string) *experiment.Handicaps {
	t.Helper()
	v, err := games.Lookup("trench/standard")
	if err != nil {
		t.Fatal(err)
	}
	return &experiment.Handicaps{
		Variant:   v,
		Agent:     func(v *variant.Variant) (agent.Spec, error) { return agent.Parse(text, v, nil) },
		Handicaps: []handicap.Handicap{{Type: "Soldier"}, {Type: "P", Change: handicap.Change{Attribute: "longest_move", By: 1}}},
		Pairs:     15, Control: 20, Options: handicap.Options{OpeningPlies: 4, MaxPlies: 1000, Seed: 9},
	}
}

func TestHandicapsArePlayedAsPlannedByAnyNumberOfPlayers(t *testing.T) {
	var reports []string
	for _, players := range []int{1, 3} {
		h, dir := handicaps(t, "greedy"), filepath.Join(t.TempDir(), "experiment")
		var last workers.Status
		if err := h.Play(t.Context(), newFarm(t, config(t, players)), dir, func(s workers.Status) { last = s }); err != nil {
			t.Fatal(err)
		}
		if last.Total != 80 || last.Collected < 80 { // 30 without a Soldier, 15 and 15 with faster ones, 20 unchanged
			t.Errorf("it plays %+v", last)
		}
		r, err := h.Analyze(t.Context(), dir, nil, balance.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if e := r.Handicaps; len(e) != 2 || e[0].Type != "Soldier" || len(e[0].Arms) != 1 || e[0].Arms[0].Episodes != 30 || e[0].Games != 30 ||
			e[1].Type != "Soldier" || len(e[1].Arms) != 2 || e[1].Arms[1].Episodes != 15 || e[1].Games != 30 || e[1].Seats[0].Score.N != 15 {
			t.Errorf("the report is of %+v", e)
		}
		if r.Control == nil || r.Control.Data.Episodes != 20 || !r.Control.SameAgent || !r.Control.SameOpenings {
			t.Errorf("the control is %+v", r.Control)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, strings.ReplaceAll(string(text), dir, "DIR"))
	}
	if reports[0] != reports[1] {
		t.Errorf("one player makes\n%s\nthree make\n%s", reports[0], reports[1])
	}
}

func TestWhatIsNotThePlannedExperimentIsRefused(t *testing.T) {
	h, dir := handicaps(t, "random"), filepath.Join(t.TempDir(), "experiment")
	h.Handicaps = h.Handicaps[:1]
	farm := newFarm(t, config(t, 1))
	if _, err := h.Analyze(t.Context(), dir, nil, balance.Options{}); !errors.Is(err, dataset.ErrNoDataSet) {
		t.Errorf("of nothing the error is %v", err)
	}
	if err := h.Play(t.Context(), farm, dir, nil); err != nil {
		t.Fatal(err)
	}
	other := handicaps(t, "random")
	other.Options.Seed++
	if err := other.Play(t.Context(), farm, dir, nil); !errors.Is(err, dataset.ErrSettings) {
		t.Errorf("another plan: %v", err)
	}
	if _, err := other.Analyze(t.Context(), dir, nil, balance.Options{}); !errors.Is(err, dataset.ErrSettings) {
		t.Errorf("another plan is told from these games: %v", err)
	}
	settings := dataset.Settings{Digest: "sha256:other"}
	if _, err := h.Analyze(t.Context(), dir, []balance.Source{{Name: "elsewhere", Settings: &settings}}, balance.Options{}); !errors.Is(err, balance.ErrSources) {
		t.Errorf("data of other rules: %v", err)
	}
	// A missing piece changes no rule: by their rules alone its games might be a control.
	own, err := balance.Open(filepath.Join(dir, "P-removed"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Analyze(t.Context(), dir, []balance.Source{own}, balance.Options{}); !errors.Is(err, balance.ErrSources) || !strings.Contains(err.Error(), "this very experiment") {
		t.Errorf("the experiment's own games as a control: %v", err)
	}
	if _, err := h.Analyze(t.Context(), dir, nil, balance.Options{Unit: "Queen"}); !errors.Is(err, balance.ErrUnit) {
		t.Errorf("an unknown unit: %v", err)
	}
	for what, change := range map[string]func(h *experiment.Handicaps){
		"there are no handicaps": func(h *experiment.Handicaps) { h.Handicaps = nil },
		"pairs is 0":             func(h *experiment.Handicaps) { h.Pairs = 0 },
		"control is -1":          func(h *experiment.Handicaps) { h.Control = -1 },
		"is there twice":         func(h *experiment.Handicaps) { h.Handicaps = append(h.Handicaps, h.Handicaps[0]) },
		"longest_move":           func(h *experiment.Handicaps) { h.Handicaps[1].Change.By = 9 },
	} {
		h, dir := handicaps(t, "random"), filepath.Join(t.TempDir(), "experiment")
		change(h)
		if err := h.Play(t.Context(), farm, dir, nil); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("the error is %v, want %q", err, what)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: the folder is there", what)
		}
	}
}
