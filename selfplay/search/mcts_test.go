package search_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// grower makes a tree search with the score as evaluator, at its beginning.
func grower(t testing.TB, game env.Game) *search.MCTS {
	t.Helper()
	evaluator, err := eval.New("score", game)
	if err != nil {
		t.Fatal(err)
	}
	m, err := search.NewMCTS(game, evaluator, search.TreeOptions{Explore: 150, Noise: 10})
	if err != nil {
		t.Fatal(err)
	}
	m.Begin(1)
	return m
}

func TestEverySimulationVisitsAnActionOfTheRoot(t *testing.T) {
	for _, variant := range defaults {
		game := lookup(t, variant)
		m := grower(t, game)
		for _, simulations := range []int{1, 2, 3, 40} {
			m.Search(env.NewState(game), simulations, 1, nil, nil)
			sum := 0
			for _, v := range m.Visits() {
				sum += v.Count
			}
			if sum != simulations-1 { // the first looks at all actions
				t.Errorf("%s: %d simulations give %d visits", variant, simulations, sum)
			}
		}
	}
}

func TestATreeIsGrownTheSameTwice(t *testing.T) {
	for _, variant := range defaults {
		game := lookup(t, variant)
		grow := func(m *search.MCTS, seed uint64) string {
			m.Begin(seed)
			return told(m.Search(env.NewState(game), 60, 3, nil, nil)) + fmt.Sprint(m.Visits(), m.Value())
		}
		used, want := grower(t, game), grow(grower(t, game), 7)
		for seed := range uint64(3) {
			grow(used, seed)
		}
		if got := grow(used, 7); got != want {
			t.Errorf("%s: later finds %s, at first %s", variant, got, want)
		}
	}
}

// A certain result is the true one, whoever moves how often in a row.
func TestATreeSolvesTheHeap(t *testing.T) {
	game := heapGame{}
	m := grower(t, game)
	reference := newMinimax(t, game, heapStones)
	walk(game, 3, 1, 80, func(from env.State) {
		result := m.Search(from, 3000, 3, nil, nil)
		want := reference.score(from, from.Player(), 0, heapStones)
		_, forced := search.Forced(result.Best().Score)
		if !forced || (result.Best().Score > 0) != (want > 0) {
			t.Errorf("%+v scores %d, minimax %d", from, result.Best().Score, want)
		}
	})
}

// What the tree calls certain is never better than the truth.
func TestATreeFindsForcedWinsAndClaimsNoOthers(t *testing.T) {
	for _, variant := range suites {
		game := lookup(t, variant)
		m := grower(t, game)
		found := 0
		for _, win := range readSuite(t, variant) {
			from := at(t, game, win.Position)
			best := m.Search(from, 400, 1, nil, nil).Best()
			plies, forced := search.Forced(best.Score)
			if forced && plies < win.Plies {
				t.Errorf("%s, %s: claims to win in %d plies, %d are needed", variant, win.Position, plies, win.Plies)
			}
			if forced || slices.Contains(win.Moves, env.ActionText(from, best.Actions[0])) {
				found++
			}
		}
		t.Logf("%s: %d of %d", variant, found, suiteSize)
		if found < suiteSize*3/4 {
			t.Errorf("%s: %d of %d wins are found", variant, found, suiteSize)
		}
	}
}

func TestTreeLinesArePlayableAndDiffer(t *testing.T) {
	for _, variant := range defaults {
		game := lookup(t, variant)
		m := grower(t, game)
		walk(game, 6, 15, 4, func(from env.State) {
			want := min(4, len(from.Legal(nil)))
			seen := map[env.Action]bool{}
			for _, line := range m.Search(from, 50, 4, nil, nil).Lines {
				seen[line.Actions[0]] = true
				s := env.NewState(game)
				s.CopyFrom(from)
				for _, a := range line.Actions {
					if !slices.Contains(s.Legal(nil), a) {
						t.Fatalf("%s: action %d of line %v is not legal", variant, a, line.Actions)
					}
					s.Apply(a)
				}
				if line.Depth != len(line.Actions) {
					t.Errorf("%s: line %v has depth %d", variant, line.Actions, line.Depth)
				}
			}
			if len(seen) != want {
				t.Errorf("%s: %d lines, must be %d", variant, len(seen), want)
			}
			if v := m.Value(); v < -1 || v > 1 {
				t.Errorf("%s: value is %g", variant, v)
			}
		})
	}
}

