package tankchess_test

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
)

const openVariant = "tankchess/16x16{" + openBoard + "}"

func TestTraceTellsMoveShotAndWreck(t *testing.T) {
	s := setUp(t, openVariant, "CLT@a1N,LT@h2N CLT@a16S,LT@h10E w 5 40")
	a, err := s.ParseAction("h2>h3/N(h10)")
	if err != nil {
		t.Fatal(err)
	}
	const h2, h3, h10 = 1*16 + 7, 2*16 + 7, 9*16 + 7
	want := []env.Event{
		{Kind: env.Moved, Piece: 1, PieceID: 1, From: h2, To: h3, Victim: env.None, VictimID: env.None, Count: 1},
		{Kind: env.Fired, Piece: 1, PieceID: 1, From: h3, To: h10, Victim: 1, VictimID: 11, Face: env.Side, Count: 1},
		{Kind: env.Destroyed, Piece: 1, PieceID: 1, From: h3, To: h10, Victim: 1, VictimID: 11, Face: env.Side, Count: 1},
	}
	if events := s.Trace(a, nil); !slices.Equal(events, want) {
		t.Errorf("%+v, want %+v", events, want)
	}
	if got := env.PositionText(s); got != "CLT@a1N,LT@h3N CLT@a16S,LT@h10# b 0 41" {
		t.Errorf("the position is %s", got)
	}
}

func TestTraceTellsTheFaceThatIsHit(t *testing.T) {
	for facing, want := range map[string]env.Face{"N": env.Rear, "NE": env.Side, "E": env.Side, "SW": env.Side, "W": env.Side} {
		s := setUp(t, openVariant, "CLT@a1N,LT@h2N CLT@a16S,LT@h10"+facing+" w 0 0")
		a, err := s.ParseAction("h2>h3/N(h10)")
		if err != nil {
			t.Fatal(err)
		}
		if events := s.Trace(a, nil); events[1].Face != want {
			t.Errorf("a tank facing %s is hit on face %d, want %d", facing, events[1].Face, want)
		}
	}
	s := setUp(t, openVariant, "CLT@a1N,MT@h2N CLT@a16S,LT@h10S w 0 0")
	a, err := s.ParseAction("h2>h3/N(h10)")
	if err != nil {
		t.Fatal(err)
	}
	if events := s.Trace(a, nil); events[2].Face != env.Front {
		t.Errorf("a tank facing the gun is hit on face %d", events[2].Face)
	}
}

func TestTraceTellsTheEscape(t *testing.T) {
	s := setUp(t, openVariant, "CLT@h15N CLT@a16S w 0 0")
	a, err := s.ParseAction("h15>off")
	if err != nil {
		t.Fatal(err)
	}
	want := []env.Event{{Kind: env.LeftBoard, From: 14*16 + 7, To: env.None, Victim: env.None, VictimID: env.None, Count: 1}}
	if events := s.Trace(a, nil); !slices.Equal(events, want) {
		t.Errorf("%+v, want %+v", events, want)
	}
	if got := env.PositionText(s); got != "CLT@off CLT@a16S b 1 1" {
		t.Errorf("the position is %s", got)
	}
}

func TestPointsAreTheValueOfTheLiving(t *testing.T) {
	s := setUp(t, "tankchess/20x20", "CLT@a1N,LT@b1N,MT@c1#,HT@d1N,HM@e1N CLT@a20S,TD@b20# w 0 0")
	if s.Points(env.First) != 7 || s.Points(env.Second) != 0 || env.Score(s, env.Second) != -7 {
		t.Errorf("points are %d and %d, want 7 and 0", s.Points(env.First), s.Points(env.Second))
	}
}

func TestFeaturesAreOwnMinusEnemy(t *testing.T) {
	s := setUp(t, openVariant, "CLT@h14N,LT@c16N,LT@b1N CLT@a16S,HT@p16S b 0 0")
	spec := load(t, openVariant).Game.Spec()
	got := make([]int32, len(spec.Features))
	s.Features(got, env.First)
	for name, want := range map[string]int32{"value under fire": 0, "Command Tank under fire": 1, "Command Tank can escape": 1, "turn": -1} {
		if got := got[slices.Index(spec.Features, name)]; got != want {
			t.Errorf("%s is %d, want %d", name, got, want)
		}
	}
}

