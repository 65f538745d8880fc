package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/env/vec"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// A benchLoop plays some thousand plies per call and returns the plies and games played.
type benchLoop func() (plies, games int64, err error)

// benchMode is one kind of measurement. start returns the loops that run in parallel to
// keep the given number of cores busy.
type benchMode struct {
	name  string
	start func(cores int) ([]benchLoop, error)
}

func benchModes(v *variant.Variant, agentText string) ([]benchMode, error) {
	modes := []benchMode{
		{"playout", oneEach(func(goroutine int) (benchLoop, error) { return playoutLoop(v.Game, goroutine), nil })},
		{"batch", batchLoop(v.Game, 0)},
		{"batch-bits", batchLoop(v.Game, vec.OutBits|vec.OutMask|vec.OutList|vec.OutReward)},
		{"copy", oneEach(func(goroutine int) (benchLoop, error) { return copyLoop(v.Game, goroutine), nil })},
		{"expand", oneEach(func(goroutine int) (benchLoop, error) { return expandLoop(v.Game, goroutine), nil })},
	}
	if agentText == "" {
		return modes, nil
	}
	spec, err := parseLocalAgent(agentText, v, nil)
	if err != nil {
		return nil, usage(err)
	}
	if spec.Program() != "" {
		return nil, usage(fmt.Errorf("agent %s is an external program; bench measures only built-in agents", spec))
	}
	plan, err := selfplay.NewPlan(selfplay.Config{Variant: v, Agents: [2]agent.Spec{spec, spec}, MaxPlies: selfplay.DefaultMaxPlies})
	if err != nil {
		return nil, err
	}
	return append(modes, benchMode{spec.String(), oneEach(func(goroutine int) (benchLoop, error) {
		return selfPlayLoop(plan, goroutine)
	})}), nil
}

// oneEach returns a start function that makes one loop for each core. A separate goroutine
// makes each loop, so that two loops do not share cache lines.
func oneEach(newLoop func(goroutine int) (benchLoop, error)) func(cores int) ([]benchLoop, error) {
	return func(cores int) ([]benchLoop, error) {
		loops := make([]benchLoop, cores)
		var starting errgroup.Group
		for g := range loops {
			starting.Go(func() (err error) {
				loops[g], err = newLoop(g)
				return err
			})
		}
		return loops, starting.Wait()
	}
}

// measure sets the rates of a row: the sums of the rates of all loops, each measured over
// the loop's own time.
func (row *benchRow) measure(ctx context.Context, mode benchMode, cores, rounds int, round time.Duration) error {
	loops, err := mode.start(cores)
	if err != nil {
		return err
	}
	var plyRates, gameRates []float64
	for n := range rounds + 1 {
		plies, games := make([]float64, len(loops)), make([]float64, len(loops))
		group, ctx := errgroup.WithContext(ctx)
		for g, loop := range loops {
			group.Go(func() error {
				var totalPlies, totalGames int64
				begun := time.Now()
				for time.Since(begun) < round {
					if err := ctx.Err(); err != nil {
						return err
					}
					p, q, err := loop()
					if err != nil {
						return err
					}
					totalPlies, totalGames = totalPlies+p, totalGames+q
				}
				seconds := time.Since(begun).Seconds()
				plies[g], games[g] = float64(totalPlies)/seconds, float64(totalGames)/seconds
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
		if n == 0 {
			continue // warm-up
		}
		plyRates = append(plyRates, sum(plies))
		gameRates = append(gameRates, sum(games))
	}
	row.PliesPerSecond, row.GamesPerSecond = medianOf(plyRates), medianOf(gameRates)
	return nil
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

// cpuName returns the name of the processor, or its architecture if the system does not
// report the name.
func cpuName() string {
	if data, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(data)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	return runtime.GOARCH
}
