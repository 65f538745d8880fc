package arena_test

import (
	"context"
	"fmt"
	"os"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

// A match ends early when a sequential test has decided which agent is stronger.
func ExamplePlay() {
	variant, err := games.Lookup("trench/standard")
	if err != nil {
		panic(err)
	}
	config := selfplay.Config{Variant: variant, Opening: openings.Of(variant, 1), MaxPlies: selfplay.DefaultMaxPlies, Seed: 1}
	for i, text := range []string{"alphabeta:depth=2", "alphabeta:depth=1"} {
		if config.Agents[i], err = agent.Parse(text, variant, nil); err != nil {
			panic(err)
		}
	}
	plan, err := selfplay.NewPlan(config)
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "match") // of the data set with its games; the same match resumes there
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	report, err := arena.Play(context.Background(), arena.Match{
		Dir: dir, Plan: plan, Pairs: 200, Workers: 2,
		Test: &stats.SPRT{Elo0: 0, Elo1: 50, Alpha: .05, Beta: .05},
	})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d pairs: %d wins, %d draws, %d losses\n", report.Pairs, report.All.Wins, report.All.Draws, report.All.Losses)
	fmt.Println("the test accepts", report.Test.Verdict)
	// Output:
	// 21 pairs: 32 wins, 4 draws, 6 losses
	// the test accepts H1
}
