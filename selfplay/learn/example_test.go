package learn_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/learn"
)

// Train an alpha-beta agent for one short iteration.
func ExampleTrain() {
	dir, err := os.MkdirTemp("", "train")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	variant, err := games.Lookup("ntxuva/4")
	if err != nil {
		log.Fatal(err)
	}
	spec, err := agent.Parse("alphabeta:eval=score,nodes=20,hash=1", variant, nil)
	if err != nil {
		log.Fatal(err)
	}
	plan, err := selfplay.NewPlan(selfplay.Config{
		Variant: variant, Agents: [2]agent.Spec{spec, spec}, Opening: selfplay.Opening{Plies: 4}, MaxPlies: 200, Seed: 1,
	})
	if err != nil {
		log.Fatal(err)
	}
	recipe := learn.DefaultRecipe()
	recipe.Episodes, recipe.Gate.Pairs, recipe.Gate.OpeningPlies = 100, 10, 4
	outcome, err := learn.Train(context.Background(), learn.Run{
		Dir: dir, Plan: plan, Recipe: recipe, Workers: 2, Stop: learn.Stop{Iterations: 1},
	})
	if err != nil {
		log.Fatal(err)
	}
	first := outcome.Iterations[0]
	fmt.Printf("%d games, %d parameters, gate of %d pairs\n", first.Episodes, first.Fit.Parameters, first.Gate.Pairs)
	// Output: 100 games, 69 parameters, gate of 10 pairs
}
