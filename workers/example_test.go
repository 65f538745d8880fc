package workers_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/natsq"
)

// A farm plays 100 games of N'txuva between greedy agents into a data set.
func ExampleFarm() {
	dir, err := os.MkdirTemp("", "farm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	v, err := games.Lookup("ntxuva/basic")
	if err != nil {
		log.Fatal(err)
	}
	greedy, err := agent.Parse("greedy", v, nil)
	if err != nil {
		log.Fatal(err)
	}
	plan, err := selfplay.NewPlan(selfplay.Config{
		Variant: v, Agents: [2]agent.Spec{greedy, greedy},
		Opening: selfplay.Opening{Plies: 4}, MaxPlies: 300, Seed: 1,
	})
	if err != nil {
		log.Fatal(err)
	}

	farm := workers.New(workers.Config{
		Open: natsq.Embedded(natsq.ServerOptions{Dir: filepath.Join(dir, "nats")}, natsq.Options{}),
	})
	reports, err := farm.Play(context.Background(), nil, workers.Run{
		Dir: filepath.Join(dir, "data"), Plan: plan.Cut(100, 0),
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := farm.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(reports[0].Episodes, "episodes, complete:", reports[0].Complete)
	// Output: 100 episodes, complete: true
}
