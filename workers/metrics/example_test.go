package metrics_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/workers/metrics"
)

// A process binds its address first, serves its metrics beside its work, and gives the
// meter to its roles (workers.Config.Meter).
func ExampleHandler() {
	server, err := metrics.Listen("127.0.0.1:0", metrics.ServerOptions{})
	if err != nil {
		log.Fatal(err)
	}
	meter := metrics.New(metrics.RoleWorker)
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, metrics.Handler(meter, metrics.Options{})) }()

	// What a worker does after each game.
	meter.Episodes("trench/standard").EpisodePlayed(57, 0, env.WinFor(env.First), env.NoReason)

	response, err := http.Get("http://" + server.Addr() + "/metrics")
	if err != nil {
		log.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	response.Body.Close()
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "sandtable_plies_total") {
			fmt.Print(line)
		}
	}
	stop()
	if err := <-served; err != nil {
		log.Fatal(err)
	}
	// Output: sandtable_plies_total{game="trench",variant="standard"} 57
}
