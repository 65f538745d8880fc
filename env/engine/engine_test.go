package engine_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/variant"
)

func TestListsHaveRoomForMaxLegalAndSlack(t *testing.T) {
	for _, spec := range []env.Spec{{MaxLegal: 1}, {MaxLegal: 15}, {MaxLegal: 16}, {MaxLegal: 193}} {
		for n := 1; n <= 3; n++ {
			room := cap(spec.NewActionLists(n))
			if room < n*spec.MaxLegal+engine.Slack || room%16 != 0 || room >= n*spec.MaxLegal+engine.Slack+16 {
				t.Errorf("%d lists of %d actions have room for %d", n, spec.MaxLegal, room)
			}
		}
		if list := spec.NewActions(); len(list) != 0 || cap(list) != cap(spec.NewActionLists(1)) {
			t.Errorf("a list of %d actions has room for %d", spec.MaxLegal, cap(list))
		}
	}
}

func TestRoomKeepsAListThatIsLongEnough(t *testing.T) {
	list := append(make([]env.Action, 0, 10), 7, 8)
	kept, p := engine.Room(list, 10-2-engine.Slack)
	if &kept[0] != &list[0] || len(kept) != 2 || p != unsafe.Pointer(&list[:3][2]) {
		t.Error("a list with room for 8 more was moved")
	}
	grown, p := engine.Room(list, 9)
	if &grown[0] == &list[0] || !slices.Equal(grown, list) || cap(grown) < 11 || p != unsafe.Pointer(&grown[:3][2]) {
		t.Errorf("a list without room for 9 more became %v", grown)
	}
	if n := engine.Listed(p, unsafe.Add(p, 5*engine.ActionSize), 5); n != 5 {
		t.Errorf("%d actions listed, want 5", n)
	}
}

func TestMostMovesTakesEachSquareOnce(t *testing.T) {
	rays := engine.NewRays(3, 2, [2]string{"a", "b"})
	numbers := []int{3, 9, 1, 9, 4, 0, 0, 0, 0}
	reach := func(square int, d env.Direction) int {
		if d == env.N {
			return numbers[square] - 1
		}
		return int(d / env.NW)
	}
	for n, want := range []int{0, 9, 18, 22, 25, 26, 26} {
		if got := rays.MostMoves(n, reach); got != want {
			t.Errorf("%d pieces have %d moves, want %d", n, got, want)
		}
	}
}

func TestFillSetsWholePlanes(t *testing.T) {
	for size := 8; size <= 200; size++ {
		dst := make([]uint8, 4*size+1)
		engine.Fill(dst, size, []uint8{7, 0, 255, 1})
		for i, got := range dst {
			want := uint8(0)
			if i < 4*size {
				want = [4]uint8{7, 0, 255, 1}[i/size]
			}
			if got != want {
				t.Fatalf("planes of %d: element %d is %d, want %d", size, i, got, want)
			}
		}
	}
}

// plain is a state that has only what all engines have.
type plain struct {
	env.State
	engine.Base
}

func (p *plain) Player() env.Player               { return p.Base.Player() }
func (p *plain) Result() (env.Result, env.Reason) { return p.Base.Result() }
func (p *plain) CopyFrom(src env.State) {
	o := src.(*plain)
	engine.Copy(p, o, &p.History, &o.History)
}

func TestStatesDoNotShareMemory(t *testing.T) {
	limits := engine.NewLimits(4, 3, 0)
	start := &plain{Base: engine.NewBase(&limits)}
	start.Next = env.Second
	start.Begin(77)
	states := engine.NewStates(3, &limits, start)
	for i, state := range states {
		h := &state.(*plain).History
		if !slices.Equal(h.Keys, []uint64{77}) || cap(h.Keys) != 5 || state.Player() != env.Second {
			t.Errorf("state %d has keys %v of %d", i, h.Keys, cap(h.Keys))
		}
		for range 4 {
			h.Add(uint64(i))
		}
	}
	for i, state := range states {
		n := uint64(i)
		if keys := state.(*plain).History.Keys; !slices.Equal(keys, []uint64{77, n, n, n, n}) {
			t.Errorf("memory of state %d holds %v", i, keys)
		}
	}
}

