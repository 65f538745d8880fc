package main

import (
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/vec"
	"github.com/sandtable-farm/sandtable/selfplay"
)

const pliesPerCall = 4096

// playout plays random games. Padding keeps the playouts of two goroutines on different
// cache lines.
type playout struct {
	state env.State
	legal []env.Action
	rand  env.Rand
	plies int
	_     [cacheLine]byte
}

const cacheLine = 64

func playoutLoop(game env.Game, goroutine int) benchLoop {
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
func copyLoop(game env.Game, goroutine int) benchLoop {
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

func selfPlayLoop(plan *selfplay.Plan, goroutine int) (benchLoop, error) {
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

// slotsPerCore is the size of the batches measured.
const slotsPerCore = 1024

// batchLoop steps one batch on all the given cores, with random legal actions.
func batchLoop(game env.Game, outputs vec.Outputs) func(cores int) ([]benchLoop, error) {
	return func(cores int) ([]benchLoop, error) {
		n := slotsPerCore * cores
		v, err := vec.New(game, n, vec.Options{Outputs: outputs, Autoreset: vec.SameStep, Goroutines: cores})
		if err != nil {
			return nil, err
		}
		if err := v.Reset(0); err != nil {
			return nil, err
		}
		actions := make([]env.Action, n)
		return []benchLoop{func() (plies, games int64, err error) {
			for plies < pliesPerCall {
				if err := v.SampleActions(actions); err != nil {
					return 0, 0, err
				}
				if err := v.Step(actions); err != nil {
					return 0, 0, err
				}
				plies += int64(n)
				for i, over := range v.Terminated {
					if over || v.Truncated[i] {
						games++
					}
				}
			}
			return plies, games, nil
		}}, nil
	}
}

// expandLoop makes all children of the positions of a random game.
func expandLoop(game env.Game, goroutine int) benchLoop {
	states := game.NewStates(2)
	parent, child := states[0], states[1]
	legal, replies := game.Spec().NewActions(), game.Spec().NewActions()
	r := env.NewRand(uint64(goroutine))
	return func() (children, games int64, err error) {
		for children < pliesPerCall {
			legal = parent.Legal(legal[:0])
			if len(legal) == 0 {
				games++
				parent.Reset()
				continue
			}
			for _, a := range legal {
				child.CopyFrom(parent)
				child.Apply(a)
				replies = child.Legal(replies[:0])
			}
			children += int64(len(legal))
			parent.Apply(legal[r.IntN(len(legal))])
		}
		return children, games, nil
	}
}
