// Package judge tests agents against an endgame table of N'txuva: it counts how often an
// agent blunders in positions with known values.
package judge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase"
)

// A Verdict is the result of an agent. A blunder is an action after which the result under
// perfect play is worse than that of the position; a slower win is not a blunder.
type Verdict struct {
	Agent    string         `json:"agent"`
	Blunders stats.Interval `json:"blunders"` // share of the positions
}

// Options are the options of Agent.
type Options struct {
	// Positions is the number of random positions of the table, drawn uniformly among
	// those that are won or drawn and have an action with a worse result.
	Positions int
	Seed      uint64
	Workers   int    // number of goroutines; does not affect the result
	Judged    func() // unless nil, called by any goroutine after each position
}

// Validate checks the options.
func (o *Options) Validate() error {
	if o.Positions < 1 {
		return fmt.Errorf("positions is %d, must be 1 or more", o.Positions)
	}
	return nil
}

// Streams of random numbers under a position's seed, Derive(seed, its number).
const (
	positionStream = 1
	agentStream    = 2
)

// Agent judges an agent for the table's game.
func Agent(ctx context.Context, table *tablebase.Table, spec agent.Spec, o Options) (Verdict, error) {
	if err := o.Validate(); err != nil {
		return Verdict{}, err
	}
	group, ctx := errgroup.WithContext(ctx)
	var next, blunders atomic.Int64
	for range max(1, o.Workers) {
		group.Go(func() (err error) {
			j, err := newJudge(table, spec)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, j.close()) }()
			for i := next.Add(1) - 1; i < int64(o.Positions); i = next.Add(1) - 1 {
				if err := ctx.Err(); err != nil {
					return err
				}
				blunder, err := j.position(env.Derive(o.Seed, uint64(i)))
				if err != nil {
					return err
				}
				if blunder {
					blunders.Add(1)
				}
				if o.Judged != nil {
					o.Judged()
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return Verdict{}, err
	}
	return Verdict{Agent: spec.String(), Blunders: stats.Wilson(blunders.Load(), int64(o.Positions), 0.95)}, nil
}

// judge gives positions to an agent. It belongs to one goroutine.
type judge struct {
	table *tablebase.Table
	probe *tablebase.Prober
	agent agent.Agent
	state env.State
	legal []env.Action
	found dataset.Search
}

func newJudge(table *tablebase.Table, spec agent.Spec) (*judge, error) {
	game := table.Variant().Game
	agent, err := spec.New(game)
	if err != nil {
		return nil, err
	}
	return &judge{table: table, probe: table.Prober(), agent: agent, state: env.NewState(game), legal: game.Spec().NewActions()}, nil
}

func (j *judge) close() error {
	if c, ok := j.agent.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// position gives the position of a seed to the agent and reports whether the agent
// blunders. Giving up is a blunder.
func (j *judge) position(seed uint64) (blunder bool, err error) {
	value, err := j.draw(env.NewRand(env.Derive(seed, positionStream)))
	if err != nil {
		return false, err
	}
	j.agent.Begin(env.Derive(seed, agentStream))
	if w, ok := j.agent.(agent.Watcher); ok {
		if err := w.Watch(j.state); err != nil {
			return false, err
		}
	}
	j.found = dataset.Search{Visits: j.found.Visits[:0]}
	choice := j.agent.Choose(j.state, j.legal, &j.found)
	if choice == env.NoAction {
		return true, nil
	}
	after, err := j.after(choice)
	return after.Result < value.Result, err
}

// draw sets the state to a random position in which a blunder is possible.
func (j *judge) draw(r *env.Rand) (tablebase.Value, error) {
	const attempts = 100_000
	for range attempts {
		value, err := j.table.Random(r, j.state)
		if err != nil {
			return value, err
		}
		if value.Result < 0 {
			continue
		}
		j.legal = j.state.Legal(j.legal[:0])
		for _, a := range j.legal {
			after, err := j.after(a)
			if err != nil || after.Result < value.Result {
				return value, err
			}
		}
	}
	return tablebase.Value{}, errors.New("endgame table has no positions in which a blunder is possible")
}

func (j *judge) after(a env.Action) (tablebase.Value, error) {
	v, ok := j.probe.After(j.state, a)
	if !ok {
		return v, fmt.Errorf("endgame table does not contain the position after %s in %s", env.ActionText(j.state, a), env.PositionText(j.state))
	}
	return v, nil
}
