package replay

import (
	"fmt"
	"iter"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

// A Replayer plays the episodes of one run again, one after the other, in memory
// that it reuses. It belongs to one goroutine.
type Replayer struct {
	settings *dataset.Settings
	game     env.Game
	state    env.State
	legal    []env.Action // of state, before each ply
}

// New makes a replayer for episodes of the given settings. It refuses rules that
// this program would play otherwise.
func New(settings *dataset.Settings) (*Replayer, error) {
	v, err := games.FromRules(settings.Rules, settings.Digest)
	if err != nil {
		return nil, err
	}
	return &Replayer{
		settings: settings, game: v.Game, state: env.NewState(v.Game),
		legal: v.Game.Spec().NewActions(),
	}, nil
}

// Positions yields the positions of an episode from the first to the final one:
// one more than it has plies. The state is the replayer's, which plays on in it;
// the caller must not change it. A start or an action that the rules do not know
// ends the sequence with a *dataset.Fault that names no file.
func (r *Replayer) Positions(ep *dataset.Episode) iter.Seq2[env.State, error] {
	return func(yield func(env.State, error) bool) {
		if err := r.state.SetPosition(ep.Start); err != nil {
			yield(nil, &dataset.Fault{Episode: ep.Number, Ply: dataset.None, What: "start", Found: fmt.Sprintf("%q: %v", ep.Start, err)})
			return
		}
		for ply := range ep.Steps {
			r.legal = r.state.Legal(r.legal[:0])
			if !yield(r.state, nil) {
				return
			}
			action := ep.Steps[ply].Action
			if _, legal := slices.BinarySearch(r.legal, action); !legal {
				yield(nil, &dataset.Fault{Episode: ep.Number, Ply: ply, What: "action", Found: fmt.Sprint(action),
					Want: fmt.Sprintf("one of the %d legal ones", len(r.legal))})
				return
			}
			r.state.Apply(action)
		}
		yield(r.state, nil)
	}
}
