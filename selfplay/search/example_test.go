package search_test

import (
	"fmt"
	"log"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// Search a position of Trench and print the best line.
func ExampleNew() {
	variant, err := games.Lookup("trench/standard")
	if err != nil {
		log.Fatal(err)
	}
	evaluator, err := eval.New("score", variant.Game)
	if err != nil {
		log.Fatal(err)
	}
	s, err := search.New(variant.Game, evaluator, search.Options{Hash: 16})
	if err != nil {
		log.Fatal(err)
	}
	state := env.NewState(variant.Game)
	if err := state.SetPosition("C4c2/4p3/2s2p2/4pp2/8/1P1gP3/1C6/G7 w 22-23 1 43"); err != nil {
		log.Fatal(err)
	}
	s.Begin(1)
	best := s.Search(state, search.Limits{Depth: 6}, 1).Best()
	fmt.Println(env.ActionText(state, best.Actions[0]), search.ScoreText(best.Score))
	// Output: d3-e3xe3 win in 5
}

// Grow a tree from the start of N'txuva and print the most visited action.
func ExampleNewMCTS() {
	variant, err := games.Lookup("ntxuva/4")
	if err != nil {
		log.Fatal(err)
	}
	evaluator, err := eval.New("score", variant.Game)
	if err != nil {
		log.Fatal(err)
	}
	m, err := search.NewMCTS(variant.Game, evaluator, search.TreeOptions{Explore: 100, Quiescence: 4, Batch: 1})
	if err != nil {
		log.Fatal(err)
	}
	state := env.NewState(variant.Game)
	m.Begin(1)
	best := m.Search(state, search.TreeLimits{Simulations: 500}, 1).Best()
	visits := 0
	for _, v := range m.Visits() {
		if v.Action == best.Actions[0] {
			visits = v.Count
		}
	}
	fmt.Printf("%s: %d of 500 visits\n", env.ActionText(state, best.Actions[0]), visits)
	// Output: 5x4: 462 of 500 visits
}
