package search_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// defaults are the default variants of all games and board sizes.
var defaults = [...]string{"trench/standard", "ntxuva/basic", "tankchess/16x16", "tankchess/20x20", "tankbattle/standard"}

func lookup(t testing.TB, variant string) env.Game {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	return v.Game
}

// searcher returns a search that evaluates by the score, after Begin.
func searcher(t testing.TB, game env.Game, options search.Options) *search.AlphaBeta {
	t.Helper()
	evaluator, err := eval.New("score", game)
	if err != nil {
		t.Fatal(err)
	}
	return searcherOf(t, game, evaluator, options)
}

func searcherOf(t testing.TB, game env.Game, evaluator eval.Evaluator, options search.Options) *search.AlphaBeta {
	t.Helper()
	s, err := search.New(game, evaluator, options)
	if err != nil {
		t.Fatal(err)
	}
	s.Begin(1)
	return s
}

// walk plays random games and calls visit with every n-th running position, count times.
func walk(game env.Game, seed uint64, n, count int, visit func(env.State)) {
	s, r := env.NewState(game), env.NewRand(seed)
	legal := game.Spec().NewActions()
	for ply := 1; count > 0; ply++ {
		legal = s.Legal(legal[:0])
		s.Apply(legal[r.IntN(len(legal))])
		if s.Player() == env.NoPlayer {
			s.Reset()
		}
		if ply%n == 0 {
			visit(s)
			count--
		}
	}
}

// moves returns the move texts of a line from a position, each after a space.
func moves(game env.Game, from env.State, line []env.Action) string {
	s := env.NewState(game)
	s.CopyFrom(from)
	text := ""
	for _, a := range line {
		text += " " + env.ActionText(s, a)
		s.Apply(a)
	}
	return text
}

// at returns a state with the given position.
func at(t testing.TB, game env.Game, position string) env.State {
	t.Helper()
	s := env.NewState(game)
	if err := s.SetPosition(position); err != nil {
		t.Fatal(err)
	}
	return s
}

// play plays moves given as texts.
func play(t testing.TB, s env.State, texts ...string) {
	t.Helper()
	for _, text := range texts {
		a, err := s.ParseAction(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(a)
	}
}
