package natsq_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
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

	q, err := natsq.Connect(ctx, natsq.Options{URL: server.URL(), Token: "secret"})
	if err != nil {
		log.Fatal(err)
	}
	defer q.Close()

	settings := &dataset.Settings{Variant: "toy", Rules: []byte(`{}`), Episodes: 20, JobEpisodes: 10}
	if err := q.PutRun(ctx, settings); err != nil {
		log.Fatal(err)
	}
	if err := q.Enqueue(ctx, &queue.Job{Run: settings.Run(), Number: 1}); err != nil {
		log.Fatal(err)
	}
	runs, err := q.Runs(ctx)
	if err != nil {
		log.Fatal(err)
	}
	held, err := q.NextJob(ctx, runs)
	if err != nil {
		log.Fatal(err)
	}
	first, count := settings.Job(held.Job().Number)
	fmt.Printf("episodes %d to %d\n", first, first+count-1)
	if err := held.Done(ctx); err != nil {
		log.Fatal(err)
	}
	// Output: episodes 10 to 19
}
