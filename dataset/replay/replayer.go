package replay

import (
	"fmt"
	"iter"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

// A Replayer replays the episodes of one run, one after the other, and reuses its memory.
// It must not be used by several goroutines at once.
type Replayer struct {
	settings *dataset.Settings
	game     env.Game
	state    env.State
	legal    []env.Action // in state, before each ply
	events   []env.Event  // of the last ply, for Moments
}

// New returns a replayer for episodes with the given settings. It fails if the program
// does not know the rules, or plays them differently.
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

// Game returns the game of the settings.
func (r *Replayer) Game() env.Game { return r.game }

// Positions yields the positions of an episode from the first to the final one: one more
// than the episode has plies. The state belongs to the replayer, is valid until the next
// one, and must not be changed. An invalid start or an illegal action ends the sequence
// with a *dataset.Fault without a file.
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

// Legal returns the legal actions of the position that Positions yielded last, in ascending
// order. It is empty in the final position, even of a game that was truncated. The slice is
// valid until the next position.
func (r *Replayer) Legal() []env.Action { return r.legal }

// A Moment is a position of an episode with the events that led to it. It belongs to the
// replayer, is valid until the next one, and must not be changed.
type Moment struct {
	State env.State
	// Legal are the legal actions. It is empty in the final position, even of a game that
	// was truncated.
	Legal []env.Action
	// Events are the events of the ply that led here. It is empty in the first position, and
	// in games whose states do not implement env.Tracer.
	Events []env.Event
}

// Moments yields the positions of an episode like Positions, with legal actions and events.
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

// play plays an episode with apply, and calls at in each position until at returns false.
// If the episode is faulty, it calls at with an error.
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
