package trench_test

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/trench"
)

func TestTraceTellsCapturesInWalkingOrderThenTheMove(t *testing.T) {
	s := position(t, "trench/standard", "8/8/8/8/4Gpsc/8/8/7g b 0-0 0 0")
	a, err := s.ParseAction("e4-h4")
	if err != nil {
		t.Fatal(err)
	}
	events := s.(env.Tracer).Trace(a, nil)
	event := func(kind env.EventKind, to, victim, id, count int16) env.Event {
		return env.Event{Kind: kind, Player: env.First, Piece: 0, PieceID: 0, From: 28, To: to, Victim: victim, VictimID: id, Count: count}
	}
	want := []env.Event{
		event(env.Captured, 29, 4, 26, 1), event(env.Captured, 30, 3, 22, 2), event(env.Captured, 31, 2, 19, 3),
		event(env.Moved, 31, env.None, env.None, 1),
	}
	if !slices.Equal(events, want) {
		t.Errorf("%+v, want %+v", events, want)
	}
	if s.(env.Scorer).Points(env.First) != 6 || env.Score(s.(env.Scorer), env.Second) != -6 {
		t.Error("the points are not the captured points")
	}
}

// TestEventsRebuildThePieceList also holds piece ids stable over the game.
func TestEventsRebuildThePieceList(t *testing.T) {
	for _, name := range presetNames {
		s := env.NewState(load(t, name).Game)
		rand := env.NewRand(9)
		pieces := s.(env.PieceLister).Pieces(nil)
		for s.Player() != env.NoPlayer {
			legal := s.Legal(nil)
			for _, e := range s.(env.Tracer).Trace(legal[rand.IntN(len(legal))], nil) {
				id := e.PieceID
				if e.Kind == env.Captured {
					id = e.VictimID
				}
				i := slices.IndexFunc(pieces, func(p env.Piece) bool { return p.ID == id })
				if e.Kind == env.Captured {
					if pieces[i].Square != e.To || pieces[i].Type != e.Victim {
						t.Fatalf("%+v captures %+v", e, pieces[i])
					}
					pieces = slices.Delete(pieces, i, i+1)
					continue
				}
				if pieces[i].Square != e.From || pieces[i].Type != e.Piece || pieces[i].Owner != e.Player {
					t.Fatalf("%+v moves %+v", e, pieces[i])
				}
				pieces[i].Square = e.To
			}
			if got := s.(env.PieceLister).Pieces(nil); !slices.Equal(got, pieces) {
				t.Fatalf("%s: %+v, want %+v", env.PositionText(s), got, pieces)
			}
		}
	}
}

func TestSnapshotCarriesTheHistory(t *testing.T) {
	for _, name := range presetNames {
		again := env.NewState(load(t, name).Game)
		envtest.WalkGames(load(t, name).Game, 2, func(s env.State) {
			data, err := s.(env.Snapshotter).AppendBinary([]byte("before"))
			if err != nil {
				t.Fatal(err)
			}
			if err := again.(env.Snapshotter).UnmarshalBinary(data[6:]); err != nil {
				t.Fatal(err)
			}
			same(t, s, again)
			if second, _ := again.(env.Snapshotter).AppendBinary([]byte("before")); !slices.Equal(data, second) {
				t.Fatal("a restored state has another snapshot")
			}
		})
	}
	s := env.NewState(load(t, "trench/standard").Game)
	shuffle := []string{"a4-a5", "h5-h4", "a5-a4", "h4-h5"}
	envtest.Play(t, s, append(shuffle, shuffle[:3]...)...)
	data, _ := s.(env.Snapshotter).AppendBinary(nil)
	s.Reset()
	if err := s.(env.Snapshotter).UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	envtest.Play(t, s, shuffle[3])
	envtest.WantEnd(t, s, 0, env.Repetition)
}

// same holds two states to be equal as far as anybody can see.
func same(t *testing.T, a, b env.State) {
	t.Helper()
	ra, wa := a.Result()
	rb, wb := b.Result()
	if env.PositionText(a) != env.PositionText(b) || a.Hash() != b.Hash() || ra != rb || wa != wb ||
		a.Player() != b.Player() || !slices.Equal(a.Legal(nil), b.Legal(nil)) ||
		!slices.Equal(a.(env.PieceLister).Pieces(nil), b.(env.PieceLister).Pieces(nil)) {
		t.Fatalf("%s differs from %s", env.PositionText(a), env.PositionText(b))
	}
}

func TestSnapshotRefusesWhatIsNotItsOwn(t *testing.T) {
	s := env.NewState(load(t, "trench/standard").Game)
	data, _ := s.(env.Snapshotter).AppendBinary(nil)
	other := env.NewState(load(t, "trench/general").Game).(env.Snapshotter)
	if err := other.UnmarshalBinary(data); err == nil || !strings.Contains(err.Error(), "rules other than trench/general") {
		t.Errorf("foreign rules: %v", err)
	}
	envtest.Play(t, s, "a4-a5")
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

// FuzzSnapshot mends the checksum, so that the checks behind it are reached.
func FuzzSnapshot(f *testing.F) {
	s := env.NewState(load(f, "trench/standard").Game)
	data, _ := s.(env.Snapshotter).AppendBinary(nil)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= 4 {
			body := data[:len(data)-4]
			data = binary.LittleEndian.AppendUint32(slices.Clone(body), crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
		}
		s := env.NewState(load(t, "trench/standard").Game)
		if s.(env.Snapshotter).UnmarshalBinary(data) != nil {
			return
		}
		for range 5 {
			if legal := s.Legal(nil); len(legal) > 0 {
				s.Apply(legal[0])
			}
		}
	})
}

