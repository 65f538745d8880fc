package balance_test

import (
	"context"
	"fmt"
	"os"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/record"
)

// recorded plays 200 games of Trench between greedy agents into a temporary folder.
func recorded() string {
	variant, err := games.Lookup("trench/standard")
	if err != nil {
		panic(err)
	}
	greedy, err := agent.Parse("greedy", variant, nil)
	if err != nil {
		panic(err)
	}
	plan, err := selfplay.NewPlan(selfplay.Config{Variant: variant, Agents: [2]agent.Spec{greedy, greedy}, Opening: selfplay.Opening{Plies: 8}, MaxPlies: 300, Seed: 1})
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "games")
	if err != nil {
		panic(err)
	}
	if err := record.Play(context.Background(), record.Recording{Dir: dir, Plan: plan, Episodes: 200, Workers: 2}); err != nil {
		panic(err)
	}
	return dir
}

// Measure the balance of a game from a data set.
func ExampleAnalyze() {
	dir := recorded() // the folder of a data set, for example from sandtable farm
	defer os.RemoveAll(dir)

	source, err := balance.Open(dir)
	if err != nil {
		panic(err)
	}
	r, err := balance.Analyze(context.Background(), []balance.Source{source}, balance.Options{Unit: "Soldier"})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Seats.Verdict(), report.Share(r.Seats.First.Score))
	for _, t := range r.Values.Phases[0].Types {
		if t.Problem.None() {
			fmt.Printf("%s %.1f\n", t.Type, t.Value.Estimate)
		}
	}
	// Output:
	// first_is_better 57.5 % (50.6 to 64.1, n = 200)
	// General 2.3
	// Colonel 2.0
	// Captain 1.5
	// Sergeant 1.2
	// Soldier 1.0
}
