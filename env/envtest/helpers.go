package envtest

import (
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Load returns a variant of an engine.
func Load(t testing.TB, e variant.Engine, text string) *variant.Variant {
	t.Helper()
	v, err := variant.Load([]variant.Engine{e}, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// At returns a state of a game in the position of a text.
func At(t testing.TB, g env.Game, position string) env.State {
	t.Helper()
	s := env.NewState(g)
	if err := s.SetPosition(position); err != nil {
		t.Fatal(err)
	}
	return s
}

// Play plays moves by their texts.
func Play(t testing.TB, s env.State, moves ...string) {
	t.Helper()
	for _, move := range moves {
		a, err := s.ParseAction(move)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(a)
	}
}

// MoveTexts returns the texts of the legal moves, sorted.
func MoveTexts(s env.State) []string {
	texts := []string{}
	for _, a := range s.Legal(nil) {
		texts = append(texts, env.ActionText(s, a))
	}
	slices.Sort(texts)
	return texts
}

// WantEnd demands that the game has ended with a result for a reason, or that it
// runs, for NoReason.
func WantEnd(t testing.TB, s env.State, result env.Result, reason env.Reason) {
	t.Helper()
	if r, why := s.Result(); r != result || why != reason {
		t.Errorf("%s: %d %v, want %d %v", env.PositionText(s), r, why, result, reason)
	}
	over := reason != env.NoReason
	if (s.Player() == env.NoPlayer) != over || (len(s.Legal(nil)) == 0) != over {
		t.Errorf("%s: player is %d with %d legal actions and reason %v", env.PositionText(s), s.Player(), len(s.Legal(nil)), reason)
	}
}

// WalkGames calls visit in every position of some random games.
func WalkGames(g env.Game, games int, visit func(s env.State)) {
	s := env.NewState(g)
	rand := env.NewRand(3)
	for range games {
		for s.Reset(); ; {
			visit(s)
			legal := s.Legal(nil)
			if len(legal) == 0 {
				break
			}
			s.Apply(legal[rand.IntN(len(legal))])
		}
	}
}

// AllocatesNothing demands that ply does not allocate, on average over the runs. Under
// the build tag invariants it only runs ply, because the checks allocate.
func AllocatesNothing(t testing.TB, runs int, ply func()) {
	t.Helper()
	if n := testing.AllocsPerRun(runs, ply); n != 0 && !engine.Invariants {
		t.Errorf("%v allocations in a run", n)
	}
}
