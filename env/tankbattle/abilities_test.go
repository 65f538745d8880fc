package tankbattle_test

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/tankbattle"
)

func TestTraceTellsTheCaptureThenTheMove(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w", "Ta3 Cb1 ca5 tk11")
	a, err := s.ParseAction("a3xa5")
	if err != nil {
		t.Fatal(err)
	}
	listed := s.(env.PieceLister).Pieces(nil)
	of := func(square int16) env.Piece {
		return listed[slices.IndexFunc(listed, func(p env.Piece) bool { return p.Square == square })]
	}
	hunter, victim := of(22), of(44)
	event := func(kind env.EventKind, victim, id int16) env.Event {
		return env.Event{Kind: kind, Player: env.First, Piece: 1, PieceID: hunter.ID, From: 22, To: 44, Victim: victim, VictimID: id, Count: 1}
	}
	want := []env.Event{event(env.Captured, 0, victim.ID), event(env.Moved, env.None, env.None)}
	if events := s.(env.Tracer).Trace(a, nil); !slices.Equal(events, want) {
		t.Errorf("%+v, want %+v", events, want)
	}
}

func TestIdsStayWithThePieces(t *testing.T) {
	for _, name := range presetNames {
		s := env.NewState(load(t, name).Game)
		rand := env.NewRand(9)
		squares := map[int16]int16{}
		for _, p := range s.(env.PieceLister).Pieces(nil) {
			squares[p.ID] = p.Square
		}
		for s.Player() != env.NoPlayer {
			legal := s.Legal(nil)
			for _, e := range s.(env.Tracer).Trace(legal[rand.IntN(len(legal))], nil) {
				if e.Kind == env.Captured {
					delete(squares, e.VictimID)
				} else {
					squares[e.PieceID] = e.To
				}
			}
			listed := s.(env.PieceLister).Pieces(nil)
			if len(listed) != len(squares) {
				t.Fatalf("%s: %d pieces, want %d", env.PositionText(s), len(listed), len(squares))
			}
			for _, p := range listed {
				if squares[p.ID] != p.Square {
					t.Fatalf("%s: piece %d stands on %d, want %d", env.PositionText(s), p.ID, p.Square, squares[p.ID])
				}
			}
		}
	}
}

func TestSnapshotCarriesTheHistory(t *testing.T) {
	g := load(t, "tankbattle/standard").Game
	s, again := env.NewState(g), env.NewState(g)
	shuffle := []string{"j4-i5", "b8-c7", "i5-j4", "c7-b8"}
	envtest.Play(t, s, append(shuffle, shuffle[:3]...)...)
	data, err := s.(env.Snapshotter).AppendBinary([]byte("before"))
	if err != nil {
		t.Fatal(err)
	}
	if err := again.(env.Snapshotter).UnmarshalBinary(data[6:]); err != nil {
		t.Fatal(err)
	}
	envtest.Play(t, again, shuffle[3])
	envtest.WantEnd(t, again, 0, env.Repetition)
}

func TestSnapshotRefusesWhatIsNotItsOwn(t *testing.T) {
	s := env.NewState(load(t, "tankbattle/standard").Game)
	data, _ := s.(env.Snapshotter).AppendBinary(nil)
	other := env.NewState(load(t, "tankbattle/duel-either").Game).(env.Snapshotter)
	if err := other.UnmarshalBinary(data); err == nil || !strings.Contains(err.Error(), "rules other than") {
		t.Errorf("foreign rules: %v", err)
	}
	envtest.Play(t, s, "j4-i5")
	before := env.PositionText(s)
	for i := range data {
		bad := slices.Clone(data)
		bad[i] ^= 1
		if err := s.(env.Snapshotter).UnmarshalBinary(bad); err == nil {
			t.Errorf("byte %d may be damaged", i)
		}
		if err := s.(env.Snapshotter).UnmarshalBinary(data[:i]); err == nil {
			t.Errorf("%d bytes are enough", i)
		}
	}
	if env.PositionText(s) != before {
		t.Error("a refused snapshot changed the state")
	}
}

// mended returns data with a checksum that is right.
func mended(data []byte) []byte {
	if len(data) < 4 {
		return data
	}
	body := data[:len(data)-4]
	return binary.LittleEndian.AppendUint32(slices.Clone(body), crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
}

func TestSnapshotRefusesPiecesThatCannotStandThere(t *testing.T) {
	s := env.NewState(load(t, "tankbattle/standard").Game)
	data, _ := s.(env.Snapshotter).AppendBinary(nil)
	const board = 4 + 1 + 16
	for what, change := range map[string]func(b []byte){
		"a second commander":       func(b []byte) { b[55] = b[10] },
		"an id that nobody has":    func(b []byte) { b[55] = 30 },
		"a tank on a mine":         func(b []byte) { b[46], b[9] = b[9], 0xff },
		"a tank on a contaminated": func(b []byte) { b[60], b[9] = b[9], 0xff },
		"nobody to move":           func(b []byte) { b[121] = 2 },
	} {
		bad := slices.Clone(data)
		change(bad[board:])
		if err := s.(env.Snapshotter).UnmarshalBinary(mended(bad)); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
	if err := s.(env.Snapshotter).UnmarshalBinary(mended(data)); err != nil {
		t.Errorf("the whole snapshot: %v", err)
	}
}

// FuzzSnapshot mends the checksum, so that the checks behind it are reached.
func FuzzSnapshot(f *testing.F) {
	g := load(f, "tankbattle/standard").Game
	data, _ := env.NewState(g).(env.Snapshotter).AppendBinary(nil)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := env.NewState(g)
		if s.(env.Snapshotter).UnmarshalBinary(mended(data)) != nil {
			return
		}
		for range 5 {
			if legal := s.Legal(nil); len(legal) > 0 {
				s.Apply(legal[0])
			}
		}
	})
}

