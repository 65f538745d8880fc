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
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/workers/experiment"
)

// handicaps is a small experiment: a missing piece and a changed attribute.
func handicaps(t *testing.T, agent string, changes ...func(*handicap.Plan)) *experiment.Handicaps {
	t.Helper()
	plan := handicap.Plan{
		Handicaps: []handicap.Handicap{{Type: "Soldier"}, {Type: "P", Change: handicap.Change{Attribute: "longest_move", By: 1}}},
		Pairs:     15, Control: 20, OpeningPlies: 4, MaxPlies: 1000, Seed: 9,
	}
	for _, change := range changes {
		change(&plan)
	}
	h, err := experiment.NewHandicaps(lookup(t, "trench/standard"), player(agent), plan)
	if err != nil {
		t.Fatal(err)
	}
	h.Dir, h.Goroutines = filepath.Join(t.TempDir(), "experiment"), 2
	return h
}

func TestHandicapsArePlayedAsPlannedByAnyNumberOfPlayers(t *testing.T) {
	var reports []string
	for _, players := range []int{1, 3} {
		h := handicaps(t, "greedy")
		stages := map[experiment.Stage]int64{}
		last := map[experiment.Stage]int64{}
		h.Watch = func(stage experiment.Stage, episodes int64) func(int64, int64) {
			stages[stage] = episodes
			return func(done, plies int64) { last[stage] = done }
		}
		r, err := h.Play(t.Context(), newFarm(t, config(t, players)))
		if err != nil {
			t.Fatal(err)
		}
		// 30 without a Soldier, 15 and 15 with a longer move, 20 unchanged
		if stages[experiment.Playing] != 80 || last[experiment.Playing] < 80 || stages[experiment.Measuring] != 60 || last[experiment.Measuring] != 60 ||
			stages[experiment.Valuing] != 20 || last[experiment.Valuing] != 20 {
			t.Errorf("the stages are of %v, done are %v", stages, last)
		}
		if e := r.Handicaps; len(e) != 2 || e[0].Type != "Soldier" || len(e[0].Arms) != 1 || e[0].Arms[0].Episodes != 30 || e[0].Games != 30 ||
			e[1].Type != "Soldier" || len(e[1].Arms) != 2 || e[1].Arms[1].Episodes != 15 || e[1].Games != 30 || e[1].Seats[0].Score.N != 15 {
			t.Errorf("the report is of %+v", e)
		}
		for player := range 2 { // each arm of an attribute is of its player
			source, err := balance.Open(r.Handicaps[1].Arms[player].Dir)
			if err != nil {
				t.Fatal(err)
			}
			wins := int64(0)
			for ep := range source.First(15).Episodes {
				if ep.Result.For(env.Player(player)) > 0 {
					wins++
				}
			}
			if seat := r.Handicaps[1].Seats[player]; seat.Wins != wins {
				t.Errorf("player %d won %d games with the handicap, the report has %+v", player, wins, seat)
			}
		}
		if r.Control == nil || r.Control.Data.Episodes != 20 || !r.Control.SameAgent || !r.Control.SameOpenings {
			t.Errorf("the control is %+v", r.Control)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, strings.ReplaceAll(string(text), h.Dir, "DIR"))
	}
	if reports[0] != reports[1] {
		t.Errorf("one player makes\n%s\nthree make\n%s", reports[0], reports[1])
	}
}

func TestWhatIsNotThePlannedExperimentIsRefused(t *testing.T) {
	first := func(p *handicap.Plan) { p.Handicaps = p.Handicaps[:1] }
	h, farm := handicaps(t, "random", first), newFarm(t, config(t, 1))
	if _, err := h.Play(t.Context(), farm); err != nil {
		t.Fatal(err)
	}
	other := handicaps(t, "random", first, func(p *handicap.Plan) { p.Seed++ })
	other.Dir = h.Dir
	if _, err := other.Play(t.Context(), farm); !errors.Is(err, dataset.ErrSettings) || !strings.Contains(err.Error(), "plan.json seed is ") {
		t.Errorf("another plan: %v", err)
	}
	settings := dataset.Settings{Digest: "sha256:other"}
	h.Control = []balance.Source{{Name: "elsewhere", Settings: &settings}}
	if _, err := h.Play(t.Context(), farm); !errors.Is(err, balance.ErrSources) {
		t.Errorf("data of other rules: %v", err)
	}
	// A missing piece changes no rule: by their rules alone its games might be a control.
	own, err := balance.Open(filepath.Join(h.Dir, "P-removed"))
	if err != nil {
		t.Fatal(err)
	}
	h.Control = []balance.Source{own}
	if _, err := h.Play(t.Context(), farm); !errors.Is(err, balance.ErrSources) || !strings.Contains(err.Error(), "a handicap of this experiment") {
		t.Errorf("the experiment's own games as a control: %v", err)
	}
	h.Control, h.Unit = nil, "Queen"
	if _, err := h.Play(t.Context(), farm); !errors.Is(err, balance.ErrUnit) {
		t.Errorf("an unknown unit: %v", err)
	}
	for want, change := range map[string]func(p *handicap.Plan){
		"the plan has no handicaps": func(p *handicap.Plan) { p.Handicaps = nil },
		"pairs is 0":                func(p *handicap.Plan) { p.Pairs = 0 },
		"control is -1":             func(p *handicap.Plan) { p.Control = -1 },
		"opening_plies is -1":       func(p *handicap.Plan) { p.OpeningPlies = -1 },
		"max_plies is -1":           func(p *handicap.Plan) { p.MaxPlies = -1 },
		"P removed is given twice":  func(p *handicap.Plan) { p.Handicaps = append(p.Handicaps, handicap.Handicap{Type: "P"}) },
		"longest_move":              func(p *handicap.Plan) { p.Handicaps[1].Change.By = 9 },
	} {
		plan := *handicaps(t, "random").Plan
		change(&plan)
		if _, err := experiment.NewHandicaps(lookup(t, "trench/standard"), player("random"), plan); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
}

func TestADamagedArmOfHandicapsIsReported(t *testing.T) {
	h, farm := handicaps(t, "random"), newFarm(t, config(t, 1))
	if _, err := h.Play(t.Context(), farm); err != nil {
		t.Fatal(err)
	}
	// The data set of another run in the folder of an arm.
	from, to := filepath.Join(h.Dir, "control"), filepath.Join(h.Dir, "P-removed")
	if err := errors.Join(os.RemoveAll(to), os.Rename(from, to)); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Play(t.Context(), farm); !errors.Is(err, dataset.ErrSettings) {
		t.Errorf("the games of another arm: %v", err)
	}
}
