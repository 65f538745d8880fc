//go:build long

package search_test

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// prover finds forced wins by brute force.
type prover struct {
	states []env.State
	legal  [][]env.Action
}

func newProver(game env.Game, depth int) *prover {
	p := &prover{states: game.NewStates(depth + 1)}
	for range depth + 1 {
		p.legal = append(p.legal, game.Spec().NewActions())
	}
	return p
}

// wins reports whether p has a forced win from s within the given plies.
func (v *prover) wins(s env.State, p env.Player, plies int) bool {
	mover := s.Player()
	if mover == env.NoPlayer {
		result, _ := s.Result()
		return result.For(p) > 0
	}
	if plies == 0 {
		return false
	}
	v.legal[plies] = s.Legal(v.legal[plies][:0])
	next := v.states[plies]
	for _, a := range v.legal[plies] {
		next.CopyFrom(s)
		next.Apply(a)
		if v.wins(next, p, plies-1) == (mover == p) {
			return mover == p
		}
	}
	return mover != p
}

// prove returns the length of the player to move's shortest forced win, at most bound
// plies, and the texts of all first moves that achieve it; 0 if there is none.
func (v *prover) prove(s env.State, bound int) (plies int, moves []string) {
	next := v.states[0]
	for plies = 1; plies <= bound; plies += 2 {
		for _, a := range s.Legal(nil) {
			next.CopyFrom(s)
			next.Apply(a)
			if v.wins(next, s.Player(), plies-1) {
				moves = append(moves, env.ActionText(s, a))
			}
		}
		if moves != nil {
			return plies, moves
		}
	}
	return 0, nil
}

// provable returns the plies that brute force can search.
func provable(variant string) int {
	switch variant {
	case "ntxuva/basic":
		return 9
	case "trench/standard":
		return 5
	}
	return 3
}

func TestForcedWinsAreProved(t *testing.T) {
	for _, variant := range suites {
		game := lookup(t, variant)
		v := newProver(game, provable(variant))
		if flag.Lookup("rewrite").Value.String() == "true" {
			writeSuite(t, variant, game, v)
		}
		for _, win := range readSuite(t, variant) {
			plies, moves := v.prove(at(t, game, win.Position), provable(variant))
			if plies != win.Plies || !slices.Equal(moves, win.Moves) {
				t.Errorf("%s, %s: wins in %d plies by %v, the file says %+v", variant, win.Position, plies, moves, win)
			}
		}
	}
}

// writeSuite collects wins of at least three plies with few winning moves, at most one
// per game, from games between weak players.
func writeSuite(t *testing.T, variant string, game env.Game, v *prover) {
	t.Helper()
	const fewest, mostMoves = 3, 3
	var suite []forcedWin
	s, r := env.NewState(game), env.NewRand(1)
	player := searcher(t, game, search.Options{MaxDepth: 2, Noise: 90})
	for seed := uint64(1); len(suite) < suiteSize; seed++ {
		s.Reset()
		player.Begin(seed)
		for ply := 0; s.Player() != env.NoPlayer; ply++ {
			legal := s.Legal(nil)
			a := legal[r.IntN(len(legal))]
			if r.IntN(5) > 0 {
				a = player.Search(s, search.Limits{Depth: 2}, 1).Best().Actions[0]
			}
			// Proving is slow, so skip positions without hope of a win.
			if hopeful := player.Search(s, search.Limits{Depth: 2}, 1).Best().Score; ply > 8 && hopeful > -500 {
				if plies, moves := v.prove(s, provable(variant)); plies >= fewest && len(moves) <= mostMoves {
					suite = append(suite, forcedWin{env.PositionText(s), plies, moves})
					break
				}
			}
			s.Apply(a)
		}
	}
	data, err := json.MarshalIndent(suite, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(suiteFile(variant), append(data, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
