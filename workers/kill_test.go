package workers_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/external/externaltest"
)

// farmFolder is the variable that makes this test binary a farm on a folder.
const farmFolder = "SANDTABLE_TEST_FARM"

func TestMain(m *testing.M) {
	if externaltest.Main() {
		return
	}
	if dir := os.Getenv(farmFolder); dir != "" {
		if err := farmProcess(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const killedEpisodes, killedStep = 600, 30

func killedSettings() (dataset.Settings, error) {
	return newSettings("trench/standard", "random", killedEpisodes, 6)
}

// farmProcess writes a byte to standard output for every killedStep episodes that it
// plays, so that its parent can kill it in mid-run.
func farmProcess(dir string) error {
	s, err := killedSettings()
	if err != nil {
		return err
	}
	cfg := newFarm(dir, s)
	cfg.Tuning.ShardPlies = 15_000
	cfg.Meter = &tally{onEpisode: func(n int) {
		if n%killedStep == 0 {
			fmt.Print(".")
		}
	}}
	_, err = cfg.play(context.Background())
	return err
}

func TestKillingTheWholeFarmLosesAndDoublesNothing(t *testing.T) {
	s, err := killedSettings()
	if err != nil {
		t.Fatal(err)
	}
	dir, rand := t.TempDir(), env.NewRand(3)
	run := func(steps int) error { // kills the farm after a number of steps
		farm := exec.Command(os.Args[0])
		farm.Env = append(os.Environ(), farmFolder+"="+dir)
		farm.Stderr = os.Stderr
		out, err := farm.StdoutPipe()
		if err != nil {
			return err
		}
		if err := farm.Start(); err != nil {
			return err
		}
		if _, err := io.ReadFull(out, make([]byte, steps)); err == nil {
			err = farm.Process.Kill()
			if err != nil {
				return err
			}
		}
		if _, err := io.Copy(io.Discard, out); err != nil {
			return err
		}
		return farm.Wait()
	}
	const kills = 5
	for range kills {
		err := run(1 + rand.IntN(killedEpisodes/killedStep/kills))
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Exited() {
			t.Fatalf("the farm was not killed: %v", err)
		}
	}
	if err := run(1 << 20); err != nil {
		t.Fatal(err)
	}
	wantDataSet(t, dir, s, killedEpisodes)
}
