package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// grower returns a tree search that evaluates by the score, after Begin.
func grower(t testing.TB, game env.Game) *search.MCTS { return growerWith(t, game, usual()) }

// usual returns the default options of the agent.
func usual() search.TreeOptions {
	return search.TreeOptions{Explore: 100, Noise: 10, Quiescence: 4, Batch: 1}
}

func growerWith(t testing.TB, game env.Game, options search.TreeOptions) *search.MCTS {
	t.Helper()
	evaluator, err := eval.New("score", game)
	if err != nil {
		t.Fatal(err)
	}
	m, err := search.NewMCTS(game, evaluator, options)
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
			m.Search(env.NewState(game), search.TreeLimits{Simulations: simulations}, 1)
			sum := 0
			for _, v := range m.Visits() {
				sum += v.Count
			}
			if sum != simulations {
				t.Errorf("%s: %d simulations give %d visits", variant, simulations, sum)
			}
		}
	}
}

// An immediate win is seen before any simulation, but its action is still visited.
func TestAWinAtOnceIsVisited(t *testing.T) {
	game := heapGame{}
	m, last := grower(t, game), env.NewState(game)
	for range 5 { // three stones are left
		last.Apply(1)
	}
	last.Apply(0)
	best := m.Search(env.State(last), search.TreeLimits{Simulations: 50}, 1).Best()
	if v := m.Visits(); len(v) != 1 || v[0] != (search.Visits{Action: best.Actions[0], Count: 1}) || best.Score != search.Win-1 {
		t.Errorf("visits %v for %d", v, best.Score)
	}
}

