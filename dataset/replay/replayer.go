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
	events   []env.Event  // of the last ply, where they are asked for
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

// Game returns the game that is played.
func (r *Replayer) Game() env.Game { return r.game }

// Positions yields the positions of an episode from the first to the final one:
// one more than it has plies. The state is the replayer's, which plays on in it;
// the caller must not change it. A start or an action that the rules do not know
// ends the sequence with a *dataset.Fault that names no file.
func (r *Replayer) Positions(ep *dataset.Episode) iter.Seq2[env.State, error] {
	return func(yield func(env.State, error) bool) {
		r.play(ep, r.state.Apply, func(err error) bool {
			if err != nil {
				return yield(nil, err)
			}
			return yield(r.state, nil)
		})
	}
}

// A Moment is a position of an episode and how it came about. All of it is the
// replayer's, which plays on in it; the caller must not change it.
type Moment struct {
	State env.State
	// Legal are the legal actions; none in the final position, whatever is legal there.
	Legal []env.Action
	// Events are those of the ply that led here; none in the first position, and
	// in games whose states are no env.Tracer.
	Events []env.Event
}

// Moments yields what Positions yields, with what happened.
func (r *Replayer) Moments(ep *dataset.Episode) iter.Seq2[*Moment, error] {
	return func(yield func(*Moment, error) bool) {
		m := &Moment{State: r.state}
		tracer, ok := r.state.(env.Tracer)
		apply := r.state.Apply
		r.events = r.events[:0]
		if ok {
			apply = func(a env.Action) { r.events = tracer.Trace(a, r.events[:0]) }
		}
		r.play(ep, apply, func(err error) bool {
			if err != nil {
				return yield(nil, err)
			}
			m.Legal, m.Events = r.legal, r.events
			return yield(m, nil)
		})
	}
}

// play plays an episode by apply and calls at in each position, until it returns
// false, or with what is wrong.
func (r *Replayer) play(ep *dataset.Episode, apply func(env.Action), at func(error) bool) {
	if err := r.state.SetPosition(ep.Start); err != nil {
		at(&dataset.Fault{Episode: ep.Number, Ply: dataset.None, What: "start", Found: fmt.Sprintf("%q: %v", ep.Start, err)})
		return
	}
	for ply := range ep.Steps {
		r.legal = r.state.Legal(r.legal[:0])
		if !at(nil) {
			return
		}
		action := ep.Steps[ply].Action
		if _, legal := slices.BinarySearch(r.legal, action); !legal {
			at(&dataset.Fault{Episode: ep.Number, Ply: ply, What: "action", Found: fmt.Sprint(action),
				Want: fmt.Sprintf("one of the %d legal ones", len(r.legal))})
			return
		}
		apply(action)
	}
	r.legal = r.legal[:0]
	at(nil)
}
