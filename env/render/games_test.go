package render_test

import (
	"path/filepath"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/render"
)

// TestBoardsOfTheGames draws the start and a middle game of every game, the middle
// game with the marks of its last ply and from both sides.
func TestBoardsOfTheGames(t *testing.T) {
	for _, engine := range games.Engines() {
		v, err := games.Lookup(engine.PresetNames()[0])
		if err != nil {
			t.Fatal(err)
		}
		s := env.NewState(v.Game)
		draw := func(name string, o render.Options) {
			file := filepath.Join("testdata", engine.Name+"-"+name)
			envtest.Golden(t, file+".svg", svg(t, s, o))
			envtest.Golden(t, file+".txt", []byte(render.Text(s, o.Last...)))
		}
		draw("start", render.Options{})
		last := middleGame(s, env.NewState(v.Game))
		draw("middle", render.Options{Last: last})
		draw("middle-turned", render.Options{Last: last, View: env.Second, Width: 400})
	}
}

// middleGame plays random plies, every third of them a capture or shot if there is
// one. It stops at the first capture after ply 20, or before the end of the game, and
// returns the events of the last ply.
func middleGame(s env.State, next env.State) (last []env.Event) {
	r := env.NewRand(3)
	for ply := 1; ; ply++ {
		choice := s.Legal(nil)
		if noisy, ok := s.(env.Noisy); ok && ply%3 == 0 {
			if captures := noisy.Noisy(nil); len(captures) > 0 {
				choice = captures
			}
		}
		next.CopyFrom(s)
		events := trace(next, choice[r.IntN(len(choice))])
		if next.Player() == env.NoPlayer {
			return last
		}
		s.CopyFrom(next)
		last = events
		for _, e := range events {
			if (e.Kind == env.Captured || e.Kind == env.Destroyed) && ply > 20 {
				return last
			}
		}
	}
}

// trace plays an action and returns its events, if the game has env.Tracer.
func trace(s env.State, a env.Action) []env.Event {
	if tracer, ok := s.(env.Tracer); ok {
		return tracer.Trace(a, nil)
	}
	s.Apply(a)
	return nil
}
