package selfplay_test

import (
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/vec"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

func TestAgentsAreOpponentsInBatches(t *testing.T) {
	v, err := games.Lookup("trench/standard")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"random", "greedy"} {
		spec := selfplaytest.Agent(t, v.Name, text)
		play := func(goroutines int) (rewards []float32, total float32) {
			opponent, err := selfplay.NewPolicy(spec, v.Game)
			if err != nil {
				t.Fatal(err)
			}
			batch, err := vec.New(v.Game, 70, vec.Options{Opponent: opponent, Autoreset: vec.SameStep, Goroutines: goroutines})
			if err != nil {
				t.Fatal(err)
			}
			defer batch.Close()
			if err := batch.Reset(3); err != nil {
				t.Fatal(err)
			}
			actions := make([]env.Action, batch.Len())
			for range 150 {
				if err := batch.SampleActions(actions); err != nil {
					t.Fatal(err)
				}
				if err := batch.Step(actions); err != nil {
					t.Fatal(err)
				}
				rewards = append(rewards, batch.LearnerReward...)
				for _, r := range batch.LearnerReward {
					total += r
				}
			}
			return rewards, total
		}
		alone, total := play(1)
		if together, _ := play(2); !slices.Equal(alone, together) {
			t.Errorf("%s plays otherwise on two goroutines", text)
		}
		if text == "greedy" && total > -50 {
			t.Errorf("random play against greedy gains %v", total)
		}
	}
}
