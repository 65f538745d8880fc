package experiment_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/workers/experiment"
)

// precise plans an experiment of random games that ends at a precision.
func precise(t *testing.T, p handicap.Precision, pairs int64) *experiment.Handicaps {
	t.Helper()
	h, err := experiment.NewHandicaps(lookup(t, "ntxuva/4"), player("random"), handicap.Plan{
		Handicaps: []handicap.Handicap{{Type: "A"}, {Type: "D"}}, Pairs: pairs, OpeningPlies: 2, MaxPlies: 400, Seed: 3, Until: &p,
	})
	if err != nil {
		t.Fatal(err)
	}
	h.Dir, h.Goroutines = filepath.Join(t.TempDir(), "experiment"), 2
	return h
}

func TestAnExperimentEndsWhenItsLossesAreKnown(t *testing.T) {
	h := precise(t, handicap.Precision{Within: .06, Points: true}, 1000)
	r, err := h.Play(t.Context(), newFarm(t, config(t, 2)))
	if err != nil {
		t.Fatal(err)
	}
	if r.Until == nil || len(r.Until.Open) != 0 || len(r.Handicaps) != 2 {
		t.Fatalf("the end is %+v", r.Until)
	}
	for i := range r.Handicaps {
		e := &r.Handicaps[i]
		if half := (e.Loss.High - e.Loss.Low) / 2; half > .06 || e.Games < 500 || e.Games >= 2000 || !strings.HasPrefix(e.Loss.Method, "repeated, ") {
			t.Errorf("%s: %d games, the loss is %+v", e.Type, e.Games, e.Loss)
		}
	}
	// Played again it is the same, and what is read of its folder too.
	again, err := h.Play(t.Context(), newFarm(t, config(t, 1)))
	if err != nil {
		t.Fatal(err)
	}
	e, err := experiment.ReadHandicaps(t.Context(), h.Dir)
	if err != nil {
		t.Fatal(err)
	}
	read, err := handicap.Analyze(e)
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for what, of := range map[string]*handicap.Report{"again": again, "read": read} {
		if got, err := json.Marshal(of); err != nil || string(got) != string(want) {
			t.Errorf("%s (%v):\n%s\nat first\n%s", what, err, got, want)
		}
	}
}

func TestAnExperimentThatStaysImpreciseEndsAtItsPairs(t *testing.T) {
	r, err := precise(t, handicap.Precision{Within: 1e-3}, 300).Play(t.Context(), newFarm(t, config(t, 2)))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Until.Open) == 0 || r.Handicaps[0].Games != 600 || r.Handicaps[1].Games != 600 {
		t.Errorf("the end is %+v after %d games", r.Until, r.Handicaps[0].Games)
	}
}

func TestReadHandicapsSaysWhatIsWrong(t *testing.T) {
	if _, err := experiment.ReadHandicaps(t.Context(), t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a plan: %v", err)
	}
	h := handicaps(t, "random")
	r, err := h.Play(t.Context(), newFarm(t, config(t, 2)))
	if err != nil {
		t.Fatal(err)
	}
	e, err := experiment.ReadHandicaps(t.Context(), h.Dir)
	if err != nil || len(e.Played) != 2 || e.Played[1].Change.Attribute != "longest_move" || e.Agent != r.Agent || e.Control != nil {
		t.Fatalf("it reads %+v (%v)", e, err)
	}
	if !experiment.IsControl(filepath.Join(h.Dir, "control")) || experiment.IsControl(filepath.Join(h.Dir, "P-removed")) || experiment.IsControl(filepath.Join(t.TempDir(), "control")) {
		t.Error("the control is not known by its place")
	}
	plan := filepath.Join(h.Dir, experiment.PlanName)
	text, err := os.ReadFile(plan)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from, to string
		want     error
		text     string
	}{
		{`"experiment": "handicaps"`, `"experiment": "other"`, experiment.ErrNotHandicaps, "another plan"},
		{`"P-removed"`, `"P-nothing"`, experiment.ErrNotHandicaps, "change"},
		{`"P-removed"`, `"Q-removed"`, experiment.ErrNotHandicaps, "not a piece type"},
		{`"digest": "sha256:`, `"digest": "sha256:0`, nil, "a different version"},
		{`"P-removed"`, `"C-removed"`, nil, "C-removed is not a data set"},
		{h.Plan.Arms[0].Run, "0123456789abcdef", dataset.ErrSettings, "the run is " + h.Plan.Arms[0].Run},
	} {
		changed := strings.Replace(string(text), c.from, c.to, 1)
		if changed == string(text) {
			t.Fatalf("the plan lacks %s:\n%s", c.from, text)
		}
		if err := os.WriteFile(plan, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := experiment.ReadHandicaps(t.Context(), h.Dir); err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("with %s: %v", c.to, err)
		}
	}
}