func TestAGameThatHasEndedHasNoPlayerToMove(t *testing.T) {
	var b engine.Base
	if b.Next = env.Second; b.Player() != env.Second || b.Over() {
		t.Error("a running game has no player to move")
	}
	b.End(-1, env.NoMove)
	if result, reason := b.Result(); b.Player() != env.NoPlayer || !b.Over() || result != -1 || reason != env.NoMove {
		t.Errorf("it ends %v by %v with player %d to move", result, reason, b.Player())
	}
}

func TestProgressBeginsTheHistoryAgain(t *testing.T) {
	b := engine.Base{Turn: engine.Turn{Next: env.Second, Plies: 8}, History: *historyOf(9, 1, 2, 1)}
	if b.Ply(); b.Quiet != 1 || b.Plies != 9 {
		t.Errorf("counted %+v", b.Turn)
	}
	if b.Progress(); b.Quiet != 0 || b.Plies != 9 || len(b.History.Keys) != 0 {
		t.Errorf("after progress: %+v, %v", b.Turn, b.History.Keys)
	}
	b.End(1, env.NoMove)
	at := b.At(engine.Turn{Plies: 3})
	if at.Begin(5); at.Over() || at.Plies != 3 || !slices.Equal(at.History.Keys, []uint64{5}) || at.History.Times() != 1 {
		t.Errorf("at another turn: %+v", at)
	}
}

type game struct {
	env.Game
	rules rules
}

func TestRegisteredEnginesReadRulesAndMakeGames(t *testing.T) {
	e := engine.Register(variant.Engine{Name: "test", Version: 4}, func(r rules) *game { return &game{rules: r} })
	empty, ok := e.Rules().(*rules)
	if !ok || *empty != (rules{}) || e.Name != "test" || e.Version != 4 {
		t.Fatalf("engine is %+v with rules %+v", e, empty)
	}
	if g := e.New(&rules{Number: 3}).(*game); g.rules.Number != 3 {
		t.Errorf("game has rules %+v", g.rules)
	}
	defer func() {
		if text, _ := recover().(string); text != "test: rule set is a *engine_test.other" {
			t.Errorf("panic is %q", text)
		}
	}()
	e.New(&other{})
}

type other struct{ rules }

func TestNewRefusesInvalidRules(t *testing.T) {
	build := func(r rules) *game { return &game{rules: r} }
	if g, err := engine.New("test", rules{Number: 3}, build); err != nil || g.rules.Number != 3 {
		t.Errorf("%+v, %v", g, err)
	}
	if g, err := engine.New("test", rules{Number: -1}, build); g != nil || err == nil || err.Error() != "test: number is negative" {
		t.Errorf("%+v, %v", g, err)
	}
}

func TestTheSpecHasTheHeaderOfTheRules(t *testing.T) {
	got := engine.NewSpec(&variant.Header{Game: "test", Name: "test/a", Description: "d", Source: "s"}, 3, new(fake))
	if got.Game != "test" || got.Name != "test/a" || got.Description != "d" || got.Source != "s" || got.Version != 3 || got.StartText != "position" {
		t.Errorf("spec is %+v", got)
	}
	var ends engine.Ends
	ends.Add(false, env.Points, false, "never")
	ends.Add(true, env.NoMove, true, "%d moves", 3)
	if want := []env.End{{Reason: env.NoMove, HouseRule: true, Description: "3 moves"}}; !slices.Equal(ends, want) {
		t.Errorf("ends are %+v", ends)
	}
	var planes engine.Planes
	planes.Add("own", "1 where a %s stands", "King")
	planes.AddUniform(9, "number", "at most %d", 9)
	planes.AddScaled(510, "points", "everywhere the points")
	planes.AddTurn("White")
	planes.AddScores(20, "score", "everywhere what %s has")
	want := []env.Plane{
		{Name: "own", Description: "1 where a King stands", Max: 1},
		{Name: "number", Description: "at most 9", Max: 9, Uniform: true},
		{Name: "points", Description: "everywhere the points, at most 510, times 255/510 and rounded down", Max: 255, Uniform: true},
		{Name: "to move", Description: "1 everywhere when the viewer is to move, 0 also when the game is over", Max: 1, Uniform: true},
		{Name: "White", Description: "1 everywhere when the viewer is White", Max: 1, Uniform: true},
		{Name: "own score", Description: "everywhere what the viewer has, at most 20", Max: 20, Uniform: true},
		{Name: "enemy score", Description: "everywhere what the enemy has, at most 20", Max: 20, Uniform: true},
	}
	if !slices.Equal(planes, want) {
		t.Errorf("planes are %+v", planes)
	}
}

