package workers_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/record"
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
	if err := errors.Join(err, farm.Close()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(reports[0].Episodes, "episodes, complete:", reports[0].Complete)
	// Output: 100 episodes, complete: true
}

// A recording hands out the games in order while they are played, and ends when its
// caller has seen enough: here 10 games that the first player has won.
func ExampleFarm_Record() {
	dir, err := os.MkdirTemp("", "farm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	v, err := games.Lookup("ntxuva/basic")
	if err != nil {
		log.Fatal(err)
	}
	random, err := agent.Parse("random", v, nil)
	if err != nil {
		log.Fatal(err)
	}
	plan, err := selfplay.NewPlan(selfplay.Config{Variant: v, Agents: [2]agent.Spec{random, random}, MaxPlies: 300, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}

	farm := workers.New(workers.Config{
		Open: natsq.Embedded(natsq.ServerOptions{Dir: filepath.Join(dir, "nats")}, natsq.Options{}),
	})
	wins := 0
	err = farm.Record(context.Background(), record.Recording{
		Dir: filepath.Join(dir, "data"), Plan: plan, Episodes: 1000,
		Each: func(ep *dataset.Episode) (more bool) {
			if ep.Result > 0 {
				wins++
			}
			return wins < 10
		},
	})
	if err := errors.Join(err, farm.Close()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(wins, "wins")
	// Output: 10 wins
}

// The roles run apart, as they do in processes on several machines. Each has its own
// connection to the server.
func Example_roles() {
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
	plan = plan.Cut(100, 10)
	settings := plan.Settings()

	server, err := natsq.StartServer(context.Background(), natsq.ServerOptions{Dir: filepath.Join(dir, "nats"), Listen: "127.0.0.1:0"})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	connect := func() *natsq.Queue {
		queue, err := natsq.Connect(context.Background(), natsq.Options{URL: server.URL()})
		if err != nil {
			log.Fatal(err)
		}
		return queue
	}
	coordinating, working, collecting := connect(), connect(), connect()
	defer coordinating.Close()
	defer working.Close()
	defer collecting.Close()
	// The collector needs the settings; here it may be earlier than the coordinator.
	if err := coordinating.PutRun(context.Background(), &settings); err != nil {
		log.Fatal(err)
	}

	ctx, stopWorkers := context.WithCancel(context.Background())
	var roles errgroup.Group
	roles.Go(func() error {
		return workers.Coordinate(context.Background(), workers.CoordinatorConfig{Queue: coordinating, Plan: plan})
	})
	roles.Go(func() error { return workers.Work(ctx, workers.WorkerConfig{Queue: working, Workers: 2}) })
	roles.Go(func() error {
		defer stopWorkers() // they play jobs of all runs, without end
		report, err := workers.Collect(context.Background(), workers.CollectorConfig{
			Queue: collecting, Dir: filepath.Join(dir, "data"), Run: settings.Run(),
		})
		fmt.Println(report.Episodes, "episodes, complete:", report.Complete)
		return err
	})
	if err := roles.Wait(); err != nil {
		log.Fatal(err)
	}
	// Output: 100 episodes, complete: true
}
