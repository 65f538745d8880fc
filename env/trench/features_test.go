package trench_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
)

func TestFeaturesAreOwnMinusEnemy(t *testing.T) {
	s := position(t, "trench/standard", "7g/8/8/3G4/3p1P2/8/8/8 w 3-5 0 0")
	spec := load(t, "trench/standard").Game.Spec()
	got := make([]int32, len(spec.Features))
	s.(env.Features).Features(got, env.First)
	for name, want := range map[string]int32{"captured points": -2, "turn": -1} {
		if got := got[slices.Index(spec.Features, name)]; got != want {
			t.Errorf("%s is %d, want %d", name, got, want)
		}
	}
}

// Both sides' moves are listed, one of them with the turn passed to it.
func TestMobilityAndAttackedPointsAreThoseOfBothSidesMoves(t *testing.T) {
	g := load(t, "trench/standard").Game
	features := make([]int32, len(g.Spec().Features))
	s, other, rand := env.NewState(g), env.NewState(g), env.NewRand(3)
	for range 500 {
		legal := s.Legal(nil)
		if len(legal) == 0 {
			s.Reset()
			continue
		}
		text := env.PositionText(s)
		if err := other.SetPosition(strings.NewReplacer(" w ", " b ", " b ", " w ").Replace(text)); err != nil {
			t.Fatal(err)
		}
		s.(env.Features).Features(features, s.Player())
		for name, want := range map[string]int{"mobility": len(legal) - len(other.Legal(nil)), "attacked points": attackedPoints(g, s) - attackedPoints(g, other)} {
			if got := features[slices.Index(g.Spec().Features, name)]; other.Player() != env.NoPlayer && int(got) != want {
				t.Fatalf("%s: %s is %d, want %d", text, name, got, want)
			}
		}
		s.Apply(legal[rand.IntN(len(legal))])
	}
}

// attackedPoints adds up the points of the pieces that some action captures.
func attackedPoints(g env.Game, s env.State) (points int) {
	next, victims := env.NewState(g), map[int16]bool{}
	for _, a := range s.(env.Noisy).Noisy(nil) {
		next.CopyFrom(s)
		for _, e := range next.(env.Tracer).Trace(a, nil) {
			if e.Kind == env.Captured && !victims[e.VictimID] {
				victims[e.VictimID] = true
				points += int(e.Count)
			}
		}
	}
	return points
}
