package workers_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/external/externaltest"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/natsq"
)

// weightsFile writes a file of weights that any agent of the variant could play with.
func weightsFile(t *testing.T, name string) (file, content string) {
	t.Helper()
	v, err := games.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	layout, err := eval.NewLayout(v.Game)
	if err != nil {
		t.Fatal(err)
	}
	weights, err := eval.NewWeights(v.Game, v.Digest, make([]float64, layout.Size()), "made for a test")
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "weights.json")
	if err := os.WriteFile(file, weights.JSON(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file, string(weights.JSON())
}

// Whoever can write to the queue can have games played, and nothing else: the file
// and the programs are there, and a worker that took them would do the job.
func TestNoJobReachesFilesOrProgramsOfAWorker(t *testing.T) {
	file, content := weightsFile(t, "ntxuva/4")
	program := externaltest.Command(t, "legal")
	url := server(t, t.TempDir(), "127.0.0.1:0").URL()
	queue := connect(t, url, natsq.Options{})
	for _, c := range []struct {
		agent string
		files dataset.Files
		end   workers.JobEnd
	}{
		{"alphabeta:depth=1,eval=" + file, nil, workers.JobFailed},
		{"alphabeta:depth=1,eval=" + file, dataset.Files{file: content}, workers.JobFailed},
		{"alphabeta:depth=1,eval=sha256:0", dataset.Files{"sha256:0": content}, workers.JobFailed},
		{"alphabeta:depth=1,table=" + file, nil, workers.JobFailed},
		{"exec:" + program[0], nil, workers.JobFailed},
		{"exec:mine," + program[1], nil, workers.JobFailed},
		{"exec:mine,command=" + program[0], nil, workers.JobFailed},
		{"exec:sh", nil, workers.JobRefused},
		{"exec:mine", nil, workers.JobDone},
		{"alphabeta:depth=1,eval=" + dataset.FileDigest(content), dataset.Files{dataset.FileDigest(content): content}, workers.JobDone},
	} {
		s := settings(t, "ntxuva/4", "random", 2, 2)
		s.Agents, s.Files, s.MaxPlies = [2]string{c.agent, c.agent}, c.files, 10
		if err := queue.Enqueue(t.Context(), workers.NewJob(&s, 0)); err != nil {
			t.Fatal(err)
		}
		strict := tuning()
		strict.MaxDeliveries = 1
		var meter tally
		stop := work(t, url, workers.WorkerConfig{Workers: 1, Tuning: strict, Meter: &meter, Commands: agent.Commands{"mine": program}})
		ended := func(end workers.JobEnd) int {
			meter.mu.Lock()
			defer meter.mu.Unlock()
			return meter.ends[end]
		}
		for ended(workers.JobDone)+ended(workers.JobFailed)+ended(workers.JobRefused) == 0 {
			time.Sleep(5 * time.Millisecond)
		}
		stop()
		if ended(c.end) == 0 {
			t.Errorf("%s with files %d: jobs ended %v, must be %s", c.agent, len(c.files), meter.ends, c.end)
		}
		if err := queue.Withdraw(context.Background(), s.Run()); err != nil {
			t.Fatal(err)
		}
	}
}
