package search_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// known is a Prober made from a function.
type known func(s env.State) (score int, ok bool)

func (k known) Probe(s env.State) (int, bool) { return k(s) }

// few knows the minimax scores of heaps with at most the given number of stones.
func few(t *testing.T, stones int) known {
	reference := newMinimax(t, heapGame{}, heapStones)
	return func(s env.State) (int, bool) {
		if s.(*heap).stones > stones {
			return 0, false
		}
		return reference.score(s, s.Player(), 0, heapStones), true
	}
}

func heapSearch(t *testing.T, options search.Options) *search.AlphaBeta {
	t.Helper()
	evaluator, err := eval.New("score", heapGame{})
	if err != nil {
		t.Fatal(err)
	}
	return searcherOf(t, heapGame{}, evaluator, options)
}

func TestAProberSavesDepth(t *testing.T) {
	reference := newMinimax(t, heapGame{}, heapStones)
	for _, options := range []search.Options{{Plain: true}, {Hash: 1}} {
		without := heapSearch(t, options)
		options.Prober = few(t, 6)
		with := heapSearch(t, options)
		var nodes, most int64
		walk(heapGame{}, 2, 1, 60, func(from env.State) {
			want := reference.score(from, from.Player(), 0, heapStones)
			result := with.Search(from, search.Limits{Depth: max(1, from.(*heap).stones-6)}, 1)
			if got := result.Best().Score; got != want {
				t.Errorf("%+v: score is %d, must be %d", from, got, want)
			}
			deep := without.Search(from, search.Limits{Depth: heapStones}, 1)
			nodes, most = nodes+result.Nodes, most+deep.Nodes
		})
		if nodes >= most {
			t.Errorf("%d nodes, without the prober %d", nodes, most)
		}
	}
}

func TestTheSearchEndsWhenTheProberKnowsEveryAction(t *testing.T) {
	s := heapSearch(t, search.Options{Prober: few(t, heapStones)})
	result := s.Search(env.NewState(heapGame{}), search.Limits{}, 3)
	const nodes = 3 + 2 + 1 // a line's first action is not tried again
	if result.Depth != 1 || result.Nodes != nodes || len(result.Lines) != 3 {
		t.Errorf("depth %d, %d nodes, %d lines; must be 1, %d and 3", result.Depth, result.Nodes, len(result.Lines), nodes)
	}
}

// The plies to a position that the Prober knows add to its distance, also when the score
// comes from the transposition table.
func TestDistancesOfTheProberAddUp(t *testing.T) {
	for _, sign := range []int{1, -1} {
		for _, plies := range []int{2, 100, search.MaxProbed} {
			s := heapSearch(t, search.Options{Hash: 1, Plain: true, Prober: known(func(s env.State) (int, bool) {
				return sign * (search.Win - plies), s.(*heap).stones == 1
			})})
			from := &heap{stones: 3, taken: [2]int{9, 0}}
			for range 2 {
				// From three stones, taking two leaves one and moves again; taking one
				// leaves two, with which the enemy wins; taking three wins.
				lines := s.Search(from, search.Limits{Depth: 8}, 3).Lines
				scores := map[env.Action]int{}
				for _, line := range lines {
					scores[line.Actions[0]] = line.Score
				}
				if got, want := scores[1], sign*(search.Win-plies-1); got != want {
					t.Errorf("a win in %d, %d: taking two scores %d, must be %d", plies, sign, got, want)
				}
				if scores[2] != search.Win-1 || scores[0] != 2-search.Win {
					t.Errorf("scores are %v", scores)
				}
			}
		}
	}
}

func TestForcedIncludesTheLongestWinsOfAProber(t *testing.T) {
	for _, plies := range []int{1, search.MaxProbed, search.MaxProbed + search.MaxDepth} {
		if got, ok := search.Forced(search.Win - plies); !ok || got != plies {
			t.Errorf("a win in %d is %d, %v", plies, got, ok)
		}
		if got, ok := search.Forced(plies - search.Win); !ok || got != -plies {
			t.Errorf("a loss in %d is %d, %v", plies, got, ok)
		}
	}
}
