package eval_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// A lazy evaluation depends on the position and the window alone. A bound is on the right
// side of the window, and an exact value is that of Evaluate.
func TestALazyEvaluationDoesNotDependOnEarlierOnes(t *testing.T) {
	for _, name := range []string{"trench/standard", "tankbattle/standard"} {
		variant, err := games.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		data, _ := eval.Shipped(variant.Digest)
		weights, err := eval.ReadWeights(data)
		if err != nil {
			t.Fatal(err)
		}
		lazy := func() eval.Lazy {
			e, err := weights.New(variant.Game)
			if err != nil {
				t.Fatal(err)
			}
			return e.(eval.Lazy)
		}
		state, rand := env.NewState(variant.Game), env.NewRand(1)
		warm, bounds := lazy(), 0
		var legal []env.Action
		for ply := range 60 {
			if legal = state.Legal(legal[:0]); len(legal) == 0 {
				break
			}
			value := warm.Evaluate(state)
			for _, alpha := range []int{value - 3000, value - 400, value, value + 400, value + 3000} {
				got, exact := warm.EvaluateWithin(state, alpha, alpha+1)
				want, also := lazy().EvaluateWithin(state, alpha, alpha+1)
				if got != want || exact != also {
					t.Errorf("%s, ply %d: %d (exact: %v) after Evaluate, %d (exact: %v) before", name, ply, got, exact, want, also)
				}
				switch {
				case exact && got != value:
					t.Errorf("%s, ply %d: the exact value is %d, that of Evaluate %d", name, ply, got, value)
				case !exact && (got <= alpha) != (value <= alpha):
					t.Errorf("%s, ply %d: the bound %d of %d is on the other side of %d", name, ply, got, value, alpha)
				case !exact:
					bounds++
				}
			}
			state.Apply(legal[rand.IntN(len(legal))])
		}
		if bounds == 0 {
			t.Errorf("%s: no evaluation is lazy", name)
		}
	}
}
