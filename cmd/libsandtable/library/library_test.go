package library

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

// must returns n, and ends the test if there is an error.
func must(t testing.TB) func(n int64, err error) int64 {
	return func(n int64, err error) int64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
}

// refused ends the test unless err is of a kind and contains a text.
func refused(t *testing.T, err error, kind Kind, text string) {
	t.Helper()
	if err == nil || kindOf(err) != kind || !strings.Contains(err.Error(), text) {
		t.Errorf("error is %v, must be of kind %s and contain %q", err, kind, text)
	}
}

// text returns what a function writes to a buffer.
func text(t testing.TB, write func(buffer []byte) (int64, error)) string {
	t.Helper()
	buffer := make([]byte, must(t)(write(nil)))
	must(t)(write(buffer))
	return string(buffer)
}

func encoded(t testing.TB, value any) []byte {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func load(t testing.TB, l *Library, variant string) int64 {
	t.Helper()
	return must(t)(l.Load(encoded(t, map[string]string{"variant": variant})))
}

// finish waits for a call.
func finish(l *Library, handle int64) func(int64, error) (int64, error) {
	return func(n int64, err error) (int64, error) {
		for err == nil && n == Pending {
			n, err = l.Wait(handle, 1000)
		}
		return n, err
	}
}

func TestAHandleIsNeverUsedTwice(t *testing.T) {
	l := New()
	g := load(t, l, "ntxuva/basic")
	seen := map[int64]bool{0: true, -1: true, 1: true, 1 << 62: true}
	for range 1000 {
		s := must(t)(l.NewState(g, nil))
		if seen[s] {
			t.Fatalf("handle %d is used twice", s)
		}
		seen[s] = true
		must(t)(l.Close(s))
	}
	if live := l.Live(); live != 1 {
		t.Errorf("%d objects are open, must be 1", live)
	}
	for handle := range seen {
		for name, call := range map[string]func() (int64, error){
			"Status": func() (int64, error) { return l.Status(handle) },
			"Close":  func() (int64, error) { return l.Close(handle) },
			"Wait":   func() (int64, error) { return l.Wait(handle, 0) },
			"Cancel": func() (int64, error) { return l.Cancel(handle) },
			"Report": func() (int64, error) { return l.Report(handle, nil) },
			"Clone":  func() (int64, error) { return l.Clone(handle) },
			"Layout": func() (int64, error) { return l.Layout(handle, nil, nil) },
		} {
			if _, err := call(); kindOf(err) != Closed {
				t.Fatalf("%s of handle %d: error is %v", name, handle, err)
			}
		}
	}
}

func TestAHandleOfAnotherTypeIsRefused(t *testing.T) {
	l := New()
	g := load(t, l, "ntxuva/basic")
	s := must(t)(l.NewState(g, nil))
	a := must(t)(l.NewAgent(g, []byte(`{"agent":"random"}`)))
	_, err := l.Status(g)
	refused(t, err, Value, "handle is that of a game, must be that of a state")
	_, err = l.NewState(s, nil)
	refused(t, err, Value, "handle is that of a state, must be that of a game")
	_, err = l.Step(s, nil)
	refused(t, err, Value, "must be that of a batch")
	_, err = l.Choose(a, a)
	refused(t, err, Value, "must be that of a state")
	_, err = l.Choose(a, g)
	refused(t, err, Value, "must be that of a state")
	_, err = l.Report(s, nil)
	refused(t, err, Value, "no report")
	_, err = l.Wait(s, 0)
	refused(t, err, Value, "no call to wait for")
	if status := must(t)(l.Status(s)); status != 1|1<<2 {
		t.Errorf("status is %b", status)
	}
}

func TestAnErrorIsReadOnce(t *testing.T) {
	l := New()
	code := l.Code(l.Status(5))
	if code >= 0 {
		t.Fatalf("code is %d, must be negative", code)
	}
	short := []byte("abc")
	n := l.Fault(code, short)
	if n <= 3 || string(short) != "abc" {
		t.Errorf("a short buffer is %q and the length %d", short, n)
	}
	buffer := make([]byte, n)
	l.Fault(code, buffer)
	var fault struct{ Kind, Text string }
	if err := json.Unmarshal(buffer, &fault); err != nil || fault.Kind != "closed" || !strings.Contains(fault.Text, "handle 5") {
		t.Errorf("the error is %s (%v)", buffer, err)
	}
	for _, code := range []int64{code, 0, 7, -1 << 63, -1000} {
		if n := l.Fault(code, buffer); n != 0 {
			t.Errorf("code %d has an error of %d bytes", code, n)
		}
	}
	for range 10 * keptFaults {
		code = l.Code(l.Status(5))
	}
	if l.Fault(code, nil) == 0 {
		t.Error("the last of many errors is forgotten")
	}
	if l.Fault(code+keptFaults, nil) != 0 {
		t.Error("errors that nobody reads are kept")
	}
}

// faulty is a state that panics.
type faulty struct{ env.State }

func (faulty) Legal([]env.Action) []env.Action { panic("cannot count") }

func TestAPanicIsAnErrorAndEndsTheUseOfTheObject(t *testing.T) {
	l := New()
	g := load(t, l, "ntxuva/basic")
	game, err := l.game(g)
	if err != nil {
		t.Fatal(err)
	}
	s := l.open(&state{game: game, state: faulty{env.NewState(game.variant.Game)}})
	_, err = l.Apply(s, 0)
	refused(t, err, Internal, "cannot count")
	_, err = l.Status(s)
	refused(t, err, Internal, "must be closed after an earlier error")
	must(t)(l.Close(s))

	a := must(t)(l.NewAgent(g, []byte(`{"agent":"random"}`)))
	sound := must(t)(l.NewState(g, nil))
	e, err := l.table.find(a)
	if err != nil {
		t.Fatal(err)
	}
	e.object.(*player).agent = nil
	_, err = finish(l, a)(l.Choose(a, sound))
	refused(t, err, Internal, "panic")
	_, err = l.Choose(a, sound)
	refused(t, err, Internal, "must be closed")
	must(t)(l.Status(sound))
}

func TestAnotherThreadGetsAnError(t *testing.T) {
	l := New()
	s := must(t)(l.NewState(load(t, l, "ntxuva/basic"), nil))
	_, err := use(l, s, func(*state) (int64, error) {
		for name, call := range map[string]func() (int64, error){
			"Status": func() (int64, error) { return l.Status(s) }, "Close": func() (int64, error) { return l.Close(s) },
			"Wait": func() (int64, error) { return l.Wait(s, 0) },
		} {
			if _, err := call(); kindOf(err) != Busy {
				t.Errorf("%s: error is %v", name, err)
			}
		}
		return 0, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	must(t)(l.Close(s))
}

func TestGamesAndTheirDescriptions(t *testing.T) {
	l := New()
	var names []string
	if err := json.Unmarshal([]byte(text(t, l.Games)), &names); err != nil || !slices.Equal(names, games.Presets()) {
		t.Fatalf("games are %v (%v)", names, err)
	}
	for _, name := range names {
		g := load(t, l, name)
		v, err := games.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		var d description
		if err := json.Unmarshal([]byte(text(t, func(b []byte) (int64, error) { return l.Describe(g, b) })), &d); err != nil {
			t.Fatal(err)
		}
		spec := v.Game.Spec()
		if d.Digest != v.Digest || d.Actions != spec.Actions || len(d.ActionCells) != spec.Actions || len(d.Planes) != len(spec.Planes) ||
			d.ObservationShape[0]*d.ObservationShape[1]*d.ObservationShape[2] != spec.ObservationSize() || len(d.Ends) != len(spec.Ends) ||
			d.ListSize != spec.ActionListsSize(1) || d.Title == "" || d.Reasons[0] != "none" || len(d.Pieces) != len(spec.Pieces) {
			t.Errorf("%s: the description is wrong: %+v", name, d)
		}
		again := must(t)(l.Load(encoded(t, map[string]any{"rules": string(d.Rules), "digest": d.Digest})))
		if a, _ := l.game(again); a.variant.Digest != d.Digest || a.variant.Name != d.Variant {
			t.Errorf("%s: its rules make %s", name, a.variant.Name)
		}
	}
}

func TestOverridesAndFaultsOfRules(t *testing.T) {
	l := New()
	g, err := l.game(must(t)(l.Load([]byte(`{"variant":"trench/standard","overrides":{"target_points":20}}`))))
	if err != nil || g.variant.Name != `trench/standard{"target_points":20}` {
		t.Errorf("the variant is %q (%v)", g.variant.Name, err)
	}
	deep := strings.Repeat(`{"a":`, 1_000_000)
	for _, c := range []struct{ source, text string }{
		{`{}`, "either variant or rules"},
		{``, "EOF"},
		{`{"variant":"trench/standard"}{}`, "text follows"},
		{`{"variant":"trench/standard","rules":"{}"}`, "either variant or rules"},
		{`{"variant":"chess"}`, "chess"},
		{`{"variant":"@/dev/zero"}`, "must be a file"},
		{`{"variant":"trench/standard","digest":"sha256:00"}`, "a different version of Sandtable"},
		{`{"variant":"trench/standard","overrides":[1]}`, "overrides must be an object"},
		{`{"variant":"ntxuva/basic","overrides":{"columns":99}}`, "columns is 99, must be 2 to 16"},
		{`{"rules":"{\"base\":\"ntxuva/basic\",\"columns\":99}"}`, "columns is 99"},
		{`{"size":3}`, "unknown field"},
		{string(encoded(t, map[string]string{"rules": deep[:2_000_000]})), "rules"},
		{`{"variant":"trench/standard","overrides":` + deep + `}`, "must be at most"},
	} {
		_, err := l.Load([]byte(c.source))
		refused(t, err, Value, c.text)
	}
}

// play calls each before each ply of a random game of each preset.
func play(t *testing.T, l *Library, each func(g, s int64, want env.State, legal []env.Action)) {
	t.Helper()
	for _, name := range games.Presets() {
		g := load(t, l, name)
		s := must(t)(l.NewState(g, nil))
		v, err := games.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		want := env.NewState(v.Game)
		r := env.NewRand(7)
		list := make([]env.Action, v.Game.Spec().ActionListsSize(1))
		for ply := range int64(40) {
			n := must(t)(l.Legal(s, list))
			legal := want.Legal(nil)
			if !slices.Equal(list[:n], legal) {
				t.Fatalf("%s: legal actions are %v, must be %v", name, list[:n], legal)
			}
			each(g, s, want, legal)
			if len(legal) == 0 {
				break
			}
			a := legal[r.IntN(len(legal))]
			want.Apply(a)
			status := must(t)(l.Apply(s, int64(a)))
			result, reason := want.Result()
			if status&3 != int64(want.Player()+1) || status>>2&3 != int64(result+1) || status>>4&255 != int64(reason) || status>>12 != ply+1 {
				t.Fatalf("%s: status is %b", name, status)
			}
		}
	}
}

func TestAStateIsThatOfTheGame(t *testing.T) {
	l := New()
	play(t, l, func(g, s int64, want env.State, legal []env.Action) {
		spec := mustGame(t, l, g).spec
		mask := make([]int8, spec.Actions)
		must(t)(l.Mask(s, mask))
		for a, m := range mask {
			if (m == 1) != slices.Contains(legal, env.Action(a)) {
				t.Fatalf("%s: mask of action %d is %d", spec.Name, a, m)
			}
		}
		planes, bits, scalars := make([]uint8, spec.ObservationSize()), make([]uint64, spec.ObservationBitWords()), make([]uint8, spec.ObservationScalars())
		wantPlanes := slices.Clone(planes)
		for viewer := range env.Player(2) {
			want.Observe(wantPlanes, viewer)
			must(t)(l.Observe(s, int64(viewer), planes))
			must(t)(l.ObserveBits(s, int64(viewer), bits, scalars))
			if !slices.Equal(planes, wantPlanes) {
				t.Fatalf("%s: the planes differ", spec.Name)
			}
			spec.UnpackObservation(planes, bits, scalars)
			if !slices.Equal(planes, wantPlanes) {
				t.Fatalf("%s: the packed observation differs", spec.Name)
			}
		}
		if viewer := must(t)(l.Observe(s, -1, planes)); want.Player() != env.NoPlayer && viewer != int64(want.Player()) {
			t.Fatalf("%s: the viewer is %d", spec.Name, viewer)
		}
		position := text(t, func(b []byte) (int64, error) { return l.Position(s, b) })
		var hash [1]uint64
		must(t)(l.Hash(s, hash[:]))
		if position != env.PositionText(want) || hash[0] != want.Hash() {
			t.Fatalf("%s: position is %q, hash %x", spec.Name, position, hash)
		}
		if scorer, ok := want.(env.Scorer); ok {
			var points [2]int64
			must(t)(l.Points(s, points[:]))
			if points[0] != int64(scorer.Points(0)) || points[1] != int64(scorer.Points(1)) {
				t.Fatalf("%s: points are %v", spec.Name, points)
			}
		}
		for _, a := range legal[:min(3, len(legal))] {
			move := text(t, func(b []byte) (int64, error) { return l.ActionText(s, int64(a), b) })
			if move != env.ActionText(want, a) || must(t)(l.ParseAction(s, []byte(move))) != int64(a) {
				t.Fatalf("%s: the move of action %d is %q", spec.Name, a, move)
			}
		}
		if must(t)(l.Status(s))>>12 == 0 && (!strings.HasPrefix(text(t, func(b []byte) (int64, error) { return l.SVG(s, 0, 1, 0, b) }), "<svg") || text(t, func(b []byte) (int64, error) { return l.Text(s, b) }) == "") {
			t.Fatalf("%s: there are no pictures", spec.Name)
		}
		for i := range symmetriesOf(mustGame(t, l, g).variant.Game) {
			must(t)(l.Image(s, int64(i), slices.Clone(legal)))
		}
	})
}

func mustGame(t *testing.T, l *Library, handle int64) *game {
	t.Helper()
	g, err := l.game(handle)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// continuation is the text of a state and of the games that the actions make of it.
func continuation(t *testing.T, l *Library, s int64, plies int) string {
	t.Helper()
	c := must(t)(l.Clone(s))
	defer l.Close(c)
	r := env.NewRand(3)
	var out strings.Builder
	list := make([]env.Action, 10_000)
	for range plies {
		fmt.Fprintln(&out, must(t)(l.Status(c)), text(t, func(b []byte) (int64, error) { return l.Position(c, b) }))
		n := must(t)(l.Legal(c, list))
		if n == 0 {
			break
		}
		must(t)(l.Apply(c, int64(list[r.IntN(int(n))])))
	}
	return out.String()
}

func TestSnapshotsClonesAndCopiesContinueIdentically(t *testing.T) {
	l := New()
	ply := 0
	play(t, l, func(g, s int64, _ env.State, _ []env.Action) {
		if ply++; ply%30 != 0 {
			return
		}
		want := continuation(t, l, s, 30)
		snapshot := []byte(text(t, func(b []byte) (int64, error) { return l.Snapshot(s, b) }))
		restored := must(t)(l.Restore(g, snapshot))
		other := must(t)(l.NewState(g, nil))
		must(t)(l.CopyFrom(other, s))
		for name, twin := range map[string]int64{"restored": restored, "copied": other, "cloned": must(t)(l.Clone(s))} {
			if got := continuation(t, l, twin, 30); got != want {
				t.Fatalf("a %s state continues differently:\n%s\n%s", name, got, want)
			}
		}
		for i := range snapshot {
			damaged := slices.Clone(snapshot)
			damaged[i] ^= 16
			if _, err := l.Restore(g, damaged); err == nil {
				t.Fatalf("a snapshot with another byte %d is accepted", i)
			}
		}
		for n := range snapshot {
			if _, err := l.Restore(g, snapshot[:n]); err == nil {
				t.Fatalf("%d bytes of a snapshot are accepted", n)
			}
		}
	})
	s := must(t)(l.NewState(load(t, l, "ntxuva/basic"), nil))
	_, err := l.Restore(load(t, l, "trench/standard"), []byte(text(t, func(b []byte) (int64, error) { return l.Snapshot(s, b) })))
	refused(t, err, Value, "belongs to the rules sha256:")
}

func TestPlayShowsWhatEachMoverSees(t *testing.T) {
	l := New()
	g := load(t, l, "trench/standard")
	spec := mustGame(t, l, g).spec
	s, whole := must(t)(l.NewState(g, nil)), must(t)(l.NewState(g, nil))
	var actions []env.Action
	var movers, planes, scalars []byte
	list := make([]env.Action, spec.ActionListsSize(1))
	for range 30 {
		n := must(t)(l.Legal(s, list))
		actions = append(actions, list[n/2])
		movers = append(movers, byte(must(t)(l.Status(s))&3-1))
		one := make([]byte, spec.ObservationSize())
		must(t)(l.Observe(s, -1, one))
		planes = append(planes, one...)
		must(t)(l.Apply(s, int64(list[n/2])))
	}
	scalars = make([]byte, 30*spec.ObservationScalars())
	memory := [][]byte{make([]byte, 30), make([]byte, len(planes)), make([]byte, 30*8*spec.ObservationBitWords()), scalars, make([]byte, 30*8*spec.MaskWords())}
	if status := must(t)(l.Play(whole, actions, memory)); status != must(t)(l.Status(s)) {
		t.Errorf("the status is %b", status)
	}
	if !slices.Equal(memory[0], movers) || !slices.Equal(memory[1], planes) {
		t.Error("movers and planes are not those of single plies")
	}
	again := must(t)(l.NewState(g, nil))
	must(t)(l.Play(again, actions, make([][]byte, 5)))
	_, err := l.Play(again, []env.Action{actions[0], 99_999}, make([][]byte, 5))
	refused(t, err, Illegal, "is not legal")
	for i := range memory {
		short := slices.Clone(memory)
		short[i] = short[i][:len(short[i])-1]
		_, err = l.Play(again, actions, short)
		refused(t, err, Value, "array ")
	}
	_, err = l.Play(again, actions, memory[:4])
	refused(t, err, Value, "outputs")
	_, err = l.Play(again, make([]env.Action, mostPlayed+1), memory)
	refused(t, err, Value, "in parts")
}

func TestWrongArgumentsOfStatesChangeNothing(t *testing.T) {
	l := New()
	g := load(t, l, "trench/standard")
	s := must(t)(l.NewState(g, nil))
	want := continuation(t, l, s, 20)
	for _, a := range []int64{-1, 99_999, 1 << 40, -1 << 63, 1<<32 + 126} {
		_, err := l.Apply(s, a)
		refused(t, err, Illegal, "not legal")
		_, err = l.ActionText(s, a, nil)
		refused(t, err, Illegal, "not legal")
	}
	for _, err := range []error{
		second(l.Legal(s, nil)), second(l.Mask(s, make([]int8, 5))), second(l.Observe(s, 0, nil)), second(l.Observe(s, 2, nil)),
		second(l.Observe(s, -2, nil)), second(l.ObserveBits(s, 0, nil, nil)), second(l.Hash(s, nil)), second(l.Points(s, nil)),
		second(l.SVG(s, -1, 0, 0, nil)), second(l.SVG(s, 1<<40, 0, 0, nil)), second(l.SVG(s, 0, 3, 0, nil)), second(l.Image(s, 99, nil)),
		second(l.SetPosition(s, []byte("x"))), second(l.SetPosition(s, make([]byte, mostText+1))), second(l.ParseAction(s, []byte("x"))),
		second(l.NewState(g, []byte{})), second(l.CopyFrom(s, must(t)(l.NewState(load(t, l, "ntxuva/basic"), nil)))),
	} {
		refused(t, err, Value, "")
	}
	if continuation(t, l, s, 20) != want {
		t.Error("the state has changed")
	}
}

func second(_ int64, err error) error {
	if err == nil {
		return faultf(Internal, "no error, must be refused")
	}
	return err
}
