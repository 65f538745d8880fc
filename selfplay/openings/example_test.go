package openings_test

import (
	"context"
	"fmt"

	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

// Balanced openings are found for a rule set that has no stored suite.
func ExampleSearch_Run() {
	variant, err := games.Lookup("ntxuva/4")
	if err != nil {
		panic(err)
	}
	judge, err := agent.Parse("alphabeta:depth=4,noise=0", variant, nil)
	if err != nil {
		panic(err)
	}
	search := openings.Search{Variant: variant, Judge: judge, Plies: 4, Within: 100, Count: 3, Seed: 1, Workers: 2}
	positions, err := search.Run(context.Background())
	if err != nil {
		panic(err)
	}
	for _, text := range positions {
		fmt.Println(text)
	}
	// Output:
	// 5,1,2,4,1,0,1,2 1,1,4,4,0,1,0,5 s 4 4
	// 1,1,0,4,1,0,4,1 3,3,1,1,1,0,3,0 s 2 4
	// 4,1,0,1,1,0,1,4 1,2,1,0,2,3,1,2 s 2 4
}