func TestATreeSeesRepetition(t *testing.T) {
	game := lookup(t, `trench/standard{"repetition":2}`)
	from := repeatable(t, game, "5-0")
	best := grower(t, game).Search(from, 400, 1, nil, nil).Best()
	if move := moves(game, from, best.Actions); move != " h7-h8" || best.Score != 0 {
		t.Errorf("White, behind, plays%s for %d", move, best.Score)
	}
}

func TestATreeStopsWhenItIsInterrupted(t *testing.T) {
	game := lookup(t, "trench/standard")
	done := make(chan struct{})
	close(done)
	m := grower(t, game)
	m.Search(env.NewState(game), 1000, 1, done, nil)
	if visits := m.Visits(); len(visits) != 0 {
		t.Errorf("an interrupted search visits %v", visits)
	}
}

func TestTreeReportsDouble(t *testing.T) {
	game := lookup(t, "trench/standard")
	reports := 0
	grower(t, game).Search(env.NewState(game), 100, 1, nil, func(r *search.Result) {
		if len(r.Lines) != 1 {
			t.Errorf("%d lines", len(r.Lines))
		}
		reports++
	})
	if reports != 7 { // after 1, 2, 4, … 64
		t.Errorf("%d reports of 100 simulations", reports)
	}
}

func TestTreeOptionsAreChecked(t *testing.T) {
	game := lookup(t, "trench/standard")
	for want, options := range map[string]search.TreeOptions{
		"explore is -1, must be 0 to 10000": {Explore: -1}, "noise is 10001": {Noise: 10001},
	} {
		if _, err := search.NewMCTS(game, nil, options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error is %v, must be %s", options, err, want)
		}
	}
}

// With more exploration the visits are spread wider.
func TestExploreSpreadsVisits(t *testing.T) {
	game := lookup(t, "trench/standard")
	evaluator, err := eval.New("score", game)
	if err != nil {
		t.Fatal(err)
	}
	var tried []int
	for _, explore := range []int{0, 150, 2000} {
		m, err := search.NewMCTS(game, evaluator, search.TreeOptions{Explore: explore, Noise: 10})
		if err != nil {
			t.Fatal(err)
		}
		m.Begin(1)
		m.Search(at(t, game, "S2c2lg/3spscl/4ppsc/5p1s/1PPPp1p1/CSPPS3/LCSP4/GLC5 w 0-0 9 9"), 200, 1, nil, nil)
		tried = append(tried, len(m.Visits()))
	}
	if !slices.IsSorted(tried) || tried[0] == tried[2] {
		t.Errorf("%v actions are tried with more and more exploration", tried)
	}
}

func TestTreeSignatures(t *testing.T) {
	text := ""
	for _, variant := range defaults {
		game := lookup(t, variant)
		m := grower(t, game)
		walk(game, 9, 9, 3, func(from env.State) {
			m.Begin(1)
			result := m.Search(from, 60, 2, nil, nil)
			text += fmt.Sprintf("%s %s depth %d, %d nodes\n", variant, env.PositionText(from), result.Depth, result.Nodes)
			for _, line := range result.Lines {
				text += fmt.Sprintf("\t%d%s\n", line.Score, moves(game, from, line.Actions))
			}
		})
	}
	envtest.Golden(t, "testdata/tree-signatures.txt", []byte(text))
}

func TestGrowingAgainDoesNotAllocate(t *testing.T) {
	game := lookup(t, "trench/standard")
	m := grower(t, game)
	from := env.NewState(game)
	m.Search(from, 100, 3, nil, nil)
	var first []search.Visits
	if n := testing.AllocsPerRun(5, func() {
		m.Search(from, 100, 3, nil, nil)
		first = m.Visits()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if !reflect.DeepEqual(first, m.Visits()) {
		t.Error("the visits change when they are asked for again")
	}
}