// mirrored is a layout that is the same left and right.
const mirrored = `tankbattle/standard{"layout":{"size":7,"white_base":["b1","c1","d1","e1","f1","d2"],"white_commander":"d1",` +
	`"black_base":["b7","c7","d7","e7","f7","d6"],"black_commander":"d7","contaminated":["d4","c4","e4"],"mines":["a4","g4"]}}`

func TestLayoutsHaveTheSymmetryThatTheyHave(t *testing.T) {
	for text, want := range map[string]string{
		"tankbattle/standard": "",
		mirrored:              "left and right exchanged",
		`tankbattle/standard{"layout":{"size":6,"white_base":["a1","a2","b1"],"white_commander":"a1","black_base":["f6","f5","e6"],` +
			`"black_commander":"f6","contaminated":["c3"],"mines":["a5","e1"]}}`: "reflection over the rising diagonal",
		`tankbattle/standard{"layout":{"size":6,"white_base":["f1","f2","e1"],"white_commander":"f1","black_base":["a6","a5","b6"],` +
			`"black_commander":"a6","contaminated":["c4"],"mines":[]}}`: "reflection over the falling diagonal",
		`tankbattle/standard{"layout":{"size":5,"white_base":["a3","a2","a4"],"white_commander":"a3","black_base":["e3"],` +
			`"black_commander":"e3","contaminated":["c1","c5"],"mines":[]}}`: "top and bottom exchanged",
	} {
		name := ""
		for _, s := range load(t, text).Game.(env.Symmetric).Symmetries() {
			name += s.Name
		}
		if name != want {
			t.Errorf("%s: %q, want %q", text, name, want)
		}
	}
}

func TestFeaturesAreOwnMinusEnemy(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "b", "Ca11 Tb9 Td4 Te4 ch2 tk4 ta1")
	spec := load(t, "tankbattle/standard").Game.Spec()
	got := make([]int32, len(spec.Features))
	s.(env.Features).Features(got, env.First)
	for name, want := range map[string]int32{"score": 7 - 5, "turn": -1} {
		if got := got[slices.Index(spec.Features, name)]; got != want {
			t.Errorf("%s is %d, want %d", name, got, want)
		}
	}
}

// Both sides' moves are listed, one of them with the turn passed to it.
func TestMobilityAndAttackedTanksAreThoseOfBothSidesMoves(t *testing.T) {
	for _, variant := range []string{"tankbattle/standard", "tankbattle/duel-either"} {
		g := load(t, variant).Game
		features := make([]int32, len(g.Spec().Features))
		other := env.NewState(g)
		envtest.WalkGames(load(t, variant).Game, 1, func(s env.State) {
			text := env.PositionText(s)
			turned := strings.NewReplacer(" w ", " b ", " b ", " w ").Replace(text)
			if err := other.SetPosition(turned); err != nil {
				t.Fatal(err)
			}
			if s.Player() == env.NoPlayer || other.Player() == env.NoPlayer {
				return
			}
			s.(env.Features).Features(features, s.Player())
			own, enemy := attacked(g, s), attacked(g, other)
			for name, want := range map[string]int{
				"mobility":       len(s.Legal(nil)) - len(other.Legal(nil)),
				"attacked tanks": own["Tank"] - enemy["Tank"], "attacked commander": own["Commander"] - enemy["Commander"],
			} {
				if got := features[slices.Index(g.Spec().Features, name)]; int(got) != want {
					t.Fatalf("%s: %s is %d, want %d", text, name, got, want)
				}
			}
		})
	}
}

// attacked counts the pieces that some action captures, by the name of their type.
func attacked(g env.Game, s env.State) map[string]int {
	next, victims, counts := env.NewState(g), map[int16]bool{}, map[string]int{}
	for _, a := range s.(env.Noisy).Noisy(nil) {
		next.CopyFrom(s)
		for _, e := range next.(env.Tracer).Trace(a, nil) {
			if e.Kind == env.Captured && !victims[e.VictimID] {
				victims[e.VictimID] = true
				counts[g.Spec().Pieces[e.Victim].Name]++
			}
		}
	}
	return counts
}

