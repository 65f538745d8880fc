package experiment_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/workers/experiment"
)

// stated is a plan of some experiment.
type stated struct {
	Games int             `json:"games"`
	Rules json.RawMessage `json:"rules"`
	Note  string          `json:"note,omitempty"`
}

func TestAPlanIsKeptAndOnlyItselfGoesOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs", "mine")
	if err := errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(filepath.Join(dir, experiment.PlanName+dataset.TempSuffix), []byte("{"), 0o666)); err != nil {
		t.Fatal(err)
	}
	plan := stated{Games: 3, Rules: json.RawMessage(`{"b": 1,"a":[1, 2]}`)}
	for range 2 {
		if err := experiment.KeepPlan(dir, plan); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, experiment.PlanName)
	kept, err := os.ReadFile(file)
	var read stated
	if err != nil || json.Unmarshal(kept, &read) != nil || read.Games != 3 {
		t.Fatalf("%s holds %s (%v)", file, kept, err)
	}
	if err := experiment.KeepPlan(dir, read); err != nil {
		t.Errorf("a plan that was read back is another one: %v", err)
	}
	for want, other := range map[string]stated{
		"games is 3, here 4":           {Games: 4, Rules: plan.Rules},
		`rules is {"b":1,"a":[1,2]}, `: {Games: 3, Rules: json.RawMessage(`{"b":1,"a":[` + strings.Repeat("1,", 1000) + `1]}`)},
		`note is missing, here "new"`:  {Games: 3, Rules: plan.Rules, Note: "new"},
		"games is 3, here 5":           {Games: 5, Rules: json.RawMessage(`{"a":[1,2,3]}`)},
	} {
		err := experiment.KeepPlan(dir, other)
		if !errors.Is(err, dataset.ErrSettings) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), file) || len(err.Error()) > 600 {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
	if now, err := os.ReadFile(file); err != nil || string(now) != string(kept) {
		t.Errorf("the plan is now %s (%v)", now, err)
	}
}

func TestAFolderOfSomethingElseTakesNoPlan(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "manifest.json"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := experiment.KeepPlan(dir, stated{}); !errors.Is(err, dataset.ErrSettings) || !strings.Contains(err.Error(), "contains manifest.json but no plan.json") {
		t.Errorf("error is %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, experiment.PlanName), []byte("{half"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := experiment.KeepPlan(dir, stated{}); !errors.Is(err, dataset.ErrSettings) || !strings.Contains(err.Error(), "is not a plan") {
		t.Errorf("error is %v", err)
	}
}

// The plans in testdata were written by an earlier version of the program. The same
// experiment with their rules has the same plan, and so the same arms.
func TestPlansOfEarlierVersionsAreTheSame(t *testing.T) {
	stored := func(name string, plan any) (dir string) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		dir = t.TempDir()
		if err := errors.Join(json.Unmarshal(text, plan), os.WriteFile(filepath.Join(dir, experiment.PlanName), text, 0o666)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	var old handicap.Plan
	dir := stored("handicaps-plan.json", &old)
	v, err := games.FromRules(old.Rules, old.Digest)
	if err != nil {
		t.Fatal(err)
	}
	h, err := experiment.NewHandicaps(v, player("greedy"), handicap.Plan{
		Handicaps: []handicap.Handicap{{Type: "attack house"}, {Type: "defence house"}}, Pairs: 40, Control: 80, OpeningPlies: 8, MaxPlies: 2000, Seed: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := experiment.KeepPlan(dir, h.Plan); err != nil || h.Plan.Episodes() != 240 || len(old.Arms) != 3 {
		t.Errorf("handicaps: %v", err)
	}
	var before compare.Plan
	dir = stored("comparison-plan.json", &before)
	agent := func(nodes string) string {
		return "alphabeta:depth=0,eval=score,hash=16,nodes=" + nodes + ",noise=10,table=none,time=0s"
	}
	err = experiment.KeepPlan(dir, &compare.Plan{
		Variants: []compare.Variant{{Name: "ntxuva/4", Digest: old.Digest, Rules: before.Variants[0].Rules}},
		Budgets:  []compare.Budget{{Nodes: 10, Agent: agent("10")}, {Nodes: 40, Agent: agent("40")}},
		Games:    40, OpeningPlies: 8, MaxPlies: 2000, Seed: 1, Power: .8,
	})
	if err != nil || before.Validate() != nil {
		t.Errorf("comparison: %v, %v", err, before.Validate())
	}
}
