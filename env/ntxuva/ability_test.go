package ntxuva_test

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/envtest"
)

func TestTraceTellsSowingAndEachEmptiedHouse(t *testing.T) {
	s := at(t, "ntxuva/basic", full+" "+full+" s 0 0")
	_, _, _, dropped := sow([]int{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 5)
	got := s.(env.Tracer).Trace(5, nil)
	// South's house 7 is the second from the right in the attack row; it faces
	// North's 10, behind which is North's 1.
	want := []env.Event{
		{Kind: env.Sown, Player: env.First, Piece: 1, PieceID: 5, From: 5, To: 10, Victim: env.None, VictimID: env.None, Count: int16(dropped)},
		{Kind: env.Captured, Player: env.First, Piece: 0, PieceID: 7, From: 10, To: 16, Victim: 0, VictimID: 22, Count: 2},
		{Kind: env.Captured, Player: env.First, Piece: 0, PieceID: 7, From: 10, To: 22, Victim: 1, VictimID: 13, Count: 2},
	}
	if !slices.Equal(got, want) {
		t.Errorf("events\n%+v, want\n%+v", got, want)
	}
}

func TestTraceOfAnEndlessRelayDropsNothing(t *testing.T) {
	s := at(t, `ntxuva/basic{"endless":"pass"}`, endlessHouse0+" "+full+" s 0 0")
	got := s.(env.Tracer).Trace(0, nil)
	want := []env.Event{{Kind: env.Sown, Player: env.First, Piece: 1, Victim: env.None, VictimID: env.None}}
	if !slices.Equal(got, want) {
		t.Errorf("events\n%+v, want\n%+v", got, want)
	}
}

func TestTraceCountsWhatTheReferenceDrops(t *testing.T) {
	for _, name := range []string{"ntxuva/basic", "ntxuva/12"} {
		rules, game := rulesOf(t, name)
		rng := env.NewRand(9)
		s, traced := env.NewState(game), env.NewState(game)
		for range 300 {
			position := randomPosition(rng, rules)
			if err := s.SetPosition(position); err != nil {
				t.Fatal(err)
			}
			r := newReference(t, rules, position)
			for _, a := range s.Legal(nil) {
				traced.CopyFrom(s)
				_, _, _, dropped := sow(r.houses[r.player], int(a))
				if got := traced.(env.Tracer).Trace(a, nil)[0].Count; int(got) != dropped {
					t.Fatalf("%s: house %d drops %d, want %d", position, a, got, dropped)
				}
			}
		}
	}
}

// TestFacingHouses compares a capture at every attack house with the page's formula.
func TestFacingHouses(t *testing.T) {
	for column := range 6 {
		end := 11 - column
		own, enemy := make([]string, 12), strings.Split(full, ",")
		for i := range own {
			own[i] = "0"
		}
		own[end-1] = "1"
		before := strings.Join(own, ",") + " " + full + " s 0 0"
		own[end-1], own[end] = "0", "1"
		enemy[6+column], enemy[5-column] = "0", "0"
		s := at(t, "ntxuva/basic", before)
		s.Apply(env.Action(end - 1))
		wantPosition(t, s, strings.Join(own, ",")+" "+strings.Join(enemy, ",")+" n 0 1")
	}
}

func TestObservationTurnsTheBoardForNorth(t *testing.T) {
	s := at(t, "ntxuva/4", "1,0,0,0,0,0,2,0 0,3,0,0,4,0,0,0 s 5 9")
	g := load(t, "ntxuva/4").Game
	got := make([]uint8, g.Spec().ObservationSize())
	s.Observe(got, env.Second)
	want := []uint8{
		0, 3, 0, 0, // own defence, 0 to 3
		0, 0, 0, 4, // own attack, 7 to 4
		0, 0, 2, 0, // the enemy's 4 to 7
		0, 0, 0, 1, // the enemy's 3 to 0
	}
	if !slices.Equal(got[:16], want) {
		t.Errorf("seeds are %v, want %v", got[:16], want)
	}
	s.Observe(got, env.First)
	slices.Reverse(want)
	if !slices.Equal(got[:16], want) {
		t.Errorf("seeds are %v, want %v", got[:16], want)
	}
	for plane, value := range map[int]uint8{3: 1, 4: 1, 5: 7, 6: 1} {
		if got[16*plane] != value || got[16*plane+15] != value {
			t.Errorf("plane %s is %d, want %d", g.Spec().Planes[plane].Name, got[16*plane], value)
		}
	}
}

func TestFeatures(t *testing.T) {
	s := at(t, "ntxuva/4", "1,0,0,2,0,0,2,0 0,3,0,0,4,0,0,1 s 0 0")
	names := load(t, "ntxuva/4").Game.Spec().Features
	got := make([]int32, len(names))
	s.(env.Features).Features(got, env.First)
	// South's attack from left to right is 0,2,0,0 and faces North's 4,0,0,1.
	want := map[string]int32{"exposed seeds": 2 - 5, "threatening houses": 2 - 1, "turn": 1}
	for i, name := range names {
		if got[i] != want[name] {
			t.Errorf("%s is %d, want %d", name, got[i], want[name])
		}
	}
	if len(want) != len(names) {
		t.Errorf("%d features, want %d", len(names), len(want))
	}
}

func TestHotPathsAllocateNothing(t *testing.T) {
	for _, name := range []string{"ntxuva/basic", "ntxuva/12", `ntxuva/8{"endless":"pass"}`} {
		g := load(t, name).Game
		states := g.NewStates(2)
		s, copied := states[0], states[1]
		actions := g.Spec().NewActions()
		planes := make([]uint8, g.Spec().ObservationSize())
		rng := env.NewRand(5)
		envtest.AllocatesNothing(t, 500, func() {
			if actions = s.Legal(actions[:0]); len(actions) == 0 {
				s.Reset()
				return
			}
			copied.CopyFrom(s)
			s.Observe(planes, s.Player())
			s.Apply(actions[rng.IntN(len(actions))])
			s.Hash()
		})
	}
}

func TestSnapshotOfAnEndlessDraw(t *testing.T) {
	s := after(t, `ntxuva/basic{"endless":"draw"}`, endlessHouse0+" "+full+" s 0 0", "0")
	data, err := s.(env.Snapshotter).AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	restored := env.NewState(load(t, `ntxuva/basic{"endless":"draw"}`).Game)
	if err := restored.(env.Snapshotter).UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	wantEnd(t, restored, 0, env.Endless)
	if restored.Hash() != s.Hash() {
		t.Error("hashes differ")
	}
}

func TestSnapshotKeepsOccurrences(t *testing.T) {
	g := load(t, `ntxuva/basic{"endless":"pass"}`).Game
	s, restored := env.NewState(g), env.NewState(g)
	if err := s.SetPosition(bothEndless + " s 0 0"); err != nil {
		t.Fatal(err)
	}
	for ply := range 4 {
		data, err := s.(env.Snapshotter).AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := restored.(env.Snapshotter).UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		for range 4 - ply {
			wantEnd(t, restored, 0, env.NoReason)
			restored.Apply(0)
		}
		wantEnd(t, restored, 0, env.Repetition)
		s.Apply(0)
	}
	data, _ := s.(env.Snapshotter).AppendBinary(nil)
	restored.Reset()
	if err := restored.(env.Snapshotter).UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	wantEnd(t, restored, 0, env.Repetition)
}

// The bytes are those of version 2, in which the counters preceded the houses.
func TestSnapshotOfAnOlderVersionIsRefused(t *testing.T) {
	old, err := hex.DecodeString("4e5458550218923399138361461a98872a2fe0a2300000020000000200000001040103030003030003030001040103030003" +
		"03000303000300000047943e41bdc43f6a18d5b1c8c66e9cd6a9bc9a7f602e1fa1020f5e3b")
	if err != nil {
		t.Fatal(err)
	}
	s := env.NewState(load(t, "ntxuva/basic").Game)
	err = s.(env.Snapshotter).UnmarshalBinary(old)
	if want := "ntxuva snapshot: version is 2, must be 3"; err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
	wantPosition(t, s, full+" "+full+" s 0 0")
}

func TestForgedSnapshotsAreRefused(t *testing.T) {
	g := load(t, "ntxuva/basic").Game
	whole, err := env.NewState(g).(env.Snapshotter).AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	const body = 4 + 1 + 16 // length of the head
	for _, c := range []struct {
		why   string
		forge func(data []byte) []byte
	}{
		{"ends too early", func(data []byte) []byte { return data[:body+25] }},
		{"player to move is 2", func(data []byte) []byte { data[body] = 2; return data }},
		{"flag of an endless relay is 1", func(data []byte) []byte { data[body+1] = 1; return data }},
		{"flag of an endless relay is 2", func(data []byte) []byte { data[body+1] = 2; return data }},
		{"South: has more than 24 seeds", func(data []byte) []byte { data[body+2]++; return data }},
		{"North: has more than 24 seeds", func(data []byte) []byte { data[body+14] = 255; return data }},
		{"numbers are missing", func(data []byte) []byte { return data[:body+26] }},
		{"history", func(data []byte) []byte { return data[:body+34] }},
		{"history", func(data []byte) []byte { return append(data, 0) }},
	} {
		s := after(t, "ntxuva/basic", full+" "+full+" s 0 0", "0")
		before := env.PositionText(s)
		data := c.forge(slices.Clone(whole[:len(whole)-4]))
		if err := s.(env.Snapshotter).UnmarshalBinary(engine.Seal(data, 0)); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("error is %v, want %q", err, c.why)
		}
		wantPosition(t, s, before)
	}
}

