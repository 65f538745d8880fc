package vec_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/vec"
)

func TestOptionsThatMeanNothingAreNamed(t *testing.T) {
	g := game(t, "ntxuva/basic")
	last := finishingPosition(t, g)
	over := env.NewState(g)
	if err := over.SetPosition(last); err != nil {
		t.Fatal(err)
	}
	over.Apply(over.Legal(nil)[0])
	for word, options := range map[string]vec.Options{
		"Autoreset":              {Autoreset: 3},
		"Outputs":                {Outputs: 1 << 15},
		"MaxPlies":               {MaxPlies: -2},
		"RandomPlies is -1":      {RandomPlies: -1},
		"RandomPlies is 7":       {RandomPlies: 7, MaxPlies: 7},
		"Seat is 3":              {Seat: 3, Opponent: vec.Random{}},
		"without an Opponent":    {Seat: vec.SeatFirst},
		"Illegal":                {Illegal: 2},
		"Goroutines":             {Goroutines: -1},
		"Starts[1]":              {Starts: []string{g.Spec().StartText, "x"}},
		"where the game is over": {Starts: []string{env.PositionText(over)}},
	} {
		if _, err := vec.New(g, 2, options); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("error is %v, must speak of %q", err, word)
		}
	}
	for _, n := range []int{0, -1, 1 << 31} {
		if _, err := vec.New(g, n, vec.Options{}); err == nil {
			t.Errorf("a batch of %d is made", n)
		}
	}
}

func TestAnOutputThatIsOffIsNilAndTheOthersAreTheSame(t *testing.T) {
	g := game(t, "trench/standard")
	// The outputs that each bit selects.
	fields := map[vec.Outputs][]string{
		vec.OutPlanes:    {"Obs", "FinalObs"},
		vec.OutBits:      {"Bits", "Scalars", "FinalBits", "FinalScalars"},
		vec.OutList:      {"LegalOffsets", "LegalActions"},
		vec.OutMask:      {"Mask"},
		vec.OutTurns:     {"ToMove", "Viewer"},
		vec.OutReward:    {"Reward", "LearnerReward"},
		vec.OutFinalObs:  {"FinalObs", "FinalBits", "FinalScalars"},
		vec.OutFinalInfo: {"FinalViewer", "FinalResult", "FinalReason", "FinalReturn", "FinalPlies", "FinalSteps", "FinalSeat", "FinalEpisode"},
	}
	all := vec.Outputs(0)
	for out := range fields {
		all |= out
	}
	options := vec.Options{MaxPlies: 25, Opponent: vec.Random{}}
	full := newVec(t, g, 6, options)
	reset(t, full, 4)
	thin := map[vec.Outputs]*vec.Vec{}
	for out := range fields {
		options.Outputs = all &^ out
		thin[out] = newVec(t, g, 6, options)
		reset(t, thin[out], 4)
	}
	for range 60 {
		actions := sample(t, full)
		want := reflect.ValueOf(full.Results)
		for out, v := range thin {
			got := reflect.ValueOf(v.Results)
			for i := range got.NumField() {
				name := got.Type().Field(i).Name
				if slices.Contains(fields[out], name) {
					if !got.Field(i).IsNil() {
						t.Fatalf("without %b: %s is not nil", out, name)
					}
				} else if !reflect.DeepEqual(got.Field(i).Interface(), want.Field(i).Interface()) {
					t.Fatalf("without %b: %s differs", out, name)
				}
			}
			if sampled := sample(t, v); !slices.Equal(sampled, actions) {
				t.Fatalf("without %b: %v is sampled, must be %v", out, sampled, actions)
			}
			step(t, v, actions)
		}
		step(t, full, actions)
	}
}

func TestABatchBeginsWithReset(t *testing.T) {
	v := newVec(t, game(t, "ntxuva/basic"), 2, vec.Options{})
	if v.Step(make([]env.Action, 2)) == nil || v.SampleActions(make([]env.Action, 2)) == nil {
		t.Error("a batch that was not reset plays")
	}
	reset(t, v, 1)
	if v.Step(make([]env.Action, 3)) == nil || v.SampleActions(make([]env.Action, 1)) == nil {
		t.Error("a wrong number of actions is accepted")
	}
}

func TestResetWithTheSameSeedRepeatsAndWithAnotherDoesNot(t *testing.T) {
	v := newVec(t, game(t, "trench/standard"), 4, vec.Options{MaxPlies: 30, RandomPlies: 3})
	play := func(seed uint64) (hashes []uint64) {
		reset(t, v, seed)
		for range 50 {
			step(t, v, sample(t, v))
			for i := range v.Len() {
				hashes = append(hashes, v.State(i).Hash())
			}
		}
		return hashes
	}
	first := play(1)
	if !slices.Equal(first, play(1)) {
		t.Error("the same seed plays otherwise")
	}
	if slices.Equal(first, play(2)) {
		t.Error("another seed plays the same")
	}
}

// lonely is a policy that cannot be cloned.
type lonely struct{ vec.Random }

func (lonely) Clone() (vec.Policy, error) { return nil, errors.New("there is but one") }

func TestAnOpponentThatCannotBeClonedIsNamedWhereClonesAreWanted(t *testing.T) {
	g := game(t, "ntxuva/basic")
	if _, err := vec.New(g, 100, vec.Options{Opponent: lonely{}, Goroutines: 2}); err == nil || !strings.Contains(err.Error(), "Opponent: there is but one") {
		t.Errorf("error is %v", err)
	}
	newVec(t, g, 100, vec.Options{Opponent: lonely{}, Goroutines: 1})
}
