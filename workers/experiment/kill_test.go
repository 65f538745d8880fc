package experiment_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/record"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/experiment"
	"github.com/sandtable-farm/sandtable/workers/natsq"
)

// experimentFolder is the variable that makes this test binary an experiment in a folder.
const experimentFolder = "SANDTABLE_TEST_EXPERIMENT"

func TestMain(m *testing.M) {
	if dir := os.Getenv(experimentFolder); dir != "" {
		if err := experimentProcess(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// killed returns two arms and what is recorded after them.
func killed(dir string) ([]experiment.Arm, record.Recording, error) {
	v, err := games.Lookup("ntxuva/4")
	if err != nil {
		return nil, record.Recording{}, err
	}
	var plans []*selfplay.Plan
	for seed := range uint64(3) {
		greedy, err := agent.Parse("greedy", v, nil)
		if err != nil {
			return nil, record.Recording{}, err
		}
		plan, err := selfplay.NewPlan(selfplay.Config{
			Variant: v, Agents: [2]agent.Spec{greedy, greedy}, Opening: selfplay.Opening{Plies: 6}, MaxPlies: 300, Seed: seed,
		})
		if err != nil {
			return nil, record.Recording{}, err
		}
		plans = append(plans, plan)
	}
	arms := []experiment.Arm{
		{Dir: filepath.Join(dir, "a"), Plan: plans[0], Episodes: 3000},
		{Dir: filepath.Join(dir, "b"), Plan: plans[1], Episodes: 5000},
	}
	return arms, record.Recording{Dir: filepath.Join(dir, "c"), Plan: plans[2], Episodes: 500}, nil
}

// experimentProcess writes a byte to standard output now and then, so that its parent
// can kill it at any time.
func experimentProcess(dir string) error {
	arms, recording, err := killed(dir)
	if err != nil {
		return err
	}
	cfg := workers.Config{
		Open:    natsq.Embedded(natsq.ServerOptions{Dir: filepath.Join(dir, "nats")}, natsq.Options{}),
		Workers: 2,
		Tuning:  quick(),
	}
	cfg.Tuning.ShardPlies = 20_000
	farm := workers.New(cfg)
	tell := func() { fmt.Print(".") }
	if err := experiment.Play(context.Background(), farm, arms, func(workers.Status) { tell() }); err != nil {
		return err
	}
	recording.Each = func(ep *dataset.Episode) bool {
		if ep.Number%50 == 0 {
			tell()
		}
		return true
	}
	return errors.Join(farm.Record(context.Background(), recording), farm.Close())
}

func TestKillingAnExperimentLosesAndDoublesNothing(t *testing.T) {
	dir, rand := t.TempDir(), env.NewRand(5)
	run := func(bytes int) error { // kills the experiment after so many bytes
		process := exec.Command(os.Args[0])
		process.Env = append(os.Environ(), experimentFolder+"="+dir)
		process.Stderr = os.Stderr
		out, err := process.StdoutPipe()
		if err != nil {
			return err
		}
		if err := process.Start(); err != nil {
			return err
		}
		if _, err := io.ReadFull(out, make([]byte, bytes)); err == nil {
			if err := process.Process.Kill(); err != nil {
				return err
			}
		}
		if _, err := io.Copy(io.Discard, out); err != nil {
			return err
		}
		return process.Wait()
	}
	kills := 0
	for range 6 {
		err := run(1 + rand.IntN(15))
		if err == nil {
			break // it was done before
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Exited() {
			t.Fatalf("the experiment was not killed: %v", err)
		}
		kills++
	}
	if kills < 2 {
		t.Fatalf("the experiment was killed %d times", kills)
	}
	if err := run(1 << 20); err != nil {
		t.Fatal(err)
	}
	arms, r, err := killed(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, arm := range arms {
		wantArm(t, arm)
	}
	settings := record.Settings(r.Plan)
	if n := wantFirst(t, r.Dir, r.Plan, &settings); n != r.Episodes {
		t.Errorf("%d of %d episodes are recorded", n, r.Episodes)
	}
	if _, err := os.Stat(filepath.Join(dir, "nats")); !os.IsNotExist(err) {
		t.Errorf("the store of the queue is still there: %v", err)
	}
}
