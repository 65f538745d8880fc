package vec_test

import (
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/vec"
)

// sampler is a state that implements env.Sampler.
type sampler struct {
	bare
	samples *int
}

func (s sampler) CopyFrom(src env.State) { s.State.CopyFrom(src.(sampler).State) }

func (s sampler) Sample(r *env.Rand) env.Action {
	*s.samples++
	legal := s.Legal(nil)
	if len(legal) == 0 {
		return env.NoAction
	}
	return legal[r.IntN(len(legal))]
}

// samplerGame is a game whose states implement env.Sampler.
type samplerGame struct {
	env.Game
	samples *int
}

func (g samplerGame) NewStates(n int) []env.State {
	states := g.Game.NewStates(n)
	for i := range states {
		states[i] = sampler{bare{states[i]}, g.samples}
	}
	return states
}

func TestABatchWithoutListsDrawsFromTheSamplerOfTheStates(t *testing.T) {
	g, samples := game(t, "trench/standard"), 0
	v := newVec(t, samplerGame{g, &samples}, 5, vec.Options{Outputs: vec.OutReward, MaxPlies: 30, Goroutines: 1})
	alone := newVec(t, g, 5, vec.Options{MaxPlies: 30, Goroutines: 1})
	reset(t, v, 4)
	reset(t, alone, 4)
	for range 90 {
		want, before := sample(t, alone), samples
		if got := sample(t, v); !slices.Equal(got, want) {
			t.Fatalf("actions are %v, must be %v", got, want)
		}
		running := 0
		for i := range alone.Len() {
			if alone.ToMove[i] != env.NoPlayer {
				running++
			}
		}
		if samples-before != running {
			t.Fatalf("%d samples are drawn for %d running slots", samples-before, running)
		}
		step(t, v, want)
		step(t, alone, want)
	}
}

func TestSampledActionsAreLegalAndCoverAllLegalOnesWithAnyOutputs(t *testing.T) {
	for _, engine := range games.Engines() {
		g := game(t, engine.PresetNames()[0])
		for _, outputs := range []vec.Outputs{vec.OutList, vec.OutMask, vec.OutReward} {
			v := newVec(t, g, 64, vec.Options{Outputs: outputs})
			reset(t, v, 3)
			want := env.NewState(g).Legal(nil)
			drawn := map[env.Action]int{}
			for range 200 {
				for _, a := range sample(t, v) {
					drawn[a]++
				}
			}
			for a := range drawn {
				if !slices.Contains(want, a) {
					t.Fatalf("%s, outputs %b: action %d is drawn, which is not legal", engine.Name, outputs, a)
				}
			}
			if len(drawn) != len(want) {
				t.Errorf("%s, outputs %b: %d actions are drawn of %d", engine.Name, outputs, len(drawn), len(want))
			}
			mean := 64 * 200 / len(want)
			for a, n := range drawn {
				if n < mean/4 || n > 4*mean {
					t.Errorf("%s, outputs %b: action %d is drawn %d times, the mean is %d", engine.Name, outputs, a, n, mean)
				}
			}
			for range 30 {
				step(t, v, sample(t, v))
			}
		}
	}
}

func TestTheSampledActionOfAFinishedSlotIsZero(t *testing.T) {
	for _, engine := range games.Engines() {
		for _, outputs := range []vec.Outputs{vec.OutList, vec.OutReward} {
			v := newVec(t, game(t, engine.PresetNames()[0]), 3, vec.Options{Outputs: outputs, MaxPlies: 1, Autoreset: vec.Disabled})
			reset(t, v, 1)
			step(t, v, sample(t, v))
			actions := []env.Action{7, 7, 7}
			if err := v.SampleActions(actions); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(actions, []env.Action{0, 0, 0}) {
				t.Errorf("%s, outputs %b: actions %v are drawn in finished slots", engine.Name, outputs, actions)
			}
		}
	}
}
