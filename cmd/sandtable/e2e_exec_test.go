//go:build e2e

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/selfplay"
)

// python is the --exec that makes the example an agent.
const python = "py=python3 ../../selfplay/external/example/agent.py"

func TestTheExampleInPythonBeatsRandomPlay(t *testing.T) {
	for _, variant := range []string{"trench/standard", "tankchess/16x16"} {
		dir := filepath.Join(t.TempDir(), "match")
		args := []string{variant, "exec:py,time=5s", "random", "--pairs", "20", "--exec", python, "--out", dir}
		r := matchReport(t, args...)
		if len(r.Forfeits) != 0 || r.All.Score.Estimate < 0.75 { // five standard errors above even
			t.Errorf("%s: the example scores %+v, forfeits %+v", variant, r.All.Score, r.Forfeits)
		}
		start(t, "sandtable", "dataset", "verify", dir).succeed()
	}
	if r := matchReport(t, "ntxuva/basic", "exec:py,time=5s", "random", "--pairs", "2", "--exec", python, "--out", filepath.Join(t.TempDir(), "match")); len(r.Forfeits) != 0 {
		t.Errorf("forfeits %+v", r.Forfeits)
	}
}

func TestWorkersMapTheNamesOfPrograms(t *testing.T) {
	_, url := natsServer(t, freeAddress(t), t.TempDir())
	dir := filepath.Join(t.TempDir(), "data")
	coordinator := start(t, "sandtable", "coordinator", "trench/standard", "--nats", url,
		"--agent", "random", "--vs", "exec:py,time=5s", "--episodes", "20", "--seed", "5")
	config, err := (&planFlags{agent: "random", vs: "exec:py,time=5s", maxPlies: 2000, seed: 5}).config(&cobra.Command{}, "trench/standard")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := selfplay.NewPlan(config)
	if err != nil {
		t.Fatal(err)
	}
	settings := plan.Cut(20, 0).Settings()
	time.Sleep(time.Second) // the settings reach the server
	collector := start(t, "sandtable", "collector", "--nats", url, "--run", settings.Run(), "--out", dir)
	without := start(t, "sandtable", "worker", "--nats", url, "--workers", "1")
	time.Sleep(3 * time.Second) // it is given jobs
	with := start(t, "sandtable", "worker", "--nats", url, "--workers", "1", "--exec", python)
	coordinator.succeed()
	collector.succeed()
	for _, worker := range []*process{without, with} {
		worker.signal(syscall.SIGINT)
	}
	with.succeed()
	if o := without.wait(); !strings.Contains(o.err, "left to other workers") || !strings.Contains(o.err, "--exec py=COMMAND") {
		t.Errorf("the worker without the program says\n%s", o.err)
	}
	start(t, "sandtable", "dataset", "verify", dir).succeed()
	if d := info(t, dir); d.Summary.Episodes != 20 || len(d.Summary.Forfeits) != 0 {
		t.Errorf("%+v", d.Summary)
	}
}

func TestTheExampleInJavaScriptPlaysByNumbers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "match")
	r := matchReport(t, "trench/standard", "exec:js,time=5s", "random", "--pairs", "4", "--exec", "js=node ../../selfplay/external/example/agent.js", "--out", dir)
	if len(r.Forfeits) != 0 {
		t.Errorf("forfeits %+v", r.Forfeits)
	}
	start(t, "sandtable", "dataset", "verify", dir).succeed()
}
