package workers_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/external/externaltest"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/queue"
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
	for _, c := range []struct {
		agent   string
		files   dataset.Files
		refused bool
	}{
		{"alphabeta:depth=1,eval=" + file, nil, true},
		{"alphabeta:depth=1,eval=" + file, dataset.Files{file: content}, true},
		{"alphabeta:depth=1,eval=sha256:0", dataset.Files{"sha256:0": content}, true},
		{"alphabeta:depth=1,table=" + file, nil, true},
		{"exec:" + program[0], nil, true},
		{"exec:mine," + program[1], nil, true},
		{"exec:mine,command=" + program[0], nil, true},
		{"exec:sh", nil, true},
		{"exec:mine", nil, false},
		{"alphabeta:depth=1,eval=" + dataset.FileDigest(content), dataset.Files{dataset.FileDigest(content): content}, false},
	} {
		s := settings(t, "ntxuva/4", "random", 2, 2)
		s.Agents, s.Files, s.MaxPlies = [2]string{c.agent, c.agent}, c.files, 10
		q := newMemoryQueue()
		if err := errors.Join(q.PutRun(t.Context(), &s), q.Enqueue(t.Context(), &queue.Job{Run: s.Run()})); err != nil {
			t.Fatal(err)
		}
		var meter tally
		stop := startOn(t, q, workers.WorkerConfig{Workers: 1, Meter: &meter, Commands: agent.Commands{"mine": program}})
		refused := func() bool { return q.worker("w").Refused[s.Run()] != "" }
		waitFor(t, func() bool { return refused() || len(queued(t, q, s.Run()).Jobs) == 0 })
		stop()
		if refused() != c.refused || (meter.ends[workers.JobDone] == 1) == c.refused || meter.ends[workers.JobFailed] != 0 {
			t.Errorf("%s with files %d: refused is %q, jobs ended %v", c.agent, len(c.files), q.worker("w").Refused, meter.ends)
		}
	}
}