// TestSnapshotWithTooLongAHistoryIsRefused writes a snapshot of three positions
// after no quiet ply, with a correct checksum.
func TestSnapshotWithTooLongAHistoryIsRefused(t *testing.T) {
	v := load(t, `ntxuva/basic{"endless":"pass"}`)
	s := env.NewState(v.Game)
	if err := s.SetPosition(bothEndless + " s 0 0"); err != nil {
		t.Fatal(err)
	}
	s.Apply(0)
	s.Apply(0)
	data, _ := s.(env.Snapshotter).AppendBinary(nil)
	if quiet := &data[4+1+16+2+24]; *quiet != 2 {
		t.Fatalf("the byte of quiet is %d", *quiet)
	} else {
		*quiet = 0
	}
	body := data[:len(data)-4]
	data = engine.Seal(body, 0)
	err := s.(env.Snapshotter).UnmarshalBinary(data)
	if want := "3 positions after 0 quiet plies"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error is %v, want %q", err, want)
	}
}

func TestCountersGoOnPastTheGreatestOfAPositionText(t *testing.T) {
	s := after(t, "ntxuva/basic", full+" "+full+" s 0 1000000000", "0")
	wantPosition(t, s, "1,4,1,3,3,0,3,3,0,3,3,0 "+full+" n 1 1000000001")
}

