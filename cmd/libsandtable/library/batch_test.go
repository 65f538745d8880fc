package library

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/vec"
)

// arrayOf is a member of the layout of a batch, with its memory.
type arrayOf struct {
	Name  string
	Dtype string
	Shape []int
	bytes []byte
}

// newBatch opens a batch in memory of the test.
func newBatch(t testing.TB, l *Library, g int64, options map[string]any) (int64, map[string]*arrayOf) {
	t.Helper()
	all := layout(t, l, g, options)
	memory := make([][]byte, len(all))
	byName := map[string]*arrayOf{}
	for i, a := range all {
		memory[i], byName[a.Name] = a.bytes, a
	}
	return must(t)(l.NewBatch(g, encoded(t, options), memory)), byName
}

func layout(t testing.TB, l *Library, g int64, options map[string]any) []*arrayOf {
	t.Helper()
	var all []*arrayOf
	if err := json.Unmarshal([]byte(text(t, func(b []byte) (int64, error) { return l.Layout(g, encoded(t, options), b) })), &all); err != nil {
		t.Fatal(err)
	}
	sizes := map[string]int{"uint8": 1, "int8": 1, "bool": 1, "int32": 4, "float32": 4, "int64": 8, "uint64": 8}
	for _, a := range all {
		n := sizes[a.Dtype]
		for _, side := range a.Shape {
			n *= side
		}
		words := make([]uint64, n/8+1)
		a.bytes = unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n)
	}
	return all
}

// bytesOf returns the memory of a slice of numbers.
func bytesOf(slice reflect.Value) []byte {
	if slice.Len() == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(slice.UnsafePointer()), slice.Len()*int(slice.Type().Elem().Size()))
}

// sameOutputs ends the test if a batch of the library shows anything else than v.
func sameOutputs(t *testing.T, v *vec.Vec, arrays map[string]*arrayOf, what string) {
	t.Helper()
	value := reflect.ValueOf(&v.Results).Elem()
	seen := 0
	for i := range value.NumField() {
		name := snake(value.Type().Field(i).Name)
		if value.Field(i).IsNil() != (arrays[name] == nil) {
			t.Fatalf("%s: output %s is on in one batch only", what, name)
		}
		if value.Field(i).IsNil() {
			continue
		}
		seen++
		want, got := bytesOf(value.Field(i)), arrays[name].bytes
		if name == "legal_actions" {
			got = got[:len(want)]
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s: output %s differs", what, name)
		}
	}
	if seen != len(arrays) {
		t.Fatalf("%s: %d arrays, must be %d", what, len(arrays), seen)
	}
}

func TestABatchIsThatOfPackageVec(t *testing.T) {
	l := New()
	for i, name := range games.Presets() {
		v, err := games.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		autoreset := i % 3
		options := map[string]any{
			"n": 33, "autoreset": []string{"next_step", "same_step", "disabled"}[autoreset], "max_plies": 30, "random_plies": i % 2 * 3, "threads": 1 + i%2, "first_slot": i,
		}
		same := vec.Options{Autoreset: vec.Autoreset(autoreset), MaxPlies: 30, RandomPlies: i % 2 * 3, Goroutines: 1 + i%2, FirstSlot: i}
		if i%4 > 1 {
			options["opponent"], options["seat"], same.Opponent, same.Seat = "random", "second", vec.Random{}, vec.SeatSecond
		}
		if i%5 == 0 {
			options["outputs"], same.Outputs = []string{"bits", "list", "final_info"}, vec.OutBits|vec.OutList|vec.OutFinalInfo
		}
		b, arrays := newBatch(t, l, load(t, l, name), options)
		want, err := vec.New(v.Game, 33, same)
		if err != nil {
			t.Fatal(err)
		}
		if err := want.Reset(uint64(i)); err != nil {
			t.Fatal(err)
		}
		must(t)(l.Reset(b, uint64(i)))
		actions, wantActions := make([]env.Action, 33), make([]env.Action, 33)
		for step := range 60 {
			sameOutputs(t, want, arrays, fmt.Sprintf("%s, step %d", name, step))
			if autoreset == 2 {
				mask, any := make([]bool, 33), make([]byte, 33)
				for slot := range mask {
					if mask[slot] = want.Terminated[slot] || want.Truncated[slot]; mask[slot] {
						any[slot] = 255
					}
				}
				if slices.Contains(mask, true) {
					if err := want.ResetSlots(mask); err != nil {
						t.Fatal(err)
					}
					must(t)(l.ResetSlots(b, any))
				}
			}
			must(t)(l.Sample(b, actions))
			if err := want.SampleActions(wantActions); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(actions, wantActions) {
				t.Fatalf("%s, step %d: the samples differ", name, step)
			}
			if err := want.Step(actions); err != nil {
				t.Fatal(err)
			}
			if step%2 == 0 {
				must(t)(l.Step(b, actions))
				continue
			}
			if n := must(t)(l.Send(b, actions)); n != Pending {
				t.Fatalf("Send returns %d", n)
			}
			must(t)(finish(l, b)(Pending, nil))
		}
		must(t)(l.Close(b))
	}
}

