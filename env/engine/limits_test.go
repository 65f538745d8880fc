package engine_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// at returns a state after the given plies with a history of the given keys.
func at(quiet, plies int32, keys ...uint64) *engine.Base {
	return &engine.Base{Turn: engine.Turn{Quiet: quiet, Plies: plies}, History: *historyOf(9, keys...)}
}

// caption returns what EndDiagram appends to a caption.
func caption(l *engine.Limits, b *engine.Base) []string {
	d := env.Diagram{Players: [2]string{"White", "Black"}}
	l.EndDiagram(&d, scoreless{}, b, "points", "a capture")
	return d.Caption
}

type scoreless struct{}

func (scoreless) Points(env.Player) int { return 0 }

func TestLimitsOf0AreOff(t *testing.T) {
	l := engine.NewLimits(0, 0, 0)
	if l != (engine.Limits{Quiet: engine.NoLimit, Times: engine.NoLimit, Plies: engine.NoLimit}) {
		t.Errorf("limits are %+v", l)
	}
	if left, _ := l.Counters(at(5, 9)); left != math.MaxInt32 {
		t.Errorf("%d plies left without limits", left)
	}
	if l.HistorySize() != 0 || len(caption(&l, at(1, 0, 1, 2, 1))) != 1 {
		t.Error("limits that are off keep a history or show in a caption")
	}
	var planes engine.Planes
	l.AddPlanes(&planes, "x")
	if len(planes) != 0 || l.Observe(make([]uint8, 3), at(0, 0)) != 0 {
		t.Errorf("planes are %v", planes)
	}
}

func TestTheNearestLimitOfPliesCounts(t *testing.T) {
	b := at(10, 100, 1, 2, 1)
	for _, x := range []struct{ quiet, plies, want int }{{30, 0, 20}, {0, 150, 50}, {30, 150, 20}, {90, 150, 50}} {
		l := engine.NewLimits(x.quiet, 0, x.plies)
		if got, times := l.Counters(b); got != x.want || times != 2 {
			t.Errorf("limits %d and %d leave %d plies, want %d", x.quiet, x.plies, got, x.want)
		}
	}
}

// The positions of 30 quiet plies and the one before them.
func TestHistoryHasRoomForTheQuietPlies(t *testing.T) {
	if l := engine.NewLimits(30, 3, 0); l.HistorySize() != 31 {
		t.Errorf("room for %d positions, want 31", l.HistorySize())
	}
}

func TestLimitsShowInCaptionAndPlanes(t *testing.T) {
	l := engine.NewLimits(600, 3, 200)
	want := []string{"points: White 0, Black 0", "plies without a capture: 400 of 600", "position occurred 2 times of 3", "plies played: 150 of 200"}
	if got := caption(&l, at(400, 150, 1, 2, 1)); !slices.Equal(got, want) {
		t.Errorf("caption is %q, want %q", got, want)
	}
	once := caption(&l, at(400, 150, 1, 2, 3))
	if len(once) != 3 || strings.Contains(once[2], "occurred") {
		t.Errorf("of a position that is new: %q", once)
	}
	var planes engine.Planes
	l.AddPlanes(&planes, "the last capture")
	wantPlanes := []env.Plane{
		{Name: "quiet plies", Description: "everywhere the plies since the last capture, at most 600, times 255/600 and rounded down", Max: 255, Uniform: true},
		{Name: "occurrences", Description: "everywhere how often the position has occurred, this time included", Max: 3, Uniform: true},
		{Name: "plies", Description: "everywhere the plies played, at most 200", Max: 200, Uniform: true},
	}
	if !slices.Equal(planes, wantPlanes) {
		t.Errorf("planes are %+v", planes)
	}
	values := make([]uint8, engine.LimitPlanes)
	if n := l.Observe(values, at(400, 150, 1, 2, 1)); n != 3 || !slices.Equal(values, []uint8{170, 2, 150}) {
		t.Errorf("values are %v", values[:n])
	}
	if l.Observe(values, at(400, 150, 1, 2, 1, 2, 1, 2, 1)); values[1] != 3 {
		t.Errorf("four occurrences show as %d, want the limit of 3", values[1])
	}
}

func TestTheTurnIsTheEndOfAPositionText(t *testing.T) {
	turn := engine.Turn{Next: env.Second, Quiet: 4, Plies: 41}
	if got := string(turn.AppendCounts([]byte("b"))); got != "b 4 41" {
		t.Errorf("text is %q", got)
	}
	if back, err := engine.ParseTurn("wb", "b", "4", "41"); err != nil || back != turn {
		t.Errorf("read back: %+v, %v", back, err)
	}
	for _, x := range [][4]string{
		{"w", "04", "41", "quiet plies: "}, {"w", "4", "-1", "plies played: "}, {"w", "4", "1000000001", "plies played: 1000000001 is too great"},
	} {
		if _, err := engine.ParseTurn("wb", x[0], x[1], x[2]); err == nil || !strings.HasPrefix(err.Error(), x[3]) {
			t.Errorf("%q: %v, want %s", x[:3], err, x[3])
		}
	}
}

func TestTheStatusNamesTheSideToMoveOrTheWinner(t *testing.T) {
	players := [2]string{"White", "Black"}
	d := env.Diagram{FirstLight: true, Cells: make([]env.Cell, 9), Caption: []string{"old", "old"}}
	for _, x := range []struct {
		s    fake
		want string
	}{
		{fake{player: env.First}, "White to move"},
		{fake{player: env.Second}, "Black to move"},
		{fake{player: env.NoPlayer, result: 1, reason: env.NoMove}, "White won (no_move)"},
		{fake{player: env.NoPlayer, result: -1, reason: env.Points}, "Black won (points)"},
		{fake{player: env.NoPlayer, reason: env.Repetition}, "drawn (repetition)"},
	} {
		engine.BeginDiagram(&d, &x.s, &env.Spec{Players: players, Width: 3, Height: 2}, false)
		if got := d.Caption[0]; len(d.Caption) != 1 || got != x.want {
			t.Errorf("status is %q, want %q", got, x.want)
		}
		if d.Width != 3 || d.Height != 2 || !d.Squares || d.FirstLight || d.Players != players || !slices.Equal(d.Cells, slices.Repeat([]env.Cell{{Owner: env.NoPlayer, Count: env.None}}, 6)) {
			t.Errorf("the board is %+v", d)
		}
	}
}
