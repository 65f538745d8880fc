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

func killedSettings() (dataset.Settings, error) {
	return newSettings("trench/standard", "random", 2000, 20)
}

// farmProcess writes a byte to standard output for every hundred episodes that
// it plays, so that its parent can kill it in mid-run.
func farmProcess(dir string) error {
	s, err := killedSettings()
	if err != nil {
		return err
	}
	cfg := newFarm(dir, s)
	cfg.Tuning.ShardPlies = 50_000
	cfg.Meter = &tally{onEpisode: func(n int) {
		if n%100 == 0 {
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
	run := func(hundreds int) error { // kills the farm after so many hundred episodes
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
		if _, err := io.ReadFull(out, make([]byte, hundreds)); err == nil {
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
		err := run(1 + rand.IntN(2000/100/kills))
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Exited() {
			t.Fatalf("the farm was not killed: %v", err)
		}
	}
	if err := run(1 << 20); err != nil {
		t.Fatal(err)
	}
	wantDataSet(t, dir, s, 2000)
}
