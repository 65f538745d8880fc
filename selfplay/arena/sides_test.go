package arena_test

import (
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

// After openings of 3 and 4 plies in turn the second player is to move in half of the pairs.
func TestTheSideToMoveIsNotAlwaysTheFirstPlayer(t *testing.T) {
	m := match(t, "ntxuva/basic", "greedy", "random", 40)
	m.Plan = selfplaytest.Changed(t, m.Plan, func(c *selfplay.Config) {
		c.Opening = selfplay.Opening{Plies: 3, Policy: dataset.OpeningPolicy{Name: dataset.RandomOpenings, Swing: dataset.MostSwing}}
	})
	r := play(t, m)
	reader, err := parquetio.Open(m.Dir)
	if err != nil {
		t.Fatal(err)
	}
	var first, toMove float64
	var early int64
	var sides [2][3]int64 // of greedy, to move and waiting
	movers := map[env.Player]int{}
	for ep, err := range reader.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		mover := ep.Steps[ep.OpeningPlies].Player
		movers[mover]++
		first += float64(ep.Result.For(env.First)+1) / 2
		toMove += float64(ep.Result.For(mover)+1) / 2
		greedy := env.First
		if ep.Agents[1] == "greedy" {
			greedy = env.Second
		}
		sides[greedy^mover][ep.Result.For(greedy)+1]++
		if ep.Plies() <= ep.OpeningPlies+2 {
			early++
		}
	}
	if movers[env.First] != 40 || movers[env.Second] != 40 {
		t.Fatalf("to move are %v", movers)
	}
	if r.FirstPlayer == nil || math.Abs(r.FirstPlayer.Estimate-first/80) > 1e-12 || math.Abs(r.SideToMove.Estimate-toMove/80) > 1e-12 || first == toMove {
		t.Errorf("the first player scores %+v, the side to move %+v; the data have %v and %v", r.FirstPlayer, r.SideToMove, first/80, toMove/80)
	}
	for i, o := range []dataset.Outcome{r.ToMove, r.Waiting} {
		if got := [3]int64{o.Losses, o.Draws, o.Wins}; got != sides[i] {
			t.Errorf("side %d has %v, the data %v", i, got, sides[i])
		}
	}
	if r.DecidedEarly != early {
		t.Errorf("%d games are decided early, want %d", r.DecidedEarly, early)
	}
}
