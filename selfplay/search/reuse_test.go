package search_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// grown is a tree that was grown from a position, and the position two plies later on
// its best line.
type grown struct {
	*search.MCTS
	game        env.Game
	from        env.State
	own, answer env.Action
}

func grow(t *testing.T, game env.Game, simulations int) grown {
	t.Helper()
	g := grown{MCTS: grower(t, game), game: game, from: env.NewState(game)}
	line := g.Search(g.from, search.TreeLimits{Simulations: simulations}, 1).Best().Actions
	if len(line) < 2 {
		t.Fatalf("line is %v", line)
	}
	g.own, g.answer = line[0], line[1]
	g.from.Apply(g.own)
	g.from.Apply(g.answer)
	return g
}

// kept returns how many simulations a search of a position reuses.
func (g grown) kept(from env.State) int {
	done := make(chan struct{})
	close(done)
	g.Search(from, search.TreeLimits{Done: done}, 1)
	return visitsOf(g.MCTS)
}

func visitsOf(m *search.MCTS) int {
	sum := 0
	for _, v := range m.Visits() {
		sum += v.Count
	}
	return sum
}

// The reused subtree has the visits and values that the first search gave it.
func TestATreeIsKeptForThePositionThatFollows(t *testing.T) {
	for _, variant := range defaults {
		g := grow(t, lookup(t, variant), 3000)
		before := map[[2]int64]int{}
		for _, sum := range g.Sums() {
			before[sum]++
		}
		g.Follow(g.own)
		kept := g.kept(g.from)
		if kept == 0 || kept >= 3000 {
			t.Errorf("%s: %d simulations are reused", variant, kept)
		}
		for _, sum := range g.Sums()[1:] { // the sign of the root may change
			if before[sum]--; before[sum] < 0 {
				t.Fatalf("%s: %d visits of value %d were not in the tree", variant, sum[0], sum[1])
			}
		}
		if err := g.Check(); err != nil {
			t.Errorf("%s: %v", variant, err)
		}
	}
}

// When the same player moves again, the next position is the one right after the action.
func TestATreeIsKeptWhenTheSamePlayerMovesTwice(t *testing.T) {
	game := heapGame{}
	g := grown{MCTS: grower(t, game), game: game, from: env.NewState(game)}
	g.Search(g.from, search.TreeLimits{Simulations: 60}, 1)
	const takeTwo = 1
	tried := 0
	for _, v := range g.Visits() {
		if v.Action == takeTwo {
			tried = v.Count
		}
	}
	g.from.Apply(takeTwo)
	if g.Follow(takeTwo); g.from.Player() != env.First || tried < 2 || g.kept(g.from) != tried-1 {
		t.Errorf("player %v reuses %d simulations of %d visits", g.from.Player(), visitsOf(g.MCTS), tried)
	}
}

// Reused simulations count towards the limit, so that the tree does not exceed it.
func TestKeptSimulationsCount(t *testing.T) {
	const simulations = 500
	g := grow(t, lookup(t, "ntxuva/basic"), simulations)
	limits := search.TreeLimits{Simulations: simulations}
	g.Follow(g.own)
	reused, visits := g.Search(g.from, limits, 1).Nodes, visitsOf(g.MCTS)
	if fresh := g.Search(g.from, limits, 1).Nodes; reused >= fresh || visits != simulations {
		t.Errorf("%d nodes and %d visits, a new tree has %d nodes", reused, visits, fresh)
	}
}

func TestOtherPositionsGetANewTree(t *testing.T) {
	game := lookup(t, "trench/standard")
	for name, played := range map[string]func(grown) env.State{
		"nothing was followed": func(g grown) env.State { return g.from },
		"another action was followed": func(g grown) env.State {
			legal := env.NewState(game).Legal(nil)
			if g.Follow(legal[0]); g.own == legal[0] {
				g.Follow(legal[1])
			}
			return g.from
		},
		"another position follows": func(g grown) env.State {
			g.Follow(g.own)
			return at(t, game, "S2c2lg/3spscl/4ppsc/5p1s/1PPPp1p1/CSPPS3/LCSP4/GLC5 w 0-0 9 9")
		},
		"an episode began": func(g grown) env.State {
			g.Follow(g.own)
			g.Begin(1)
			return g.from
		},
		"the action was followed before the last search": func(g grown) env.State {
			g.Follow(g.own)
			g.Search(env.NewState(game), search.TreeLimits{Simulations: 300}, 1)
			return g.from
		},
	} {
		g := grow(t, game, 300)
		if kept := g.kept(played(g)); kept != 0 {
			t.Errorf("%s: %d simulations are reused", name, kept)
		}
	}
}

// A position that occurs again differs: the draws by repetition below it are nearer.
func TestARepeatedPositionGetsANewTree(t *testing.T) {
	game := lookup(t, `trench/standard{"repetition":3}`)
	once := at(t, game, "6pg/8/8/8/8/8/8/GP6 b 5-0 0 10")
	m := grower(t, game)
	g := grown{MCTS: m, game: game, from: once}
	twice := env.NewState(game)
	twice.CopyFrom(once)
	play(t, twice, "a1-a2", "h8-h7", "a2-a1", "h7-h8")
	for name, s := range map[string]env.State{"once": once, "twice": twice} {
		g.Begin(1)
		g.Search(once, search.TreeLimits{Simulations: 3000}, 1)
		next := env.NewState(game)
		next.CopyFrom(s)
		own, err := next.ParseAction("a1-a2")
		if err != nil {
			t.Fatal(err)
		}
		play(t, next, "a1-a2", "h8-h7")
		if g.Follow(own); (g.kept(next) > 0) != (name == "once") {
			t.Errorf("%s: %d simulations are reused", name, visitsOf(m))
		}
	}
}

func TestTreeSearchDoesNotAllocate(t *testing.T) {
	options := usual()
	options.Batch, options.Dirichlet, options.DirichletWeight = 4, 1000, 25
	game := lookup(t, "ntxuva/basic")
	m, from := growerWith(t, game, options), env.NewState(game)
	episode := func() {
		m.Begin(1)
		from.Reset()
		for range 20 {
			a := m.Search(from, search.TreeLimits{Simulations: 200}, 3).Best().Actions[0]
			from.Apply(a)
			m.Follow(a)
		}
	}
	episode()
	if n := testing.AllocsPerRun(5, episode); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
