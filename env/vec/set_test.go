package vec_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/vec"
)

func TestSetBeginsAnEpisodeAtThePosition(t *testing.T) {
	g := game(t, "trench/standard")
	v := newVec(t, g, 3, vec.Options{RandomPlies: 3, MaxPlies: 9})
	reset(t, v, 3)
	for range 6 {
		step(t, v, sample(t, v))
	}
	if !v.Truncated[1] {
		t.Fatal("slot 1 is not finished")
	}
	others := []string{env.PositionText(v.State(0)), env.PositionText(v.State(2))}
	text := starts(g, 5)[4]
	if err := v.Set(1, text); err != nil {
		t.Fatal(err)
	}
	want := env.NewState(g)
	if err := want.SetPosition(text); err != nil {
		t.Fatal(err)
	}
	if got := env.PositionText(v.State(1)); got != text || v.Truncated[1] || v.ToMove[1] != want.Player() || !slices.Equal(legal(v, 1), want.Legal(nil)) {
		t.Errorf("slot 1 is at %q, truncated %v", got, v.Truncated[1])
	}
	if got := []string{env.PositionText(v.State(0)), env.PositionText(v.State(2))}; !slices.Equal(got, others) || !v.Truncated[0] {
		t.Error("other slots have changed")
	}
	for range 9 {
		step(t, v, sample(t, v))
	}
	if !v.Truncated[1] || v.FinalPlies[1] != 9 || v.FinalEpisode[1] != 1 {
		t.Errorf("truncated %v after %d plies of episode %d", v.Truncated[1], v.FinalPlies[1], v.FinalEpisode[1])
	}
}

func TestSetLetsTheOpponentMoveFirst(t *testing.T) {
	g := game(t, "trench/standard")
	for _, text := range starts(g, 6) {
		at := env.NewState(g)
		if err := at.SetPosition(text); err != nil {
			t.Fatal(err)
		}
		v := newVec(t, g, 1, vec.Options{Opponent: vec.Random{}, Seat: vec.SeatSecond})
		reset(t, v, 1)
		if err := v.Set(0, text); err != nil {
			t.Fatal(err)
		}
		if v.ToMove[0] != env.Second || v.Viewer[0] != env.Second {
			t.Errorf("player %d is to move in the view of %d", v.ToMove[0], v.Viewer[0])
		}
		if moved := env.PositionText(v.State(0)) != text; moved != (at.Player() == env.First) {
			t.Errorf("player %d was to move, the opponent has moved: %v", at.Player(), moved)
		}
	}
}

func TestSetRefusesWhatCannotBePlayed(t *testing.T) {
	g := game(t, "ntxuva/basic")
	v := newVec(t, g, 2, vec.Options{Opponent: vec.Random{}, Seat: vec.SeatSecond})
	if v.Set(0, g.Spec().StartText) == nil {
		t.Error("a slot is set before the batch is reset")
	}
	reset(t, v, 3)
	step(t, v, sample(t, v))
	before, saved := copied(v.Results), save(t, v)
	last := finishingPosition(t, g)
	over := env.NewState(g)
	if err := over.SetPosition(last); err != nil {
		t.Fatal(err)
	}
	over.Apply(over.Legal(nil)[0])
	for text, word := range map[string]string{
		"nonsense":             "slot 1",
		env.PositionText(over): "over",
		last:                   "first turn",
	} {
		if err := v.Set(1, text); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("position %q: error is %v, must speak of %q", text, err, word)
		}
	}
	if !reflect.DeepEqual(copied(v.Results), before) || !slices.Equal(save(t, v), saved) {
		t.Error("the refused positions have changed the batch")
	}
}