func FuzzSetPosition(f *testing.F) {
	f.Add(full + " " + full + " s 0 0")
	f.Add(lone + " " + empty + " n 12 999999999")
	f.Add(endlessHouse0 + " " + full + " s 200 0")
	f.Fuzz(func(t *testing.T, text string) {
		s := env.NewState(load(t, "ntxuva/basic").Game)
		if s.SetPosition(text) == nil {
			wantPosition(t, s, text)
			s.Legal(nil)
		} else {
			wantPosition(t, s, full+" "+full+" s 0 0")
		}
	})
}

func FuzzParseAction(f *testing.F) {
	for _, text := range []string{"0", "5x4", "11", "x", "5x", "12", "-0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := env.NewState(load(t, "ntxuva/basic").Game)
		a, err := s.ParseAction(text)
		if err != nil {
			return
		}
		if written := env.ActionText(s, a); written != text && !strings.HasPrefix(written, text+"x") {
			t.Errorf("%q is read as %s", text, written)
		}
	})
}

func FuzzUnmarshalBinary(f *testing.F) {
	g := load(f, "ntxuva/basic").Game
	whole, _ := env.NewState(g).(env.Snapshotter).AppendBinary(nil)
	f.Add(whole)
	f.Add(whole[:20])
	f.Fuzz(func(t *testing.T, data []byte) {
		s := env.NewState(g)
		if s.(env.Snapshotter).UnmarshalBinary(data) != nil {
			wantPosition(t, s, full+" "+full+" s 0 0")
		}
	})
}