func TestDiagramShowsTheGroundAndTheTanks(t *testing.T) {
	var d env.Diagram
	s := pieces(t, "tankbattle/standard", "b 7 9", "Ca11 Td4 ch2 tk4 ta1")
	s.(env.Diagrammer).Diagram(&d)
	for square, want := range map[int]env.Ground{
		0: env.Plain, 10: env.FirstBase, 110: env.SecondBase, 46: env.Mine, 60: env.Contaminated,
	} {
		if d.Cells[square].Ground != want {
			t.Errorf("square %d is %v, want %v", square, d.Cells[square].Ground, want)
		}
	}
	if c := d.Cells[110]; c.Symbol != "C" || c.Owner != env.First {
		t.Errorf("a11 is %+v", c)
	}
	if c := d.Cells[0]; c.Symbol != "T" || c.Owner != env.Second {
		t.Errorf("a1 is %+v", c)
	}
	if want := []string{"Black to move", "score: White 4, Black 5", "plies without progress: 7 of 100"}; !slices.Equal(d.Caption, want) {
		t.Errorf("%q, want %q", d.Caption, want)
	}
}

func TestHotPathsAllocateNothing(t *testing.T) {
	g := load(t, "tankbattle/standard").Game
	spec := g.Spec()
	s, o := env.NewState(g), env.NewState(g)
	legal := spec.NewActions()
	planes, features := make([]uint8, spec.ObservationSize()), make([]int32, len(spec.Features))
	bits, scalars := make([]uint64, spec.ObservationBitWords()), make([]uint8, spec.ObservationScalars())
	mask := make([]uint64, spec.MaskWords())
	events := make([]env.Event, 0, 16)
	text := make([]byte, 0, 256)
	rand := env.NewRand(1)
	envtest.AllocatesNothing(t, 2000, func() {
		legal = s.(env.Masker).LegalMask(s.Legal(legal[:0])[:0], mask)
		if len(legal) == 0 {
			s.Reset()
			return
		}
		a := legal[rand.IntN(len(legal))]
		text = s.AppendPosition(s.AppendAction(text[:0], a))
		o.CopyFrom(s)
		o.(env.Tracer).Trace(a, events[:0])
		s.Apply(a)
		s.Observe(planes, env.Second)
		s.(env.BitObserver).ObserveBits(bits, scalars, env.First)
		s.(env.Features).Features(features, env.First)
		s.Hash()
	})
}

func TestLegalAppendsAndGrows(t *testing.T) {
	s := env.NewState(load(t, "tankbattle/standard").Game)
	want := s.Legal(nil)
	for _, room := range []int{0, 1, 53, 54, 356, 371, 372, 576} {
		dst := append(make([]env.Action, 0, 1+room), 77)
		if got := s.Legal(dst); got[0] != 77 || !slices.Equal(got[1:], want) {
			t.Errorf("with room for %d: %v", room, got)
		}
	}
}

// A search by simulated annealing found the position.
func TestMaxLegalIsAtMostAFifthAboveWhatAPositionHas(t *testing.T) {
	s := position(t, "tankbattle/no-mines", "7T3/5T5/3T7/8T2/T9T/5C5/1T7T1/4T6/2T7T/7T3/t2T7 w 0 0")
	if n, most := len(s.Legal(nil)), load(t, "tankbattle/no-mines").Game.Spec().MaxLegal; n != 352 || most != 420 {
		t.Errorf("%d actions, at most %d, want 352 and 420", n, most)
	}
}

// A commander alone in the middle of 5×5 squares goes to 16 of them.
func TestMaxLegalIsReachedByTheCommanderInTheMiddle(t *testing.T) {
	v := load(t, `tankbattle/standard{"layout":{"size":5,"white_base":["a1"],"white_commander":"a1","black_base":["e5"],`+
		`"black_commander":"e5","contaminated":["c3"],"mines":[]}}`)
	s := envtest.At(t, v.Game, "1c3/5/2C2/5/5 w 0 0")
	if n, most := len(s.Legal(nil)), v.Game.Spec().MaxLegal; n != 16 || most != 16 {
		t.Errorf("%d actions, at most %d, want 16", n, most)
	}
}

func TestHashCoversBoardAndSideOnly(t *testing.T) {
	hash := pieces(t, "tankbattle/standard", "w", "Ta1 tk11").Hash()
	for _, other := range []env.State{
		pieces(t, "tankbattle/standard", "b", "Ta1 tk11"),
		pieces(t, "tankbattle/standard", "w", "Ca1 tk11"),
		pieces(t, "tankbattle/standard", "w", "Ta2 tk11"),
	} {
		if other.Hash() == hash {
			t.Errorf("%s hashes alike", env.PositionText(other))
		}
	}
	if pieces(t, "tankbattle/standard", "w 7 9", "Ta1 tk11").Hash() != hash {
		t.Error("counters change the hash")
	}
}

func TestNewRefusesFaultyRules(t *testing.T) {
	if _, err := tankbattle.New(tankbattle.Rules{}); err == nil || !strings.Contains(err.Error(), "layout.size is 0") {
		t.Errorf("%v", err)
	}
}
