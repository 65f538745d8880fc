package learn_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/selfplay/learn"
)

// Each stage is announced with its greatest number of games, and its progress rises by
// one game at a time to what the report says.
func TestWatchFollowsEachStage(t *testing.T) {
	type stage struct {
		iteration int
		stage     learn.Stage
	}
	type progress struct{ announced, games, plies int64 }
	seen, order := map[stage]*progress{}, []stage{}
	r := run(t)
	r.Recipe.Episodes, r.Recipe.Gate.Pairs, r.Workers = 40, 10, 1
	r.Watch = func(iteration int, s learn.Stage, games int64) func(games, plies int64) {
		at := stage{iteration, s}
		p := &progress{announced: games}
		seen[at], order = p, append(order, at)
		return func(games, plies int64) {
			if games != p.games+1 || plies <= p.plies {
				t.Errorf("iteration %d, %s: %d games and %d plies follow %d and %d", iteration, s, games, plies, p.games, p.plies)
			}
			p.games, p.plies = games, plies
		}
	}
	o := train(t, r)
	if len(order) != 6 || order[0] != (stage{1, learn.Playing}) || order[4] != (stage{2, learn.Learning}) || order[5] != (stage{2, learn.Gating}) {
		t.Fatalf("the stages are %v", order)
	}
	one, two := o.Iterations[0], o.Iterations[1]
	for at, want := range map[stage]progress{
		{1, learn.Playing}:  {40, 40, one.Plies},
		{1, learn.Learning}: {40, 40, one.Plies},
		{2, learn.Playing}:  {40, 40, two.Plies},
		{2, learn.Learning}: {80, 80, one.Plies + two.Plies},
	} {
		if *seen[at] != want {
			t.Errorf("iteration %d, %s: announced, games and plies are %+v, must be %+v", at.iteration, at.stage, *seen[at], want)
		}
	}
	if gate := seen[stage{2, learn.Gating}]; gate.announced != 20 || gate.games != 2*two.Gate.Pairs {
		t.Errorf("the gate announces %d games and reports %d, must be 20 and %d", gate.announced, gate.games, 2*two.Gate.Pairs)
	}
}
