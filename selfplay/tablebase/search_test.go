package tablebase_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase"
)

func searcher(t *testing.T, game env.Game, options search.Options) *search.AlphaBeta {
	t.Helper()
	evaluator, err := eval.New("score", game)
	if err != nil {
		t.Fatal(err)
	}
	s, err := search.New(game, evaluator, options)
	if err != nil {
		t.Fatal(err)
	}
	s.Begin(1)
	return s
}

// Plain minimax to a depth finds exactly the wins and losses that do not take
// longer; the full search finds no others, and none sooner than they are.
func TestWhatSearchFindsForcedIsInTheTable(t *testing.T) {
	const depth, positions = 9, 400
	table := solve(t, "ntxuva/4", 5)
	game := table.Variant().Game
	for _, options := range []search.Options{{Plain: true, Hash: 1}, {Hash: 1}} {
		s, engine := env.NewState(game), searcher(t, game, options)
		r, forced := env.NewRand(5), 0
		for n := 0; n < positions; {
			value, err := table.Random(r, s)
			if err != nil {
				t.Fatal(err)
			}
			if s.Player() == env.NoPlayer {
				continue
			}
			n++
			engine.Begin(1)
			score := engine.Search(s, search.Limits{Depth: depth}, 1).Best().Score
			plies, found := search.Forced(score)
			if found {
				forced++
			}
			got := tablebase.Value{Result: 1, Plies: plies}
			if plies < 0 {
				got = tablebase.Value{Result: -1, Plies: -plies}
			}
			switch near := value.Result != 0 && value.Plies <= depth; {
			case options.Plain && (found != near || found && got != value):
				t.Errorf("%s is a %v, minimax to %d plies finds %d", env.PositionText(s), value, depth, score)
			case found && (got.Result != value.Result || got.Plies < value.Plies):
				t.Errorf("%s is a %v, search finds a %v", env.PositionText(s), value, got)
			}
		}
		if forced < positions/10 {
			t.Errorf("%+v: only %d forced results", options, forced)
		}
	}
}

// tabled is the table as a search asks it. The counters of the game it serves are off.
type tabled struct{ *tablebase.Prober }

func (p tabled) Probe(s env.State) (int, bool) {
	v, ok := p.Prober.Probe(s)
	return v.Result * (search.Win - v.Plies), ok
}

// The counters are off, so that what the search has in its table does not depend on
// how it got there; a win that takes 31 plies is one with them, too.
func TestTheFirstPlayerWinsNtxuvaOfFourColumnsInThirtyOnePlies(t *testing.T) {
	const variant, plies = `ntxuva/4{"no_progress":0,"repetition":0}`, 31
	table := solve(t, variant, 5)
	game := table.Variant().Game
	for _, prober := range []search.Prober{nil, tabled{table.Prober()}} {
		engine := searcher(t, game, search.Options{Plain: true, Hash: 128, Prober: prober})
		for _, depth := range []int{plies - 1, plies} {
			result := engine.Search(env.NewState(game), search.Limits{Depth: depth}, 1)
			got, forced := search.Forced(result.Best().Score)
			switch {
			case depth < plies && prober == nil && forced, forced && got < plies:
				t.Errorf("%d plies are enough for %s", depth, search.ScoreText(result.Best().Score))
			case depth == plies && got != plies:
				t.Errorf("in %d plies minimax finds %s", depth, search.ScoreText(result.Best().Score))
			}
			t.Logf("%d plies, table %v: %s, %d nodes", depth, prober != nil, search.ScoreText(result.Best().Score), result.Nodes)
		}
	}
}