func TestUnderFireIsWhatTheEnemyCouldDestroyWereItToMove(t *testing.T) {
	for _, variant := range []string{"tankchess/20x20", "tankchess/20x20/no-escape", "tankchess/lakes"} {
		g := load(t, variant).Game
		s, other, rand := env.NewState(g), env.NewState(g), env.NewRand(5)
		features := make([]int32, len(g.Spec().Features))
		for range 400 {
			legal := s.Legal(nil)
			if len(legal) == 0 {
				s.Reset()
				continue
			}
			text := env.PositionText(s)
			if err := other.SetPosition(strings.NewReplacer(" w ", " b ", " b ", " w ").Replace(text)); err != nil {
				t.Fatal(err)
			}
			s.(env.Features).Features(features, s.Player())
			value, command := destructible(g, other)
			for name, want := range map[string]int{"value under fire": -value, "Command Tank under fire": -command} {
				if got := features[slices.Index(g.Spec().Features, name)]; other.Player() != env.NoPlayer && int(got) != want {
					t.Fatalf("%s: %s is %d, want %d", text, name, got, want)
				}
			}
			s.Apply(legal[rand.IntN(len(legal))])
		}
	}
}

// destructible adds up the value of the pieces that some action destroys, and counts
// the Command Tank among them.
func destructible(g env.Game, s env.State) (value, command int) {
	next, victims := env.NewState(g), map[int16]bool{}
	for _, a := range s.(env.Noisy).Noisy(nil) {
		next.CopyFrom(s)
		for _, e := range next.(env.Tracer).Trace(a, nil) {
			if e.Kind != env.Destroyed || victims[e.VictimID] {
				continue
			}
			victims[e.VictimID] = true
			piece := &g.Spec().Pieces[e.Victim]
			value += piece.Attributes[0].Value
			if piece.Symbol == "CLT" {
				command++
			}
		}
	}
	return value, command
}

func TestDiagramShowsTerrainFacingWrecksAndCaption(t *testing.T) {
	var d env.Diagram
	s := setUp(t, "tankchess/lakes", "CLT@h1N,LT@h3NE,ALT@c8# CLT@o2S,LT@h12S b 7 9")
	s.Diagram(&d)
	at := func(name string) env.Cell {
		square, _, err := env.ParseSquare(name, 16, 16)
		if err != nil {
			t.Fatal(err)
		}
		return d.Cells[square]
	}
	for name, want := range map[string]env.Ground{"b5": env.Obstacle, "d8": env.Water, "c8": env.Water, "a5": env.LowObstacle, "a7": env.Hedge, "h1": env.Plain} {
		if got := at(name).Ground; got != want {
			t.Errorf("the ground of %s is %v, want %v", name, got, want)
		}
	}
	if c := at("h3"); c.Symbol != "LT" || c.Owner != env.First || !c.Faced || c.Facing != env.NE || c.Wreck {
		t.Errorf("h3 is %+v", c)
	}
	if c := at("c8"); c.Symbol != "ALT" || !c.Wreck || c.Faced {
		t.Errorf("c8 is %+v", c)
	}
	want := []string{"Black to move", "White is in check", "Black is in check", "Black can escape", "value of the living: White 1, Black 1", "plies without a destroyed piece: 7 of 100"}
	if !slices.Equal(d.Caption, want) || !d.FirstLight || d.Players != [2]string{"White", "Black"} {
		t.Errorf("%q, want %q", d.Caption, want)
	}
	setUp(t, "tankchess/lakes", "CLT@h1# CLT@o2S w 0 9").Diagram(&d)
	if d.Caption[0] != "Black won (command_destroyed)" || len(d.Caption) != 3 {
		t.Errorf("%q", d.Caption)
	}
	setUp(t, "tankchess/lakes", "CLT@h1N CLT@o2S w 100 100").Diagram(&d)
	if d.Caption[0] != "drawn (no_progress)" {
		t.Errorf("%q", d.Caption)
	}
	setUp(t, "tankchess/lakes", "CLT@off CLT@o2S b 0 9").Diagram(&d)
	if d.Caption[0] != "White won (escaped)" {
		t.Errorf("%q", d.Caption)
	}
}

