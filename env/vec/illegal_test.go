package vec_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/vec"
)

// copied returns a deep copy of the results.
func copied(r vec.Results) vec.Results {
	c := r
	value := reflect.ValueOf(&c).Elem()
	for i := range value.NumField() {
		if f := value.Field(i); !f.IsNil() {
			f.Set(reflect.AppendSlice(reflect.MakeSlice(f.Type(), 0, f.Len()), f))
		}
	}
	return c
}

// illegalIn returns actions that are not legal in a slot: one between the legal
// ones, and some outside the action space.
func illegalIn(v *vec.Vec, i int) []env.Action {
	beside := env.Action(0)
	for slices.Contains(legal(v, i), beside) {
		beside++
	}
	return []env.Action{beside, -1, env.Action(v.Game().Spec().Actions), 1 << 30, -1 << 31}
}

func TestAnIllegalActionIsAnErrorThatNamesSlotAndActionAndChangesNothing(t *testing.T) {
	g := game(t, "trench/standard")
	for _, outputs := range []vec.Outputs{0, vec.OutList | vec.OutReward, vec.OutMask, vec.OutReward} {
		for _, goroutines := range []int{1, 2} {
			full := newVec(t, g, 70, vec.Options{})
			v := newVec(t, g, 70, vec.Options{Outputs: outputs, Goroutines: goroutines})
			reset(t, full, 2)
			reset(t, v, 2)
			for range 5 {
				actions := sample(t, full)
				step(t, full, actions)
				step(t, v, actions)
			}
			before, saved := copied(v.Results), save(t, v)
			for _, a := range illegalIn(full, 41) {
				actions := sample(t, full)
				actions[41], actions[60] = a, -7
				err := v.Step(actions)
				if want := fmt.Sprintf("slot 41: action %d", a); err == nil || !strings.Contains(err.Error(), want) {
					t.Fatalf("outputs %b: error is %v, must name %q", outputs, err, want)
				}
			}
			if !reflect.DeepEqual(copied(v.Results), before) || !slices.Equal(save(t, v), saved) {
				t.Errorf("outputs %b: the refused steps have changed the batch", outputs)
			}
			actions := sample(t, full)
			step(t, full, actions)
			step(t, v, actions)
			for i := range v.Len() {
				if a, b := env.PositionText(v.State(i)), env.PositionText(full.State(i)); a != b {
					t.Fatalf("outputs %b: slot %d continues to %q, must be %q", outputs, i, a, b)
				}
			}
		}
	}
}

func TestAnIllegalActionLosesWhereThatIsAskedFor(t *testing.T) {
	g := game(t, "ntxuva/basic")
	for _, mode := range modes {
		for _, outputs := range []vec.Outputs{0, vec.OutList | vec.OutFinalInfo | vec.OutReward | vec.OutTurns} {
			for _, opponent := range []vec.Policy{nil, vec.Random{}} {
				options := vec.Options{Autoreset: mode, Illegal: vec.IllegalLoses, MaxPlies: 40, Opponent: opponent}
				m := newVector(g, 4, options, 6)
				v := newVec(t, g, 4, options)
				reset(t, v, 6)
				options.Outputs = outputs
				thin := newVec(t, g, 4, options)
				reset(t, thin, 6)
				r, lost := env.NewRand(1), 0
				for s := range 60 {
					agree(t, v, m, 1, func() []env.Action {
						actions := sample(t, v)
						if done := finished(thin); mode == vec.Disabled && slices.Contains(done, true) {
							if err := thin.ResetSlots(done); err != nil {
								t.Fatal(err)
							}
						}
						for i := range actions {
							if r.IntN(9) == 0 {
								actions[i] = illegalIn(v, i)[r.IntN(5)]
							}
						}
						step(t, thin, actions)
						return actions
					})
					for i, reason := range v.FinalReason {
						if v.Terminated[i] && reason == env.IllegalAction {
							lost++
						}
					}
					if !slices.Equal(thin.Reward, v.Reward) || !slices.Equal(thin.FinalReason, v.FinalReason) || !slices.Equal(thin.LegalActions, v.LegalActions) {
						t.Fatalf("step %d: without a mask the results differ", s)
					}
				}
				if lost == 0 {
					t.Error("no player lost by an illegal action")
				}
			}
		}
	}
}