func TestABatchContinuesFromWhatIsSaved(t *testing.T) {
	l := New()
	g := load(t, l, "trench/standard")
	options := map[string]any{"n": 8, "opponent": "random", "threads": 1}
	b, arrays := newBatch(t, l, g, options)
	twin, twins := newBatch(t, l, g, options)
	actions := make([]env.Action, 8)
	step := func(batch int64) {
		must(t)(l.Sample(batch, actions))
		must(t)(l.Step(batch, actions))
	}
	must(t)(l.Reset(b, 3))
	for range 50 {
		step(b)
	}
	must(t)(l.LoadBatch(twin, -1, []byte(text(t, func(buffer []byte) (int64, error) { return l.Save(b, -1, buffer) }))))
	for range 200 {
		step(b)
		step(twin)
		for name, a := range arrays {
			if a.Shape[0] == 8 && !strings.HasPrefix(name, "final") && !slices.Equal(a.bytes, twins[name].bytes) {
				t.Fatalf("output %s differs", name)
			}
		}
	}
	must(t)(l.LoadBatch(twin, 5, []byte(text(t, func(buffer []byte) (int64, error) { return l.Save(b, 2, buffer) }))))
	s := must(t)(l.SlotState(twin, 5))
	position := text(t, func(buffer []byte) (int64, error) { return l.Position(s, buffer) })
	other := must(t)(l.SlotState(b, 2))
	if want := text(t, func(buffer []byte) (int64, error) { return l.Position(other, buffer) }); position != want {
		t.Errorf("slot 5 is at %q, must be at %q", position, want)
	}
	must(t)(l.Set(b, 3, []byte(position)))
	for _, err := range []error{
		second(l.LoadBatch(twin, -1, nil)), second(l.LoadBatch(twin, 8, nil)), second(l.LoadBatch(twin, -2, nil)), second(l.Save(b, 8, nil)),
		second(l.Save(b, -2, nil)), second(l.Set(b, 8, nil)), second(l.Set(b, -1, nil)), second(l.Set(b, 0, []byte("x"))), second(l.SlotState(b, 8)),
		second(l.SlotState(b, math.MinInt64)), second(l.Step(b, nil)), second(l.Sample(b, make([]env.Action, 9))), second(l.ResetSlots(b, make([]byte, 7))),
		second(l.ResetSlots(b, make([]byte, 8))), second(l.Send(b, nil)),
	} {
		refused(t, err, Value, "")
	}
	_, err := l.Step(b, []env.Action{-1, -1, -1, -1, -1, -1, -1, -1})
	refused(t, err, Illegal, "action -1 is not legal")
	step(b)
}

