package search_test

import (
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// An action is drawn with a probability proportional to its visits to the power
// 100/temperature. The bounds are four standard errors.
func TestSampledActionsFollowTheVisits(t *testing.T) {
	const draws = 20_000
	game := lookup(t, "ntxuva/basic")
	m := grower(t, game)
	m.Search(env.NewState(game), search.TreeLimits{Simulations: 300}, 1)
	for _, temperature := range []int{50, 100, 400} {
		weights, total := map[env.Action]float64{}, 0.0
		for _, v := range m.Visits() {
			weights[v.Action] = math.Pow(float64(v.Count), 100/float64(temperature))
			total += weights[v.Action]
		}
		if len(weights) < 3 {
			t.Fatalf("only %d actions were visited", len(weights))
		}
		drawn, r := map[env.Action]float64{}, env.NewRand(3)
		for range draws {
			drawn[m.Sample(temperature, r)]++
		}
		for a, weight := range weights {
			p := weight / total
			if d := math.Abs(drawn[a]/draws - p); d > 4*math.Sqrt(p*(1-p)/draws)+1e-9 {
				t.Errorf("temperature %d: action %d is drawn %v of %d times, must be %.0f", temperature, a, drawn[a], draws, p*draws)
			}
			delete(drawn, a)
		}
		if len(drawn) > 0 {
			t.Errorf("temperature %d: unvisited actions are drawn: %v", temperature, drawn)
		}
	}
}

func TestTheBestActionIsSampledWithoutTemperatureOrDoubt(t *testing.T) {
	game := lookup(t, "ntxuva/basic")
	m, r := grower(t, game), env.NewRand(3)
	best := m.Search(env.NewState(game), search.TreeLimits{Simulations: 300}, 1).Best().Actions[0]
	for range 100 {
		if got := m.Sample(0, r); got != best {
			t.Fatalf("temperature 0 draws action %d, the best is %d", got, best)
		}
	}
	heap := grower(t, heapGame{})
	walk(heapGame{}, 3, 1, 30, func(from env.State) {
		result := heap.Search(from, search.TreeLimits{Simulations: 3000}, 1)
		for range 20 {
			if got := heap.Sample(1000, r); got != result.Best().Actions[0] {
				t.Fatalf("%+v is solved, but action %d is drawn and the best is %d", from, got, result.Best().Actions[0])
			}
		}
	})
}

func TestProvenLossesAreNotSampled(t *testing.T) {
	game := lookup(t, "trench/standard")
	m, r := grower(t, game), env.NewRand(3)
	roots := 0
	for _, win := range readSuite(t, "trench/standard") {
		from := at(t, game, win.Position)
		result := m.Search(from, search.TreeLimits{Simulations: 400}, 1000)
		if _, forced := search.Forced(result.Best().Score); forced {
			continue
		}
		visited, lost := map[env.Action]bool{}, map[env.Action]bool{}
		for _, v := range m.Visits() {
			visited[v.Action] = true
		}
		for _, line := range result.Lines {
			if _, forced := search.Forced(line.Score); forced && line.Score < 0 && visited[line.Actions[0]] {
				lost[line.Actions[0]] = true
			}
		}
		if len(lost) > 0 {
			roots++
		}
		for range 2000 {
			if a := m.Sample(10_000, r); lost[a] || !visited[a] {
				t.Fatalf("%s: the proven loss or unvisited action %d is drawn", win.Position, a)
			}
		}
	}
	if roots < 2 {
		t.Errorf("only %d positions have proven losses", roots)
	}
}
