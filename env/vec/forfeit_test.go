package vec_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/vec"
)

// quitter is an opponent that gives up wherever it has so many legal actions.
type quitter struct{ at int }

func (q quitter) Choose(_ env.State, legal []env.Action, r *env.Rand) env.Action {
	if len(legal) == q.at {
		return env.NoAction
	}
	return vec.Random{}.Choose(nil, legal, r)
}

func (q quitter) Clone() (vec.Policy, error) { return q, nil }

// explainer is a quitter that says why.
type explainer struct {
	quitter
	reason env.Reason
}

func (e explainer) Forfeit() (env.Reason, string) { return e.reason, "for people" }

func (e explainer) Clone() (vec.Policy, error) { return e, nil }

func TestAnOpponentThatGivesUpLosesForTheReasonItTells(t *testing.T) {
	for _, c := range []struct {
		opponent vec.Policy
		want     env.Reason
	}{
		{quitter{3}, env.IllegalAction},
		{explainer{quitter{3}, env.Resigned}, env.Resigned},
		{explainer{quitter{3}, env.TimeForfeit}, env.TimeForfeit},
		{explainer{quitter{3}, env.Crashed}, env.Crashed},
		{explainer{quitter{3}, env.WipedOut}, env.IllegalAction}, // which is for the rules to say
	} {
		for _, mode := range modes {
			v := newVec(t, game(t, "ntxuva/basic"), 8, vec.Options{Autoreset: mode, Opponent: c.opponent, Seat: vec.SeatFirst})
			reset(t, v, 4)
			lost := 0
			for range 60 {
				if done := finished(v); mode == vec.Disabled && slices.Contains(done, true) {
					if err := v.ResetSlots(done); err != nil {
						t.Fatal(err)
					}
				}
				step(t, v, sample(t, v))
				for i, ended := range v.Terminated {
					if !ended || v.FinalReason[i] != c.want {
						continue
					}
					lost++
					if v.LearnerReward[i] != 1 || v.Reward[2*i] != 1 || v.Reward[2*i+1] != -1 || v.FinalResult[i] != env.WinFor(env.First) || v.Truncated[i] {
						t.Fatalf("%s: rewards %v, learner %v, result %v", c.want, v.Reward[2*i:2*i+2], v.LearnerReward[i], v.FinalResult[i])
					}
				}
			}
			if lost == 0 {
				t.Errorf("%s: the opponent never gave up", c.want)
			}
		}
	}
}

func TestAnOpponentThatGivesUpBeforeTheFirstTurnIsAnError(t *testing.T) {
	g := game(t, "ntxuva/basic")
	first := len(env.NewState(g).Legal(nil))
	v := newVec(t, g, 2, vec.Options{Opponent: explainer{quitter{first}, env.Crashed}, Seat: vec.SeatSecond})
	err := v.Reset(1)
	if want := "slot 0: the opponent gave up before the first turn: crashed"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error is %v, want it to say %q", err, want)
	}
}