func TestReflectionMapsGamesToGames(t *testing.T) {
	g := load(t, "trench/standard").Game
	symmetries := g.(env.Symmetric).Symmetries()
	if len(symmetries) != 1 {
		t.Fatalf("%d symmetries, want 1", len(symmetries))
	}
	m := symmetries[0]
	s, mirrored := env.NewState(g), env.NewState(g)
	size := g.Spec().ObservationSize()
	planes, image, want := make([]uint8, size), make([]uint8, size), make([]uint8, size)
	rand := env.NewRand(2)
	for s.Player() != env.NoPlayer {
		legal, mapped := s.Legal(nil), []env.Action{}
		for _, a := range legal {
			mapped = append(mapped, m.Action(s, a))
		}
		slices.Sort(mapped)
		if !slices.Equal(mapped, mirrored.Legal(nil)) {
			t.Fatalf("%s: mirrored actions differ", env.PositionText(s))
		}
		s.Observe(planes, s.Player())
		mirrored.Observe(image, s.Player())
		for p := range m.Planes {
			for i, to := range m.Squares {
				want[int(m.Planes[p])*64+int(to)] = planes[p*64+i]
			}
		}
		if !slices.Equal(image, want) {
			t.Fatalf("%s: mirrored planes differ", env.PositionText(s))
		}
		a := legal[rand.IntN(len(legal))]
		mirrored.Apply(m.Action(s, a))
		s.Apply(a)
	}
}

func TestNoReflectionWhereDirectionsForbidIt(t *testing.T) {
	g := load(t, `trench/standard{"pieces":{"P":{"directions":["N","S"]}}}`).Game
	if s := g.(env.Symmetric).Symmetries(); s != nil {
		t.Errorf("%d symmetries, want none", len(s))
	}
}

func TestDiagramShowsZonesAndPieces(t *testing.T) {
	var d env.Diagram
	s := position(t, "trench/equal-turns", "s7/8/8/8/8/8/8/GL6 w 25-3 7 9")
	s.(env.Diagrammer).Diagram(&d)
	if len(d.Cells) != 64 || d.Cells[0].Symbol != "G" || d.Cells[0].Reach != 5 || d.Cells[0].Spokes != 0xff || d.Cells[0].Owner != env.First {
		t.Errorf("a1 is %+v", d.Cells[0])
	}
	if d.Cells[56].Ground != env.Trench || d.Cells[0].Ground != env.FirstLand || d.Cells[63].Ground != env.SecondLand {
		t.Error("zones are wrong")
	}
	if want := uint8(1<<env.N | 1<<env.E | 1<<env.S | 1<<env.W | 1<<env.SW); d.Cells[56].Spokes != want || d.Cells[56].Owner != env.Second {
		t.Errorf("a8 is %+v", d.Cells[56])
	}
	want := []string{"White to move, the last move", "points: Black 25, White 3", "plies without a capture: 7 of 100"}
	if !slices.Equal(d.Caption, want) {
		t.Errorf("%q, want %q", d.Caption, want)
	}
}

// TestObservationPlanesSayWhatTheSpecSays rebuilds each plane by its name.
func TestObservationPlanesSayWhatTheSpecSays(t *testing.T) {
	for _, name := range append([]string{`trench/standard{"moves_each":300,"equal_turns":true,"no_progress":600}`}, presetNames...) {
		spec := load(t, name).Game.Spec()
		planes := make([]uint8, spec.ObservationSize())
		rules := rulesOf(t, name)
		seen := map[string]int{}
		envtest.WalkGames(load(t, name).Game, 1, func(s env.State) {
			r := newReference(rules, env.PositionText(s))
			if r.plies == 0 {
				clear(seen)
			}
			seen[r.boardAndSide()]++
			for _, viewer := range []env.Player{env.First, env.Second} {
				s.Observe(planes, viewer)
				for i, plane := range spec.Planes {
					for square := range 64 {
						x, y := square%8, square/8
						if viewer == env.Second {
							x, y = 7-x, 7-y
						}
						want := refPlane(r, rules, plane.Name, viewer, x, y, seen[r.boardAndSide()])
						if got := planes[i*64+square]; int(got) != want || got > plane.Max {
							t.Fatalf("%s %s: plane %q at %s for player %d is %d, want %d (max %d)", name, env.PositionText(s), plane.Name, squareName(x, y), viewer, got, want, plane.Max)
						}
					}
				}
			}
		})
	}
}

