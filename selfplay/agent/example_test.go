package agent_test

import (
	"context"
	"fmt"
	"os"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

// An agent string stands for all options of an agent.
func ExampleParse() {
	variant, err := games.Lookup("ntxuva/basic")
	if err != nil {
		panic(err)
	}
	spec, err := agent.Parse("alphabeta:nodes=5000,eval=material", variant, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(spec)
	fmt.Println(agent.Short(spec.String()))
	_, err = agent.Parse("alphabeta:deep=5", variant, nil)
	fmt.Println(err)
	// Output:
	// alphabeta:depth=0,eval=material,hash=16,nodes=5000,noise=10,table=none,time=0s,version=2
	// alphabeta:eval=material,nodes=5000
	// agent "alphabeta:deep=5": option deep is unknown; known are depth, eval, hash, nodes, noise, table, time, version
}

// An agent of this program chooses actions of a position.
func ExampleSpec_New() {
	variant, err := games.Lookup("trench/standard")
	if err != nil {
		panic(err)
	}
	spec, err := agent.Parse("greedy", variant, nil)
	if err != nil {
		panic(err)
	}
	greedy, err := spec.New(variant.Game)
	if err != nil {
		panic(err)
	}
	state := env.NewState(variant.Game)
	if err := state.SetPosition("7g/8/8/8/1l6/1S6/8/8 b 0-0 0 0"); err != nil {
		panic(err)
	}
	greedy.Begin(1) // the seed of its random choices
	var search dataset.Search
	action := greedy.Choose(state, state.Legal(nil), &search)
	fmt.Printf("%s, score %d\n", env.ActionText(state, action), search.Score)
	// Output: b3-b4xb4, score 400
}

// stayHome is an agent of this test: it plays the legal action with the lowest number.
type stayHome struct{}

func (stayHome) Begin(uint64) {}

func (stayHome) Choose(_ env.State, legal []env.Action, _ *dataset.Search) env.Action {
	return legal[0]
}

// A custom agent plays a match against one of this program's.
func ExampleCustom() {
	variant, err := games.Lookup("ntxuva/basic")
	if err != nil {
		panic(err)
	}
	mine := agent.Custom("stay-home", false, func(env.Game) (agent.Agent, error) { return stayHome{}, nil })
	greedy, err := agent.Parse("greedy", variant, nil)
	if err != nil {
		panic(err)
	}
	plan, err := selfplay.NewPlan(selfplay.Config{
		Variant: variant, Agents: [2]agent.Spec{mine, greedy},
		Opening: openings.Of(variant, 1), MaxPlies: selfplay.DefaultMaxPlies, Seed: 1,
	})
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "match") // games are kept there; the same match resumes
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	report, err := arena.Play(context.Background(), arena.Match{Dir: dir, Plan: plan, Pairs: 50, Workers: 2})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s wins %d, draws %d and loses %d games\n", report.Agents[0], report.All.Wins, report.All.Draws, report.All.Losses)
	fmt.Println(plan.Portable())
	// Output:
	// custom:stay-home wins 5, draws 1 and loses 94 games
	// agent custom:stay-home exists only in the Go program that made it; other machines can run a program instead, exec:NAME
}
