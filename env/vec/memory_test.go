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

// memoryFor returns memory for the outputs of v in its own slices.
func memoryFor(v *vec.Vec) *vec.Results {
	m := copied(v.Results)
	if m.LegalOffsets != nil {
		m.LegalActions = make([]env.Action, v.Game().Spec().ActionListsSize(v.Len()))
	}
	return &m
}

// scribble overwrites every element of every output.
func scribble(m *vec.Results) {
	value := reflect.ValueOf(m).Elem()
	for i := range value.NumField() {
		for j := range value.Field(i).Len() {
			switch e := value.Field(i).Index(j); {
			case e.CanInt():
				e.SetInt(-3)
			case e.CanUint():
				e.SetUint(255)
			case e.CanFloat():
				e.SetFloat(7)
			default:
				e.SetBool(true)
			}
		}
	}
}

func TestABatchInTheCallersMemoryPlaysTheSame(t *testing.T) {
	for _, goroutines := range []int{1, 2} {
		for _, outputs := range []vec.Outputs{0, vec.OutList | vec.OutTurns, vec.OutMask, vec.OutReward} {
			options := vec.Options{Outputs: outputs, Goroutines: goroutines, Opponent: vec.Random{}, MaxPlies: 60}
			g := game(t, "trench/standard")
			own := newVec(t, g, 70, options)
			options.Memory = memoryFor(own)
			theirs := newVec(t, g, 70, options)
			reset(t, own, 4)
			reset(t, theirs, 4)
			for range 100 {
				if !reflect.DeepEqual(copied(own.Results), copied(theirs.Results)) {
					t.Fatalf("outputs %b: the results differ", outputs)
				}
				for name, pair := range map[string][2]any{
					"Mask":         {options.Memory.Mask, own.Mask},
					"LegalOffsets": {options.Memory.LegalOffsets, own.LegalOffsets},
					"Terminated":   {options.Memory.Terminated, own.Terminated},
				} {
					if !reflect.DeepEqual(pair[0], pair[1]) {
						t.Fatalf("outputs %b: %s is not in the caller's memory", outputs, name)
					}
				}
				actions := sample(t, own)
				if !slices.Equal(actions, sample(t, theirs)) {
					t.Fatalf("outputs %b: the samples differ", outputs)
				}
				step(t, own, actions)
				step(t, theirs, actions)
			}
		}
	}
}

func TestWhatOthersWriteIntoTheMemoryMakesNoActionLegal(t *testing.T) {
	for _, goroutines := range []int{1, 2} {
		for _, outputs := range []vec.Outputs{0, vec.OutList, vec.OutMask} {
			options := vec.Options{Outputs: outputs, Goroutines: goroutines}
			g := game(t, "trench/standard")
			own := newVec(t, g, 70, options)
			full := newVec(t, g, 70, vec.Options{})
			options.Memory = memoryFor(own)
			theirs := newVec(t, g, 70, options)
			for _, v := range []*vec.Vec{own, theirs, full} {
				reset(t, v, 4)
			}
			for range 20 {
				actions := sample(t, full)
				scribble(options.Memory)
				if err := theirs.SampleActions(make([]env.Action, 70)); err != nil {
					t.Fatal(err)
				}
				for _, a := range illegalIn(full, 41) {
					bad := slices.Clone(actions)
					bad[41] = a
					if err := theirs.Step(bad); !errors.Is(err, vec.ErrIllegal) {
						t.Fatalf("outputs %b: action %d: error is %v", outputs, a, err)
					}
				}
				for _, v := range []*vec.Vec{own, theirs, full} {
					step(t, v, actions)
				}
				if !slices.Equal(own.LegalActions, theirs.LegalActions) || !slices.Equal(own.Mask, theirs.Mask) || !slices.Equal(own.Bits, theirs.Bits) {
					t.Fatalf("outputs %b: the results differ after the memory was overwritten", outputs)
				}
			}
		}
	}
}

func TestMemoryOfAnotherLengthIsRefused(t *testing.T) {
	g := game(t, "ntxuva/basic")
	for i := range reflect.TypeFor[vec.Results]().NumField() {
		name := reflect.TypeFor[vec.Results]().Field(i).Name
		options := vec.Options{Opponent: vec.Random{}}
		memory := memoryFor(newVec(t, g, 5, options))
		field := reflect.ValueOf(memory).Elem().Field(i)
		field.Set(field.Slice(0, field.Len()-1))
		options.Memory = memory
		if _, err := vec.New(g, 5, options); err == nil || !strings.Contains(err.Error(), "Memory."+name) {
			t.Errorf("%s one too short: error is %v", name, err)
		}
	}
	options := vec.Options{Outputs: vec.OutMask, Memory: &vec.Results{Obs: make([]uint8, 5)}}
	if _, err := vec.New(g, 5, options); err == nil || !strings.Contains(err.Error(), "Memory.Obs") {
		t.Errorf("memory for an output that is off: error is %v", err)
	}
	options.Memory = &vec.Results{Mask: make([]uint64, 5)}
	v := newVec(t, g, 5, options)
	if reset(t, v, 1); v.Terminated == nil || &v.Mask[0] != &options.Memory.Mask[0] {
		t.Error("the batch must allocate what Memory leaves out, and use the rest")
	}
}

// broken is an opponent that panics at its n-th choice.
type broken struct{ left *int }

func (b broken) Choose(_ env.State, legal []env.Action, _ *env.Rand) env.Action {
	if *b.left--; *b.left < 0 {
		panic("out of ideas")
	}
	return legal[0]
}

func (b broken) Clone() (vec.Policy, error) {
	left := *b.left
	return broken{&left}, nil
}

func TestAPanicIsAnErrorInEveryGoroutine(t *testing.T) {
	for _, goroutines := range []int{1, 2} {
		left := 400
		v := newVec(t, game(t, "ntxuva/basic"), 200, vec.Options{Opponent: broken{&left}, Goroutines: goroutines, Outputs: vec.OutList, Autoreset: vec.SameStep})
		err := v.Reset(1)
		for range 1000 {
			if err != nil {
				break
			}
			err = v.Step(sample(t, v))
		}
		if err == nil || !strings.Contains(err.Error(), "out of ideas") || !strings.Contains(err.Error(), "slots ") {
			t.Fatalf("error is %v, must name the panic and the slots", err)
		}
		if err := v.Step(make([]env.Action, 200)); err == nil || !strings.Contains(err.Error(), "must be Reset") {
			t.Errorf("after a panic: error is %v", err)
		}
		left = 1 << 30
		if goroutines == 1 {
			reset(t, v, 1)
			step(t, v, sample(t, v))
		}
	}
}