// TestObservationPlanesSayWhatTheSpecSays rebuilds each plane by its name from
// the piece list and the layout.
func TestObservationPlanesSayWhatTheSpecSays(t *testing.T) {
	for _, name := range []string{"tankchess/lakes", `tankchess/20x20{"no_progress":600}`, `tankchess/16x16/zh{"repetition":0,"no_progress":0}`} {
		v := load(t, name)
		spec, rules := v.Game.Spec(), rulesOf(t, v)
		planes := make([]uint8, spec.ObservationSize())
		slots := int16((spec.Actions - 1) / len(spec.ActionPlanes[1:]))
		terrain := map[string][]string{
			"obstacles": rules.Layout.Obstacles, "water": rules.Layout.Water, "low obstacles": rules.Layout.Low, "hedges": rules.Layout.Hedges,
		}
		seen := map[string]int{}
		walkGames(t, name, 1, func(s env.State) {
			text := env.PositionText(s)
			fields := strings.Fields(text)
			if fields[4] == "0" {
				clear(seen)
			}
			seen[strings.Join(fields[:3], " ")]++
			for _, viewer := range []env.Player{env.First, env.Second} {
				want := map[string]map[int]int{}
				set := func(plane string, square, value int) {
					if want[plane] == nil {
						want[plane] = map[int]int{}
					}
					if viewer == env.Second {
						square = spec.Width*spec.Width - 1 - square
					}
					want[plane][square] = value
				}
				for _, p := range s.(env.PieceLister).Pieces(nil) {
					side := map[bool]string{true: "own", false: "enemy"}[p.Owner == viewer]
					set(fmt.Sprintf("%s slot %d", side, p.ID%slots), int(p.Square), 1)
					if p.Wreck {
						set("wrecks", int(p.Square), 1)
						continue
					}
					set(side+" "+spec.Pieces[p.Type].Name, int(p.Square), 1)
					set(fmt.Sprintf("facing %v", p.Facing.Turned(4*int(viewer))), int(p.Square), 1)
				}
				for kind, squares := range terrain {
					for _, name := range squares {
						square, _, err := env.ParseSquare(name, spec.Width, spec.Width)
						if err != nil {
							t.Fatal(err)
						}
						set(kind, square, 1)
					}
				}
				var quiet int
				fmt.Sscan(fields[3], &quiet)
				if rules.NoProgress > 255 {
					quiet = quiet * 255 / rules.NoProgress
				}
				numbers := map[string]int{
					"to move": map[bool]int{true: 1}[s.Player() == viewer], "White": map[bool]int{true: 1}[viewer == env.First],
					"quiet plies": quiet, "occurrences": seen[strings.Join(fields[:3], " ")],
				}
				s.Observe(planes, viewer)
				for i, plane := range spec.Planes {
					for square := range spec.Width * spec.Width {
						value, uniform := numbers[plane.Name]
						if !uniform {
							value = want[plane.Name][square]
						}
						if got := int(planes[i*spec.Width*spec.Width+square]); got != value || uniform != plane.Uniform {
							t.Fatalf("%s %s: plane %q at element %d for player %d is %d, want %d", name, text, plane.Name, square, viewer, got, value)
						}
					}
				}
			}
		})
	}
}

func TestHashTellsSlotsAndNoCounters(t *testing.T) {
	one := setUp(t, "tankchess/16x16", "CLT@h1N,LT@a1N,LT@c1N CLT@i16S w 0 0")
	other := setUp(t, "tankchess/16x16", "CLT@h1N,LT@c1N,LT@a1N CLT@i16S w 7 9")
	if one.Hash() == other.Hash() {
		t.Error("exchanged slots do not change the hash")
	}
	playTexts(t, one, "a1>a2/N", "i16>i15/S", "a2>a1/N", "i15>i16/S")
	if again := setUp(t, "tankchess/16x16", "CLT@h1N,LT@a1N,LT@c1N CLT@i16S w 50 90"); again.Hash() != one.Hash() {
		t.Error("counters change the hash")
	}
}