func refPlane(r *reference, rules trench.Rules, plane string, viewer env.Player, x, y, occurred int) int {
	is := map[bool]int{true: 1}
	side, rest, _ := strings.Cut(plane, " ")
	switch plane {
	case "own territory":
		return is[land(x, y) == int(viewer)]
	case "trench":
		return is[land(x, y) == 2]
	case "to move":
		return is[!r.over && r.white == (viewer == env.Second)]
	case "Black":
		return is[viewer == env.First]
	case "own points":
		return min(r.points[viewer], 36)
	case "enemy points":
		return min(r.points[viewer^1], 36)
	case "quiet plies":
		if rules.NoProgress > 255 {
			return r.quiet * 255 / rules.NoProgress
		}
		return r.quiet
	case "occurrences":
		return occurred
	case "plies":
		if rules.MovesEach > 127 {
			return r.plies * 255 / (2 * rules.MovesEach)
		}
		return r.plies
	case "last move":
		return is[!r.over && r.white && r.points[0] >= rules.TargetPoints]
	}
	c := r.at[y][x]
	return is[c != 0 && r.rank(c).Name == rest && isWhite(c) == ((viewer == env.Second) == (side == "own"))]
}

func TestHotPathsAllocateNothing(t *testing.T) {
	g := load(t, "trench/standard").Game
	s, o := env.NewState(g), env.NewState(g)
	legal := g.Spec().NewActions()
	planes := make([]uint8, g.Spec().ObservationSize())
	features := make([]int32, len(g.Spec().Features))
	var events []env.Event
	events = slices.Grow(events, 16)
	text := make([]byte, 0, 256)
	rand := env.NewRand(1)
	envtest.AllocatesNothing(t, 2000, func() {
		legal = s.Legal(legal[:0])
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
		s.(env.Features).Features(features, env.First)
		s.Hash()
	})
}

func TestLegalAppendsAndGrows(t *testing.T) {
	s := env.NewState(load(t, "trench/standard").Game)
	want := s.Legal(nil)
	for _, room := range []int{0, 1, 13, 14, 193, 208, 209, 520} {
		dst := append(make([]env.Action, 0, 1+room), 77)
		if got := s.Legal(dst); got[0] != 77 || !slices.Equal(got[1:], want) {
			t.Errorf("with room for %d: %v", room, got)
		}
	}
}

// A search by simulated annealing found the position.
func TestMaxLegalIsAtMostAQuarterAboveWhatAPositionHas(t *testing.T) {
	s := position(t, "trench/standard", "2P2P2/P3C2P/1S4C1/3L3g/S4C1P/2G5/4L2P/1S3S2 b 0-0 0 0")
	if n, most := len(s.Legal(nil)), load(t, "trench/standard").Game.Spec().MaxLegal; n != 154 || most != 193 {
		t.Errorf("%d actions, at most %d, want 154 and 193", n, most)
	}
}

// Where all ranks go ahead only, ten pieces one square and six Soldiers two, an army
// has 22 moves.
func TestMaxLegalIsReachedByStepsAhead(t *testing.T) {
	const ahead = `{"longest_move":1,"directions":["N"]}`
	v := load(t, `trench/standard{"pieces":{"G":`+ahead+`,"L":`+ahead+`,"C":`+ahead+`,"S":`+ahead+`,"P":{"longest_move":2,"directions":["N"]}}}`)
	s := envtest.At(t, v.Game, "7g/8/8/8/PP6/2PPPPSS/8/GLLCCCSS b 0-0 0 0")
	if n, most := len(s.Legal(nil)), v.Game.Spec().MaxLegal; n != 22 || most != 22 {
		t.Errorf("%d actions, at most %d, want 22", n, most)
	}
}

func TestHashCoversBoardSideAndPoints(t *testing.T) {
	const board = "7g/8/8/8/8/8/8/G7"
	s := position(t, "trench/standard", board+" b 0-0 0 0")
	hash := s.Hash()
	for _, other := range []string{" w 0-0 0 0", " b 1-0 0 0", " b 0-1 0 0"} {
		if position(t, "trench/standard", board+other).Hash() == hash {
			t.Errorf("%s hashes alike", other)
		}
	}
	if position(t, "trench/standard", board+" b 0-0 7 9").Hash() != hash {
		t.Error("counters change the hash")
	}
	envtest.Play(t, s, "a1-a2", "h8-h7", "a2-a1", "h7-h8")
	if s.Hash() != hash {
		t.Error("the same position hashes differently")
	}
}

func TestCopyIsIndependent(t *testing.T) {
	g := load(t, "trench/standard").Game
	s, o := env.NewState(g), env.NewState(g)
	envtest.Play(t, s, "a4-a5", "h5-h4", "a5-a4", "h4-h5")
	o.CopyFrom(s)
	same(t, s, o)
	before := env.PositionText(s)
	envtest.Play(t, o, "a4-c6")
	if env.PositionText(s) != before {
		t.Error("the source changed with its copy")
	}
	envtest.Play(t, s, "a4-a5", "h5-h4", "a5-a4", "h4-h5")
	envtest.WantEnd(t, s, 0, env.Repetition)
}
