package render_test

import (
	"path/filepath"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/render"
)

// TestBoardsOfTheGames draws the start and a middle game of every game, the
// latter with the marks of its last move, from both sides.
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
		last := middleGame(t, s)
		draw("middle", render.Options{Last: last})
		draw("middle-turned", render.Options{Last: last, View: env.Second, Width: 400})
	}
}

// middleGame plays random plies, every third a capture or shot if there is one,
// until one takes something after the twentieth, and returns its events.
func middleGame(t *testing.T, s env.State) []env.Event {
	t.Helper()
	r := env.NewRand(3)
	for ply := 1; ; ply++ {
		choice := s.Legal(nil)
		if captures := s.(env.Noisy).Noisy(nil); len(captures) > 0 && ply%3 == 0 {
			choice = captures
		}
		if len(choice) == 0 {
			t.Fatalf("the game ended at ply %d", ply)
		}
		events := s.(env.Tracer).Trace(choice[r.IntN(len(choice))], nil)
		for _, e := range events {
			if (e.Kind == env.Captured || e.Kind == env.Destroyed) && ply > 20 && s.Player() != env.NoPlayer {
				return events
			}
		}
	}
}