// TestLightTanksThatChangePlacesRepeatThePosition lets the tanks of slots 1 and
// 2 take each other's place, with which the position occurs again.
func TestLightTanksThatChangePlacesRepeatThePosition(t *testing.T) {
	s := setUp(t, openVariant, "CLT@h1N,LT@a1E,LT@b1E CLT@p16S w 0 0")
	round := []string{"a1>a2/E", "p16>p16/SW", "b1>a1/E", "p16>p16/W", "a2>b1/E", "p16>p16/S"}
	playTexts(t, s, round...)
	if text := env.PositionText(s); text != "CLT@h1N,LT@b1E,LT@a1E CLT@p16S w 6 6" {
		t.Fatalf("the position is %s", text)
	}
	playTexts(t, s, round...)
	if result, reason := s.Result(); result != 0 || reason != env.Repetition {
		t.Errorf("the third time the game is %d (%v)", result, reason)
	}
}

func TestSnapshotRefusesWhatIsNotItsOwn(t *testing.T) {
	s := env.NewState(load(t, "tankchess/16x16").Game)
	data, _ := s.(env.Snapshotter).AppendBinary(nil)
	other := env.NewState(load(t, "tankchess/16x16/zh").Game).(env.Snapshotter)
	if err := other.UnmarshalBinary(data); err == nil || !strings.Contains(err.Error(), "rules other than") {
		t.Errorf("foreign rules: %v", err)
	}
	s.Apply(s.Legal(nil)[0])
	before := env.PositionText(s)
	for i := range data {
		bad := slices.Clone(data)
		bad[i] ^= 1
		if s.(env.Snapshotter).UnmarshalBinary(bad) == nil {
			t.Errorf("byte %d may be damaged", i)
		}
		if s.(env.Snapshotter).UnmarshalBinary(data[:i]) == nil {
			t.Errorf("%d bytes are enough", i)
		}
		if i > 21 && i < len(data)-4 { // behind the fingerprint, with a checksum that is right again
			_ = s.(env.Snapshotter).UnmarshalBinary(mended(bad))
			s.Reset()
			s.Apply(s.Legal(nil)[0])
		}
	}
	if env.PositionText(s) != before {
		t.Error("a refused snapshot changed the state")
	}
}

func TestSnapshotErrorsSayWhatIsWrong(t *testing.T) {
	const head, tank, army = 21, 4, 10 * 4
	s := setUp(t, "tankchess/16x16", "CLT@h1N,LT@a1N,MT@f1# CLT@i16S,LT@p15S b 3 7")
	data, err := s.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	before := env.PositionText(s)
	const light, medium = head + tank, head + 5*tank // White's first pieces of these types
	for want, change := range map[string]func(bad []byte) []byte{
		"slot 1 has square 0, facing 0 and fate 4":       func(bad []byte) []byte { bad[light+3] = 4; return bad },
		"slot 1 has square 0, facing 8 and fate 1":       func(bad []byte) []byte { bad[light+2] = 8; return bad },
		"slot 1 has square 256, facing 0 and fate 1":     func(bad []byte) []byte { bad[light+1] = 1; return bad },
		"slot 1 has square -1, facing 0 and fate 1":      func(bad []byte) []byte { bad[light], bad[light+1] = 255, 255; return bad },
		"slot 5 has a square or a facing":                func(bad []byte) []byte { bad[medium+2] = 2; return bad },
		"slot 2 has a square or a facing":                func(bad []byte) []byte { bad[light+tank] = 1; return bad },
		"slot 0 has a square or a facing":                func(bad []byte) []byte { bad[head+3] = 3; return bad },
		"two pieces stand on h1":                         func(bad []byte) []byte { bad[light] = 7; return bad },
		"White has no CLT":                               func(bad []byte) []byte { bad[head], bad[head+3] = 0, 0; return bad },
		"White's Light Tank cannot be off the board":     func(bad []byte) []byte { bad[light+3] = 3; return bad },
		"player to move is 2, must be 0 or 1":            func(bad []byte) []byte { bad[head+2*army] = 2; return bad },
		"flag of the last ply is 2, must be 0 or 1":      func(bad []byte) []byte { bad[head+2*army+1] = 2; return bad },
		"the pieces are incomplete":                      func(bad []byte) []byte { return append(bad[:head+2*army+1], 0, 0, 0, 0) },
		"the history announces":                          func(bad []byte) []byte { return append(bad, 0) },
		"the player who is not to move has lost the Com": func(bad []byte) []byte { bad[head+2], bad[head+3] = 0, 2; return bad },
	} {
		bad := mended(change(slices.Clone(data)))
		if err := s.UnmarshalBinary(bad); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "tankchess snapshot: ") {
			t.Errorf("error is %v, must say %q", err, want)
		}
		if env.PositionText(s) != before {
			t.Fatalf("a refused snapshot sets up %s", env.PositionText(s))
		}
	}
}

