package selfplay_test

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// Two agents play one game, which is recorded move by move.
func ExamplePlayer() {
	variant, err := games.Lookup("trench/standard")
	if err != nil {
		panic(err)
	}
	config := selfplay.Config{Variant: variant, MaxPlies: selfplay.DefaultMaxPlies, Seed: 1}
	for i, text := range []string{"alphabeta:depth=3", "greedy"} {
		if config.Agents[i], err = agent.Parse(text, variant, nil); err != nil {
			panic(err)
		}
	}
	plan, err := selfplay.NewPlan(config)
	if err != nil {
		panic(err)
	}
	player, err := selfplay.NewPlayer(plan)
	if err != nil {
		panic(err)
	}
	defer player.Close()
	var ep dataset.Episode
	if err := player.Play(0, &ep); err != nil {
		panic(err)
	}
	first := &ep.Steps[0]
	fmt.Printf("the first move, one of %d, has a score of %d after %d positions\n", first.LegalCount, first.Search.Score, first.Search.Nodes)
	fmt.Printf("%d plies, %s wins by %s, %d to %d points\n", ep.Plies(), ep.Result, ep.Reason, ep.Points[0], ep.Points[1])
	// Output:
	// the first move, one of 14, has a score of 57 after 294 positions
	// 33 plies, first wins by points, 25 to 14 points
}
