package search_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// minimax is the reference: it searches every line to the depth.
type minimax struct {
	states    []env.State
	legal     [][]env.Action
	evaluator eval.Evaluator
}

func newMinimax(t *testing.T, game env.Game, depth int) *minimax {
	t.Helper()
	evaluator, err := eval.New("score", game)
	if err != nil {
		t.Fatal(err)
	}
	m := &minimax{states: game.NewStates(depth + 1), evaluator: evaluator}
	for range depth + 1 {
		m.legal = append(m.legal, game.Spec().NewActions())
	}
	return m
}

// score returns the score of s from p's view.
func (m *minimax) score(s env.State, p env.Player, ply, depth int) int {
	if s.Player() == env.NoPlayer {
		result, _ := s.Result()
		return result.For(p) * (search.Win - ply)
	}
	sign := 1
	if s.Player() != p {
		sign = -1
	}
	if depth == 0 {
		return sign * m.evaluator.Evaluate(s)
	}
	best := -search.Win
	for _, score := range m.children(s, ply, depth) {
		best = max(best, score)
	}
	return sign * best
}

// children returns the score of each legal action from the mover's view.
func (m *minimax) children(s env.State, ply, depth int) []int {
	var scores []int
	m.legal[ply] = s.Legal(m.legal[ply][:0])
	for _, a := range m.legal[ply] {
		next := m.states[ply]
		next.CopyFrom(s)
		next.Apply(a)
		scores = append(scores, m.score(next, s.Player(), ply+1, depth-1))
	}
	return scores
}

// exactCases are variants, some with counters that end games within the search, with a
// depth that plain minimax can reach.
var exactCases = [...]struct {
	variant             string
	depth, every, count int
}{
	{"trench/standard", 3, 13, 40},
	{`trench/standard{"no_progress":6,"repetition":2}`, 3, 5, 25},
	{"trench/equal-turns", 2, 7, 60},
	{"trench/general", 2, 7, 60},
	{"ntxuva/basic", 6, 7, 150},
	{`ntxuva/4{"no_progress":9,"repetition":2}`, 7, 3, 150},
	{"tankchess/16x16", 2, 11, 6},
	{`tankchess/lakes{"no_progress":3,"repetition":2}`, 2, 3, 4},
	{"tankbattle/standard", 2, 13, 40},
	{`tankbattle/standard{"no_progress":5,"repetition":2}`, 2, 4, 40},
}

func TestAlphaBetaIsMinimax(t *testing.T) {
	for _, c := range exactCases {
		for _, hash := range []int{0, 1} {
			game := lookup(t, c.variant)
			s := searcher(t, game, search.Options{Plain: true, Hash: hash})
			reference := newMinimax(t, game, c.depth)
			walk(game, 3, c.every, c.count, func(from env.State) {
				for depth := 1; depth <= c.depth; depth++ {
					s.Begin(1)
					result := s.Search(from, search.Limits{Depth: depth}, 1)
					want := reference.score(from, from.Player(), 0, depth)
					if got := result.Best().Score; got != want {
						t.Errorf("%s, hash %d, depth %d, %s: score is %d, minimax %d",
							c.variant, hash, depth, env.PositionText(from), got, want)
					}
				}
			})
		}
	}
}

func TestTheSignFollowsThePlayerToMove(t *testing.T) {
	game := heapGame{}
	evaluator, err := eval.New("score", game)
	if err != nil {
		t.Fatal(err)
	}
	for _, options := range []search.Options{{Plain: true}, {Plain: true, Hash: 1}, {}, {Hash: 1}} {
		s := searcherOf(t, game, evaluator, options)
		walk(game, 2, 1, 60, func(from env.State) {
			// A search to the end of the game is exact with quiescence and reductions too.
			for _, depth := range []int{3, 6, heapStones} {
				if depth < heapStones && !options.Plain {
					continue
				}
				s.Begin(1)
				got := s.Search(from, search.Limits{Depth: depth}, 1).Best().Score
				want := newMinimax(t, game, depth).score(from, from.Player(), 0, depth)
				if got != want {
					t.Errorf("%+v, depth %d, %+v: score is %d, minimax %d", options, depth, from, got, want)
				}
			}
		})
	}
}

func TestLinesAreTheBestActionsInOrder(t *testing.T) {
	game := lookup(t, "trench/standard")
	s := searcher(t, game, search.Options{Plain: true, Hash: 1})
	reference := newMinimax(t, game, 2)
	walk(game, 4, 11, 20, func(from env.State) {
		s.Begin(1)
		result := s.Search(from, search.Limits{Depth: 2}, 4)
		scores := reference.children(from, 0, 2)
		legal := from.Legal(nil)
		seen := map[env.Action]bool{}
		for i, line := range result.Lines {
			if seen[line.Actions[0]] || i > 0 && line.Score > result.Lines[i-1].Score || line.Depth != 2 {
				t.Fatalf("lines are %+v", result.Lines)
			}
			seen[line.Actions[0]] = true
			for j, a := range legal {
				if a == line.Actions[0] && scores[j] != line.Score {
					t.Errorf("line %d scores %d, minimax %d", i+1, line.Score, scores[j])
				}
			}
		}
		better := 0
		for _, score := range scores {
			if score > result.Lines[len(result.Lines)-1].Score {
				better++
			}
		}
		if want := min(4, len(legal)); len(result.Lines) != want || better >= want {
			t.Errorf("%d lines of %d, and %d actions are better than the last", len(result.Lines), want, better)
		}
	})
}

// The score of a line is the evaluation of the position it leads to, with the right sign.
func TestTheLineLeadsToItsScore(t *testing.T) {
	for _, c := range exactCases {
		game := lookup(t, c.variant)
		s := searcher(t, game, search.Options{Plain: true, Hash: 1})
		evaluator, err := eval.New("score", game)
		if err != nil {
			t.Fatal(err)
		}
		walk(game, 5, c.every, 10, func(from env.State) {
			best := s.Search(from, search.Limits{Depth: c.depth}, 1).Best()
			leaf := env.NewState(game)
			leaf.CopyFrom(from)
			for _, a := range best.Actions {
				leaf.Apply(a)
			}
			score, mover := 0, from.Player()
			switch leaf.Player() {
			case env.NoPlayer:
				result, _ := leaf.Result()
				score = result.For(mover) * (search.Win - len(best.Actions))
			case mover:
				score = evaluator.Evaluate(leaf)
			default:
				score = -evaluator.Evaluate(leaf)
			}
			if score != best.Score {
				t.Errorf("%s, %s: line%s leads to %d, its score is %d", c.variant, env.PositionText(from),
					moves(game, from, best.Actions), score, best.Score)
			}
		})
	}
}

// variable is an evaluator that makes no promise about quiet actions.
type variable struct{ eval.Evaluator }

func (variable) QuietInvariant() bool { return false }

func TestAnInheritedStaticEvaluationIsTheEvaluation(t *testing.T) {
	for _, variant := range defaults {
		game := lookup(t, variant)
		material, err := eval.New("material", game)
		if err != nil {
			t.Fatal(err)
		}
		for _, noise := range []int{0, 30} {
			options := search.Options{Hash: 1, Noise: noise}
			quick, slow := searcherOf(t, game, material, options), searcherOf(t, game, variable{material}, options)
			walk(game, 8, 23, 5, func(from env.State) {
				limits := search.Limits{Nodes: 3000}
				got, want := summary(quick.Search(from, limits, 2)), summary(slow.Search(from, limits, 2))
				if got != want {
					t.Errorf("%s, %s: finds %s, must find %s", variant, env.PositionText(from), got, want)
				}
			})
		}
	}
}