// mended gives snapshot bytes the checksum they should have.
func mended(data []byte) []byte {
	body := slices.Clone(data[:len(data)-4])
	return binary.LittleEndian.AppendUint32(body, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
}

// FuzzSnapshot mends the checksum, so that the checks behind it are reached.
func FuzzSnapshot(f *testing.F) {
	g := load(f, "tankchess/lakes").Game
	data, _ := env.NewState(g).(env.Snapshotter).AppendBinary(nil)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := env.NewState(g)
		if len(data) < 4 || s.(env.Snapshotter).UnmarshalBinary(mended(data)) != nil {
			return
		}
		if again := env.NewState(g); s.Player() != env.NoPlayer && again.SetPosition(env.PositionText(s)) != nil {
			t.Fatalf("a snapshot sets up %s, which is not a position", env.PositionText(s))
		}
		for range 5 {
			if legal := s.Legal(nil); len(legal) > 0 {
				s.Apply(legal[0])
			}
		}
	})
}

func TestSnapshotKeepsWhetherTheCommandTankHasJustCome(t *testing.T) {
	s := setUp(t, "tankchess/16x16/zh", "CLT@h16N,LT@a1N CLT@i8S,LT@p16S w 0 0")
	playTexts(t, s, "a1>a2/N")
	data, err := s.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	again := env.NewState(load(t, "tankchess/16x16/zh").Game)
	if err := again.(env.Snapshotter).UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if s.Player() != env.Second || again.Player() != env.Second {
		t.Errorf("players to move are %d and, restored, %d; a move of another piece does not win", s.Player(), again.Player())
	}
}

func TestHotPathsAllocateNothing(t *testing.T) {
	for _, name := range []string{"tankchess/16x16", "tankchess/20x20/zh", "tankchess/lakes"} {
		g := load(t, name).Game
		s, o := env.NewState(g), env.NewState(g)
		legal, noisy := g.Spec().NewActions(), g.Spec().NewActions()
		planes := make([]uint8, g.Spec().ObservationSize())
		packed, scalars := make([]uint64, g.Spec().ObservationBitWords()), make([]uint8, g.Spec().ObservationScalars())
		features := make([]int32, len(g.Spec().Features))
		events := make([]env.Event, 0, 16)
		text := make([]byte, 0, 1024)
		rand := env.NewRand(1)
		envtest.AllocatesNothing(t, 500, func() {
			legal = s.Legal(legal[:0])
			if len(legal) == 0 {
				s.Reset()
				return
			}
			a := legal[rand.IntN(len(legal))]
			noisy = s.(env.Noisy).Noisy(noisy[:0])
			text = s.AppendPosition(s.AppendAction(text[:0], a))
			o.CopyFrom(s)
			o.(env.Tracer).Trace(a, events[:0])
			s.Apply(a)
			s.Observe(planes, env.Second)
			s.(env.BitObserver).ObserveBits(packed, scalars, env.First)
			s.(env.Features).Features(features, env.First)
			s.Hash()
		})
	}
}
