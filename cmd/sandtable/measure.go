package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// benchMode is one thing to measure. start makes the loop of one goroutine,
// which does some thousand plies a call and returns the plies and games done.
type benchMode struct {
	name  string
	start func(goroutine int) (loop func() (plies, games int64, err error), err error)
}

func benchModes(v *variant.Variant, agent string) ([]benchMode, error) {
	modes := []benchMode{
		{"playout", func(goroutine int) (func() (int64, int64, error), error) { return playoutLoop(v.Game, goroutine), nil }},
		{"copy", func(goroutine int) (func() (int64, int64, error), error) { return copyLoop(v.Game, goroutine), nil }},
	}
	if agent == "" {
		return modes, nil
	}
	spec, err := selfplay.ParseAgent(agent)
	if err != nil {
		return nil, usage(err)
	}
	plan := &selfplay.Plan{Variant: v, Agents: [2]selfplay.AgentSpec{spec, spec}, MaxPlies: selfplay.DefaultMaxPlies}
	return append(modes, benchMode{spec.String(), func(goroutine int) (func() (int64, int64, error), error) {
		return selfPlayLoop(plan, goroutine)
	}}), nil
}

const pliesPerCall = 4096

// playout plays random games. It fills whole cache lines, so that goroutines
// do not slow each other down by writing side by side.
type playout struct {
	state env.State
	legal []env.Action
	rand  env.Rand
	plies int
	_     [cacheLine]byte
}

const cacheLine = 64

func playoutLoop(game env.Game, goroutine int) func() (int64, int64, error) {
	p := &playout{state: env.NewState(game), legal: game.Spec().NewActions()}
	p.rand.Seed(uint64(goroutine))
	return p.play
}

func (p *playout) play() (plies, games int64, err error) {
	for range pliesPerCall {
		p.legal = p.state.Legal(p.legal[:0])
		if len(p.legal) == 0 || p.plies == selfplay.DefaultMaxPlies {
			games++
			p.plies = 0
			p.state.Reset()
			p.legal = p.state.Legal(p.legal[:0])
		}
		p.state.Apply(p.legal[p.rand.IntN(len(p.legal))])
		p.plies++
	}
	return pliesPerCall, games, nil
}

// copyLoop copies positions from the middle of a random game.
func copyLoop(game env.Game, goroutine int) func() (int64, int64, error) {
	const positions = 16
	states := game.NewStates(positions + 1)
	r := env.NewRand(uint64(goroutine))
	for i, s := range states[:positions] {
		for range i {
			if legal := s.Legal(nil); len(legal) > 0 {
				s.Apply(legal[r.IntN(len(legal))])
			}
		}
	}
	target := states[positions]
	return func() (int64, int64, error) {
		for i := range pliesPerCall {
			target.CopyFrom(states[i%positions])
		}
		return pliesPerCall, 0, nil
	}
}

func selfPlayLoop(plan *selfplay.Plan, goroutine int) (func() (int64, int64, error), error) {
	player, err := selfplay.NewPlayer(plan)
	if err != nil {
		return nil, err
	}
	var ep dataset.Episode
	number := int64(goroutine) << 32
	return func() (int64, int64, error) {
		plies, games := int64(0), int64(0)
		for plies < pliesPerCall {
			if err := player.Play(number, &ep); err != nil {
				return 0, 0, err
			}
			number++
			games++
			plies += int64(ep.Plies())
		}
		return plies, games, nil
	}, nil
}

// measure fills the rates of a row. Every goroutine counts its own rate over
// its own time, and the rates add up.
func (row *benchRow) measure(ctx context.Context, mode benchMode, goroutines, rounds int, round time.Duration) error {
	loops := make([]func() (int64, int64, error), goroutines)
	var starting errgroup.Group
	for g := range loops {
		starting.Go(func() (err error) {
			loops[g], err = mode.start(g)
			return err
		})
	}
	if err := starting.Wait(); err != nil {
		return err
	}
	var plyRates, gameRates []float64
	for n := range rounds + 1 {
		plies, games := make([]float64, goroutines), make([]float64, goroutines)
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

// cpuName returns the processor's name where the system tells it.
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

// version returns the module version or revision of this binary.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" {
		return v
	}
	return "(devel)"
}
