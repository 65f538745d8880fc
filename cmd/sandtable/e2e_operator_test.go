//go:build e2e

package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

// ask runs a command that reads JSON from a server.
func ask[T any](t *testing.T, url string, args ...string) (answer T) {
	t.Helper()
	out := start(t, "sandtable", append(args, "--nats", url, "--json")...).succeed()
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return answer
}

// order gives an order and wants its confirmation.
func order(t *testing.T, url, want string, args ...string) {
	t.Helper()
	out := start(t, "sandtable", append(args, "--nats", url)...).succeed()
	if !strings.Contains(out, want) {
		t.Errorf("%v prints %q, must be %q", args, out, want)
	}
}

func TestOperatorsSeeAndControlARun(t *testing.T) {
	_, url := natsServer(t, freeAddress(t), t.TempDir())
	dir := filepath.Join(t.TempDir(), "data")
	if out := start(t, "sandtable", "runs", "--nats", url).succeed(); out != "The server has no runs.\n" {
		t.Errorf("without runs it prints %q", out)
	}
	coordinate := append([]string{"coordinator", "--nats", url}, runArgs("--episodes", "4000000")...)
	coordinator := start(t, "sandtable", coordinate...)
	listed := func() []runJSON { return ask[struct{ Runs []runJSON }](t, url, "runs").Runs }
	var run runJSON
	until(t, "the run is listed without a collector", func() bool {
		if runs := listed(); len(runs) == 1 {
			run = runs[0]
		}
		return run.State == runNoCollector
	})
	if run.Variant != "trench/standard" || run.Planned != 4_000_000 || run.Agents != [2]string{"greedy", "random"} {
		t.Errorf("the run is %+v", run)
	}
	collect := []string{"collector", "--nats", url, "--run", run.Run, "--out", dir}
	collector := start(t, "sandtable", collect...)
	id := run.Run[:6]
	state := func() runJSON { return ask[runJSON](t, url, "run", "status", id) }
	until(t, "the run lacks a worker", func() bool { return state().State == runNoWorker })

	worker := start(t, "sandtable", "worker", "--nats", url, "--workers", "2", "--name", "first", "--memory", "1GiB")
	until(t, "games arrive", func() bool {
		r := state()
		return r.State == runPlaying && r.Episodes > 0 && r.Speed > 0 && r.ETA != nil && r.Workers == 2
	})
	fleet := ask[struct{ Workers []queue.WorkerState }](t, url, "workers").Workers
	if len(fleet) != 1 || fleet[0].Name != "first" || fleet[0].Workers != 2 || fleet[0].Memory != 1<<30 || fleet[0].Cores == 0 || fleet[0].Version == "" {
		t.Errorf("the workers are %+v", fleet)
	}
	for _, args := range [][]string{{"runs"}, {"run", "status", id}, {"workers"}} {
		if out := start(t, "sandtable", append(args, "--nats", url)...).succeed(); !strings.Contains(out, "playing") {
			t.Errorf("%v prints\n%s", args, out)
		}
	}

	lost := start(t, "sandtable", "worker", "--nats", url, "--workers", "2", "--name", "lost")
	until(t, "a second process plays", func() bool { return state().Processes == 2 })
	lost.signal(syscall.SIGKILL)
	until(t, "the lost worker is noticed", func() bool {
		return slices.ContainsFunc(state().Notes, func(note string) bool { return strings.Contains(note, " of lost, which last reported ") })
	})

	order(t, url, "is played by at most 1 worker at a time", "run", "scale", id, "1")
	until(t, "one worker plays", func() bool { r := state(); return r.Limit == 1 && r.Workers == 1 })
	order(t, url, "is paused", "run", "pause", id)
	until(t, "nothing is queued", func() bool { r := state(); return r.State == runPaused && r.Held+r.Waiting == 0 })
	order(t, url, "was paused already", "run", "pause", id)
	episodes := state().Episodes
	order(t, url, "continues", "run", "resume", id)
	until(t, "more games arrive", func() bool { return state().Episodes > episodes })

	if o := start(t, "sandtable", "run", "forget", id, "--nats", url).wait(); o.code != exitUsage || !strings.Contains(o.err, "cancel it first") {
		t.Errorf("forgetting a run in use: code %d, %s", o.code, o.err)
	}
	order(t, url, "is cancelled", "run", "cancel", id)
	for _, role := range []*process{coordinator, collector} {
		if o := role.wait(); o.code != exitFailed || !strings.Contains(o.err, "the run was cancelled") {
			t.Errorf("%v ends with code %d\n%s", role.cmd.Args, o.code, o.err)
		}
	}
	for role, lines := range map[*process][]string{
		coordinator: {"the role begins", "of lost, which last reported", "the run is not complete", "the role ends"},
		collector:   {"the role begins", "the run is not complete", "the role ends"},
	} {
		for _, line := range lines {
			if !strings.Contains(role.err.String(), line) {
				t.Errorf("the log of %s lacks %q:\n%s", role.cmd.Args[1], line, role.err.String())
			}
		}
	}
	start(t, "sandtable", "dataset", "verify", dir).succeed()
	until(t, "the run may be forgotten", func() bool {
		o := start(t, "sandtable", "run", "forget", id, "--nats", url).wait()
		return o.code == exitDone && strings.Contains(o.out, "is forgotten")
	})
	if runs := listed(); len(runs) != 0 {
		t.Errorf("forgotten, the run is still listed: %+v", runs)
	}
	if o := start(t, "sandtable", "run", "status", id, "--nats", url).wait(); o.code != exitUsage || !strings.Contains(o.err, "is unknown to the server") {
		t.Errorf("code %d, %s", o.code, o.err)
	}
	worker.signal(syscall.SIGTERM)
	if o := worker.wait(); o.code != exitDone || !strings.Contains(o.err, "msg=played worker=first runs=1") {
		t.Errorf("the worker ends with code %d\n%s", o.code, o.err)
	}
}

func TestTopInATerminal(t *testing.T) {
	_, url := natsServer(t, freeAddress(t), t.TempDir())
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("script"); err != nil {
		t.Fatalf("script makes the terminal: %v", err)
	}
	command := fmt.Sprintf("stty rows 24 cols 80; %s top --nats %s --every 100ms; echo ended with $?", path, url)
	cmd := exec.Command("script", "--quiet", "--command", command, "/dev/null")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	var seen strings.Builder
	read := func(want string) {
		t.Helper()
		buffer := make([]byte, 4096)
		for !strings.Contains(seen.String(), want) {
			n, err := out.Read(buffer)
			seen.Write(buffer[:n])
			if err != nil {
				t.Fatalf("the terminal shows no %q:\n%q", want, seen.String())
			}
		}
	}
	read("0 runs, 0 processes")
	if _, err := in.Write([]byte("q")); err != nil {
		t.Fatal(err)
	}
	read("ended with 0")
	for _, sequence := range []string{"\x1b[?1049h", "\x1b[?1049l"} {
		if !strings.Contains(seen.String(), sequence) {
			t.Errorf("top does not use a screen of its own: %q", seen.String())
		}
	}
}