func TestATreeIsGrownTheSameTwice(t *testing.T) {
	for _, variant := range defaults {
		game := lookup(t, variant)
		grow := func(m *search.MCTS, seed uint64) string {
			m.Begin(seed)
			return summary(m.Search(env.NewState(game), search.TreeLimits{Simulations: 60}, 3)) + fmt.Sprint(m.Visits(), m.Value())
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

// A proven result is correct, even when players move several times in a row.
func TestATreeSolvesTheHeap(t *testing.T) {
	game := heapGame{}
	m := grower(t, game)
	reference := newMinimax(t, game, heapStones)
	walk(game, 3, 1, 80, func(from env.State) {
		result := m.Search(from, search.TreeLimits{Simulations: 3000}, 3)
		want := reference.score(from, from.Player(), 0, heapStones)
		_, forced := search.Forced(result.Best().Score)
		if !forced || (result.Best().Score > 0) != (want > 0) {
			t.Errorf("%+v scores %d, minimax %d", from, result.Best().Score, want)
		}
	})
}

// A proven result never claims a win that is too short.
func TestATreeFindsForcedWinsAndClaimsNoOthers(t *testing.T) {
	for _, variant := range suites {
		game := lookup(t, variant)
		m := grower(t, game)
		found := 0
		for _, win := range readSuite(t, variant) {
			from := at(t, game, win.Position)
			best := m.Search(from, search.TreeLimits{Simulations: 10_000}, 1).Best()
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
			for _, line := range m.Search(from, search.TreeLimits{Simulations: 50}, 4).Lines {
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
	best := grower(t, game).Search(from, search.TreeLimits{Simulations: 400}, 1).Best()
	if move := moves(game, from, best.Actions); move != " h7-h8" || best.Score != 0 {
		t.Errorf("White, behind, plays%s for %d", move, best.Score)
	}
}

func TestATreeStopsWhenItIsInterrupted(t *testing.T) {
	game := lookup(t, "trench/standard")
	done := make(chan struct{})
	close(done)
	m := grower(t, game)
	m.Search(env.NewState(game), search.TreeLimits{Simulations: 1000, Done: done}, 1)
	if visits := m.Visits(); len(visits) != 0 {
		t.Errorf("an interrupted search visits %v", visits)
	}
}

func TestATreeKeepsToItsLimits(t *testing.T) {
	for _, variant := range defaults {
		game := lookup(t, variant)
		m := grower(t, game)
		from := env.NewState(game)
		all := m.Search(from, search.TreeLimits{Simulations: 100}, 1).Nodes
		limited := m.Search(from, search.TreeLimits{Nodes: all / 2}, 1).Nodes
		if single := all / 4; limited < all/2 || limited > all/2+single {
			t.Errorf("%s: the limit is %d nodes, the search ends at %d", variant, all/2, limited)
		}
		if both := m.Search(from, search.TreeLimits{Simulations: 1000, Nodes: all / 2}, 1).Nodes; both != limited {
			t.Errorf("%s: with two limits %d nodes, must be %d", variant, both, limited)
		}
	}
}

func TestATreeReportsEachTimeItsSimulationsDouble(t *testing.T) {
	game := lookup(t, "trench/standard")
	reports := 0
	m := grower(t, game)
	m.Report(func(r *search.Result) {
		if len(r.Lines) != 1 {
			t.Errorf("%d lines", len(r.Lines))
		}
		reports++
	})
	m.Search(env.NewState(game), search.TreeLimits{Simulations: 100}, 1)
	if reports != 7 { // after 1, 2, 4, … 64
		t.Errorf("%d reports of 100 simulations", reports)
	}
}

func TestTreeOptionsAreChecked(t *testing.T) {
	game := lookup(t, "trench/standard")
	for want, change := range map[string]func(*search.TreeOptions){
		"batch is 0, must be 1 to 1024":             func(o *search.TreeOptions) { o.Batch = 0 },
		"batch is 1025":                             func(o *search.TreeOptions) { o.Batch = 1025 },
		"dirichlet is -1, must be 0 to 100000":      func(o *search.TreeOptions) { o.Dirichlet = -1 },
		"dirichlet weight is 101, must be 0 to 100": func(o *search.TreeOptions) { o.DirichletWeight = 101 },
		"explore is -1, must be 0 to 10000":         func(o *search.TreeOptions) { o.Explore = -1 },
		"fpu is 201, must be 0 to 200":              func(o *search.TreeOptions) { o.FPU = 201 },
		"noise is 10001, must be 0 to 10000":        func(o *search.TreeOptions) { o.Noise = 10001 },
		"quiescence is 7, must be 0 to 6":           func(o *search.TreeOptions) { o.Quiescence = 7 },
		"select is 2, must be 0 to 1":               func(o *search.TreeOptions) { o.Select = 2 },
	} {
		options := usual()
		change(&options)
		if _, err := search.NewMCTS(game, nil, options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error is %v, must be %s", options, err, want)
		}
	}
}

// More exploration spreads the visits more evenly.
func TestExploreSpreadsVisits(t *testing.T) {
	for _, rule := range []search.Select{search.PUCT, search.UCT} {
		var most []int
		for _, explore := range []int{0, 150, 2000} {
			options := usual()
			options.Select, options.Explore = rule, explore
			most = append(most, mostVisits(t, options))
		}
		if slices.Reverse(most); !slices.IsSorted(most) || most[0] == most[2] {
			t.Errorf("rule %d: the favourite has %v of 400 visits with less and less exploration", rule, most)
		}
	}
}

// A greater FPU reduction leaves fewer actions visited.
func TestFPUHoldsBackUnvisitedActions(t *testing.T) {
	var tried []int
	for _, fpu := range []int{100, 20, 0} {
		options := usual()
		options.FPU = fpu
		m := growerWith(t, lookup(t, "tankchess/16x16"), options)
		m.Search(env.NewState(lookup(t, "tankchess/16x16")), search.TreeLimits{Simulations: 400}, 1)
		tried = append(tried, len(m.Visits()))
	}
	if !slices.IsSorted(tried) || tried[0] == tried[1] || tried[1] == tried[2] {
		t.Errorf("%v actions are visited with less and less reduction", tried)
	}
}

// mostVisits returns the greatest visit count of 400 simulations.
func mostVisits(t *testing.T, options search.TreeOptions) int {
	t.Helper()
	game := lookup(t, "trench/standard")
	m := growerWith(t, game, options)
	m.Search(at(t, game, "S2c2lg/3spscl/4ppsc/5p1s/1PPPp1p1/CSPPS3/LCSP4/GLC5 w 0-0 9 9"), search.TreeLimits{Simulations: 400}, 1)
	most := 0
	for _, v := range m.Visits() {
		most = max(most, v.Count)
	}
	return most
}

func TestTreeSignatures(t *testing.T) {
	text := ""
	for _, variant := range defaults {
		game := lookup(t, variant)
		m := grower(t, game)
		walk(game, 9, 9, 3, func(from env.State) {
			m.Begin(1)
			result := m.Search(from, search.TreeLimits{Simulations: 60}, 2)
			text += fmt.Sprintf("%s %s depth %d, %d nodes\n", variant, env.PositionText(from), result.Depth, result.Nodes)
			for _, line := range result.Lines {
				text += fmt.Sprintf("\t%d%s\n", line.Score, moves(game, from, line.Actions))
			}
		})
	}
	envtest.Golden(t, "testdata/tree-signatures.txt", []byte(text))
}
