package vec_test

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/vec"
)

func TestTheNumberOfGoroutinesDoesNotShow(t *testing.T) {
	const n, steps = 101, 12
	for i, engine := range games.Engines() {
		g := game(t, engine.PresetNames()[0])
		for _, options := range []vec.Options{
			{MaxPlies: 9, Goroutines: 1, Autoreset: modes[i%2]},
			{MaxPlies: 11, Goroutines: 1, Opponent: vec.Random{}, RandomPlies: 3, Starts: starts(g, 2), Autoreset: modes[1-i%2]},
		} {
			alone := newVec(t, g, n, options)
			reset(t, alone, 9)
			others := map[string]*vec.Vec{}
			for _, goroutines := range []int{0, 2, 5} {
				options.Goroutines = goroutines
				v := newVec(t, g, n, options)
				reset(t, v, 9)
				others[fmt.Sprint(goroutines, " goroutines")] = v
			}
			for s := range steps {
				actions := sample(t, alone)
				for name, v := range others {
					if !reflect.DeepEqual(v.Results, alone.Results) {
						t.Fatalf("%s, %s: step %d gives other results", engine.Name, name, s)
					}
					if got := sample(t, v); !reflect.DeepEqual(got, actions) {
						t.Fatalf("%s, %s: step %d samples other actions", engine.Name, name, s)
					}
				}
				step(t, alone, actions)
				for _, v := range others {
					step(t, v, actions)
				}
			}
		}
	}
}

func TestABatchThatMeasuresItselfPlaysTheSameForLong(t *testing.T) {
	g := game(t, "ntxuva/basic")
	v, alone := newVec(t, g, 70, vec.Options{Autoreset: vec.SameStep}), newVec(t, g, 70, vec.Options{Autoreset: vec.SameStep, Goroutines: 1})
	reset(t, v, 2)
	reset(t, alone, 2)
	actions := make([]env.Action, v.Len())
	for range 10_100 { // past the second trial
		if err := v.SampleActions(actions); err != nil {
			t.Fatal(err)
		}
		step(t, v, actions)
		step(t, alone, actions)
	}
	if !reflect.DeepEqual(v.Results, alone.Results) {
		t.Error("the results differ")
	}
}

func TestAClosedBatchGoesOnAlone(t *testing.T) {
	g := game(t, "ntxuva/basic")
	v, alone := newVec(t, g, 100, vec.Options{Goroutines: 2}), newVec(t, g, 100, vec.Options{Goroutines: 1})
	reset(t, v, 5)
	reset(t, alone, 5)
	for s := range 20 {
		if s == 10 {
			v.Close()
			v.Close()
		}
		actions := sample(t, alone)
		step(t, alone, actions)
		step(t, v, actions)
		if !reflect.DeepEqual(v.Results, alone.Results) {
			t.Fatalf("step %d gives other results", s)
		}
	}
}

func TestAStepAllocatesNothing(t *testing.T) {
	for _, engine := range games.Engines() {
		g := game(t, engine.PresetNames()[0])
		for name, options := range map[string]vec.Options{
			"next step":       {MaxPlies: 9},
			"same step":       {MaxPlies: 9, Autoreset: vec.SameStep},
			"random plies":    {MaxPlies: 9, RandomPlies: 4, Starts: starts(g, 2)},
			"opponent":        {MaxPlies: 9, Opponent: vec.Random{}},
			"bits and mask":   {MaxPlies: 9, Outputs: vec.OutBits | vec.OutMask},
			"reward alone":    {MaxPlies: 9, Outputs: vec.OutReward},
			"two goroutines":  {MaxPlies: 9, Goroutines: 2},
			"measuring":       {MaxPlies: 9},
			"illegal loses":   {MaxPlies: 9, Illegal: vec.IllegalLoses},
			"list but no obs": {MaxPlies: 9, Outputs: vec.OutList},
		} {
			v := newVec(t, g, 40, options)
			reset(t, v, 1)
			actions := sample(t, v)
			t.Run(engine.Name+", "+name, func(t *testing.T) {
				envtest.AllocatesNothing(t, 20, func() {
					if v.SampleActions(actions) != nil || v.Step(actions) != nil {
						t.Error("a sampled action is refused")
					}
				})
			})
		}
	}
}

func TestABatchThatIsDroppedEndsItsGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	v, err := vec.New(game(t, "ntxuva/basic"), 200, vec.Options{Goroutines: 4})
	if err != nil {
		t.Fatal(err)
	}
	reset(t, v, 1)
	step(t, v, sample(t, v))
	v = nil
	for range 1000 {
		runtime.GC()
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}