func TestOnlyLivingPiecesOfARunningGameAreRemoved(t *testing.T) {
	living, wreck := env.Piece{ID: 1, Count: 1}, env.Piece{ID: 2, Wreck: true}
	name := func(p env.Piece) string { return "piece " + string('0'+byte(p.ID)) }
	for _, x := range []struct {
		piece   env.Piece
		player  env.Player
		without *fake
		reason  error
		want    string
	}{
		{living, env.First, &fake{player: env.Second}, nil, ""},
		{living, env.NoPlayer, nil, nil, "remove: the game is over"},
		{env.Piece{ID: 3}, env.First, nil, nil, "remove: the board does not have the piece {Type:0 ID:3"},
		{wreck, env.First, nil, nil, "remove: the piece is a wreck: {Type:0 ID:2"},
		{living, env.First, nil, errors.New("it is needed"), "remove piece 1: it is needed"},
		{living, env.First, &fake{player: env.NoPlayer, result: -1, reason: env.NoMove}, nil, "remove piece 1: the game would be over: second, no_move"},
	} {
		s := &fake{player: x.player, pieces: []env.Piece{living, wreck}}
		trial := new(fake)
		without := func(p env.Piece) (*fake, error) {
			if p != living {
				t.Errorf("asked for the position without %+v", p)
			}
			return x.without, x.reason
		}
		err := engine.Remove(s, trial, x.piece, name, without, func(p **fake) { *trial = **p })
		if x.want == "" {
			if err != nil || s.player != env.Second {
				t.Errorf("%v, player %d", err, s.player)
			}
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), x.want) || s.player != x.player || len(s.pieces) != 2 {
			t.Errorf("%v, want %s; state is %+v", err, x.want, s)
		}
	}
	if err := engine.Remove[int](struct{ env.State }{}, nil, living, name, nil, nil); err == nil || err.Error() != "remove: the game does not list its pieces" {
		t.Errorf("without a list: %v", err)
	}
}

func TestPiecesAreNamedByOwnerTypeAndSquare(t *testing.T) {
	spec := &env.Spec{Width: 4, Players: [2]string{"White", "Black"}, Pieces: []env.PieceType{{Name: "Rook"}, {Name: "King"}}}
	if got := engine.NameOn(spec)(env.Piece{Owner: env.Second, Type: 1, Square: 6}); got != "Black's King on c2" {
		t.Errorf("the piece is %s", got)
	}
}

func TestThePastComesBack(t *testing.T) {
	history := historyOf(9, 5, 6, 5)
	data := history.Append(engine.AppendCounts(nil, 2, 300))
	var c engine.Turn
	back := historyOf(9)
	if err := engine.RestorePast(data, &c, back); err != nil || c != (engine.Turn{Quiet: 2, Plies: 300}) || back.Times() != 2 || !slices.Equal(back.Keys, history.Keys) {
		t.Errorf("%v: %+v, %v", err, c, back)
	}
	for n := range data {
		if err := engine.RestorePast(data[:n], &c, historyOf(9)); err == nil {
			t.Errorf("%d of %d bytes are restored", n, len(data))
		}
	}
	early := history.Append(engine.AppendCounts(nil, 1, 300))
	if err := engine.RestorePast(early, &c, back); err == nil || err.Error() != "the history has 3 positions after 1 quiet plies" {
		t.Errorf("3 positions after 1 quiet ply: %v", err)
	}
	for b := range 4 {
		p, err := engine.RestorePlayer(byte(b))
		if b < 2 && (err != nil || p != env.Player(b)) || b >= 2 && (err == nil || p != env.NoPlayer) {
			t.Errorf("byte %d is player %d, %v", b, p, err)
		}
	}
}

func TestRestoreNamesTheGame(t *testing.T) {
	h := head("TEST", 3, 7)
	data := whole(h, 7, 8)
	err := h.Restore(data, func(body []byte) error {
		if !bytes.HasPrefix(body, []byte{7, 8}) {
			t.Errorf("body is %v", body)
		}
		return errors.New("odd")
	})
	if err == nil || err.Error() != "test snapshot: odd" {
		t.Errorf("error of the engine: %v", err)
	}
	if err := h.Restore(data, func([]byte) error { return nil }); err != nil {
		t.Error(err)
	}
	if err := h.Restore(data[1:], nil); err == nil || !strings.HasPrefix(err.Error(), "test snapshot: ") {
		t.Errorf("damaged: %v", err)
	}
}