// finished marks the slots whose episode has ended.
func finished(v *vec.Vec) []bool {
	mask := slices.Clone(v.Terminated)
	for i, cut := range v.Truncated {
		mask[i] = mask[i] || cut
	}
	return mask
}

// badPolicy returns an illegal action after some legal ones.
type badPolicy struct{ left *int }

func (p badPolicy) Choose(_ env.State, legal []env.Action, r *env.Rand) env.Action {
	if *p.left--; *p.left < 0 {
		return -3
	}
	return vec.Random{}.Choose(nil, legal, r)
}

func (p badPolicy) Clone() (vec.Policy, error) { return p, nil }

func TestAnOpponentThatPlaysWronglyIsNamed(t *testing.T) {
	left := 3
	v := newVec(t, game(t, "ntxuva/basic"), 2, vec.Options{Opponent: badPolicy{&left}, Seat: vec.SeatFirst})
	reset(t, v, 1)
	step(t, v, sample(t, v))
	err := v.Step(sample(t, v))
	if err == nil || !strings.Contains(err.Error(), "slot 1: the opponent chose action -3") {
		t.Fatalf("error is %v", err)
	}
	if err := v.Step(sample0(v)); err == nil || !strings.Contains(err.Error(), "must be Reset") {
		t.Errorf("the next step says %v", err)
	}
	left = 1 << 30
	reset(t, v, 1)
	step(t, v, sample(t, v))
}

func sample0(v *vec.Vec) []env.Action { return make([]env.Action, v.Len()) }

func TestAnOpponentThatEndsEveryGameBeforeTheLearnersTurnIsAnError(t *testing.T) {
	g := game(t, "ntxuva/basic")
	// One seed against one: every capture wipes the enemy out.
	start := finishingPosition(t, g)
	v := newVec(t, g, 2, vec.Options{Opponent: vec.Random{}, Seat: vec.SeatSecond, Starts: []string{start}})
	if err := v.Reset(1); err == nil || !strings.Contains(err.Error(), "slot 0") {
		t.Errorf("error is %v", err)
	}
	if err := v.Step(sample0(v)); err == nil {
		t.Error("the batch continues")
	}
}

// finishingPosition is one with First to move in which every move ends the game.
func finishingPosition(t *testing.T, g env.Game) string {
	t.Helper()
	r, s, next := env.NewRand(3), env.NewState(g), env.NewState(g)
	for range 10_000 {
		legal := s.Legal(nil)
		ends := len(legal) > 0 && s.Player() == env.First
		for _, a := range legal {
			next.CopyFrom(s)
			next.Apply(a)
			ends = ends && next.Player() == env.NoPlayer
		}
		if ends {
			return env.PositionText(s)
		}
		if len(legal) == 0 {
			s.Reset()
			continue
		}
		s.Apply(legal[r.IntN(len(legal))])
	}
	t.Fatal("no such position was found in 10,000 plies")
	return ""
}

func TestARefusedStepForgetsTheIllegalActionsInIt(t *testing.T) {
	v := newVec(t, game(t, "ntxuva/basic"), 2, vec.Options{MaxPlies: 2, Autoreset: vec.Disabled, Illegal: vec.IllegalLoses})
	reset(t, v, 1)
	step(t, v, sample(t, v))
	if err := v.ResetSlots([]bool{true, false}); err != nil {
		t.Fatal(err)
	}
	step(t, v, sample(t, v))
	if err := v.Step([]env.Action{-1, 0}); err == nil || !strings.Contains(err.Error(), "slot 1") {
		t.Fatalf("error is %v, must name slot 1, which is finished", err)
	}
	if err := v.ResetSlots([]bool{false, true}); err != nil {
		t.Fatal(err)
	}
	step(t, v, sample(t, v))
	if v.Terminated[0] || !v.Truncated[0] {
		t.Errorf("slot 0 has lost by the illegal action of a refused step: reason %v", v.FinalReason[0])
	}
}
