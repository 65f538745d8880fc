package natsq_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/natsq"
)

// One process serves the queue to others, which connect to its address.
func ExampleStartServer() {
	dir, err := os.MkdirTemp("", "nats")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	ctx := context.Background()
	server, err := natsq.StartServer(ctx, natsq.ServerOptions{Dir: dir, Listen: "127.0.0.1:0", Token: "secret"})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()

	queue, err := natsq.Connect(ctx, natsq.Options{URL: server.URL(), Token: "secret"})
	if err != nil {
		log.Fatal(err)
	}
	defer queue.Close()

	settings := &dataset.Settings{Variant: "toy", Rules: []byte(`{}`), Episodes: 20, JobEpisodes: 10}
	if err := queue.Enqueue(ctx, workers.NewJob(settings, 1)); err != nil {
		log.Fatal(err)
	}
	held, err := queue.NextJob(ctx)
	if err != nil {
		log.Fatal(err)
	}
	job, err := held.Job()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("episodes %d to %d\n", job.First, job.First+job.Count-1)
	if err := held.Done(ctx); err != nil {
		log.Fatal(err)
	}
	// Output: episodes 10 to 19
}
