package record_test

import (
	"context"
	"fmt"
	"os"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/record"
)

// Games are played into a data set, which is then read.
func ExamplePlay() {
	variant, err := games.Lookup("ntxuva/4")
	if err != nil {
		panic(err)
	}
	greedy, err := agent.Parse("greedy", variant, nil)
	if err != nil {
		panic(err)
	}
	plan, err := selfplay.NewPlan(selfplay.Config{
		Variant: variant, Agents: [2]agent.Spec{greedy, greedy}, Opening: selfplay.Opening{Plies: 6}, MaxPlies: 300, Seed: 1,
	})
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "games")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := record.Play(context.Background(), record.Recording{Dir: dir, Plan: plan, Episodes: 500, Workers: 2}); err != nil {
		panic(err)
	}
	data, err := parquetio.Open(dir)
	if err != nil {
		panic(err)
	}
	tally := dataset.NewTally()
	for ep, err := range data.Episodes() {
		if err != nil {
			panic(err)
		}
		tally.Add(ep)
	}
	s := tally.Summary()
	fmt.Printf("%d episodes, %d plies\n", s.Episodes, s.Plies)
	// Output: 500 episodes, 14365 plies
}