func TestOptionsOfBatchesThatMeanNothing(t *testing.T) {
	l := New()
	g := load(t, l, "ntxuva/basic")
	for _, c := range []struct{ options, text string }{
		{`{}`, "n is 0"}, {`{"n":-1}`, "n is -1"}, {`{"n":9223372036854775807}`, "n is"}, {`{"n":2147483648}`, ""}, {`{"n":1e300}`, "options"},
		{`{"n":4,"autoreset":"never"}`, "option autoreset"}, {`{"n":4,"outputs":["x"]}`, `output "x"`}, {`{"n":4,"outputs":[]}`, "option outputs"},
		{`{"n":4,"seat":"left"}`, "option seat"}, {`{"n":4,"seat":"first"}`, "without an Opponent"}, {`{"n":4,"illegal":"wins"}`, "option illegal"},
		{`{"n":4,"max_plies":-5}`, "MaxPlies"}, {`{"n":4,"random_plies":-5}`, "RandomPlies"}, {`{"n":4,"threads":-5}`, "Goroutines"},
		{`{"n":4,"starts":["x"]}`, "Starts[0]"}, {`{"n":4,"first_slot":-1}`, "FirstSlot"}, {`{"n":4,"colour":1}`, "unknown field"}, {`[]`, "options"}, {``, "options"},
	} {
		_, err := l.Layout(g, []byte(c.options), nil)
		refused(t, err, Value, c.text)
		_, err = l.NewBatch(g, []byte(c.options), nil)
		refused(t, err, Value, c.text)
	}
	_, err := l.NewBatch(g, []byte(`{"n":4,"opponent":"nobody"}`), nil)
	refused(t, err, Value, "")
	options := map[string]any{"n": 4, "opponent": "nobody"}
	var memory [][]byte
	for _, a := range layout(t, l, g, options) {
		memory = append(memory, a.bytes)
	}
	_, err = l.NewBatch(g, encoded(t, options), memory)
	refused(t, err, Value, `agent "nobody" is unknown`)
	options["opponent"] = "alphabeta:depth=2,hash=1048576"
	_, err = l.NewBatch(g, encoded(t, options), memory)
	refused(t, err, Value, "")
	delete(options, "opponent")
	memory = nil
	for _, a := range layout(t, l, g, options) {
		memory = append(memory, a.bytes)
	}
	for i := range memory {
		short, odd := slices.Clone(memory), slices.Clone(memory)
		short[i] = short[i][:len(short[i])-1]
		_, err = l.NewBatch(g, encoded(t, options), short)
		refused(t, err, Value, "bytes, must have")
		spare := make([]uint64, len(odd[i])/8+2)
		odd[i] = unsafe.Slice((*byte)(unsafe.Pointer(&spare[0])), len(odd[i])+1)[1:]
		if a := layout(t, l, g, options)[i]; a.Dtype != "bool" && a.Dtype != "uint8" && a.Dtype != "int8" {
			_, err = l.NewBatch(g, encoded(t, options), odd)
			refused(t, err, Value, "not aligned")
		}
	}
	if live := l.Live(); live != 1 {
		t.Errorf("%d objects are open", live)
	}
}

func TestAStepWithASlowOpponentIsPendingAndBlocksTheBatch(t *testing.T) {
	l := New()
	g := load(t, l, "ntxuva/basic")
	b, _ := newBatch(t, l, g, map[string]any{"n": 2, "opponent": "alphabeta:depth=0,time=300ms", "seat": "first", "threads": 1, "max_plies": 4})
	must(t)(finish(l, b)(l.Reset(b, 1)))
	actions := make([]env.Action, 2)
	must(t)(l.Sample(b, actions))
	if n := must(t)(l.Step(b, actions)); n != Pending {
		t.Fatalf("Step returns %d", n)
	}
	for _, err := range []error{second(l.Sample(b, actions)), second(l.Step(b, actions)), second(l.Reset(b, 1)), second(l.Close(b)), second(l.Save(b, -1, nil))} {
		refused(t, err, Busy, "busy with an earlier call")
	}
	must(t)(finish(l, b)(Pending, nil))
	must(t)(l.Sample(b, actions))
	must(t)(l.Close(b))
}
