package replay_test

import (
	"context"
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// onePlayed plays one game of Trench between greedy agents.
func onePlayed() (*dataset.Settings, *dataset.Episode) {
	variant, err := games.Lookup("trench/standard")
	if err != nil {
		panic(err)
	}
	greedy, err := agent.Parse("greedy", variant, nil)
	if err != nil {
		panic(err)
	}
	plan, err := selfplay.NewPlan(selfplay.Config{Variant: variant, Agents: [2]agent.Spec{greedy, greedy}, Opening: selfplay.Opening{Plies: 4}, MaxPlies: 300, Seed: 1})
	if err != nil {
		panic(err)
	}
	settings, one := plan.Cut(1, 0).Settings(), new(dataset.Episode)
	err = selfplay.PlayAll(context.Background(), plan, settings.Run(), 0, 1, 1, func(ep *dataset.Episode) error {
		_, err := dataset.ReadEpisode(dataset.AppendEpisode(nil, ep), one)
		return err
	})
	if err != nil {
		panic(err)
	}
	return &settings, one
}

// Rebuild the positions of a recorded game, with what happened in each ply.
func ExampleReplayer_Moments() {
	settings, ep := onePlayed() // for example from parquetio.Open(dir)

	r, err := replay.New(settings)
	if err != nil {
		panic(err)
	}
	captures := 0
	var last env.State
	for m, err := range r.Moments(ep) {
		if err != nil {
			panic(err)
		}
		for _, e := range m.Events {
			if e.Kind == env.Captured {
				captures++
			}
		}
		last = m.State
	}
	result, reason := last.Result()
	fmt.Printf("%d plies, %d pieces captured, %v by %v\n", ep.Plies(), captures, result, reason)
	fmt.Println("fault:", r.Check(ep))
	// Output:
	// 44 plies, 20 pieces captured, second by points
	// fault: <nil>
}
