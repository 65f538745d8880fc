package engine_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

func TestLimitsOf0AreOff(t *testing.T) {
	l := engine.NewLimits(0, 0, 0)
	if l != (engine.Limits{Quiet: engine.NoLimit, Times: engine.NoLimit, Plies: engine.NoLimit}) {
		t.Errorf("limits are %+v", l)
	}
	if left := l.Left(engine.Counters{Quiet: 5, Plies: 9}); left != math.MaxInt32 {
		t.Errorf("%d plies left without limits", left)
	}
	if l.HistorySize() != 0 || l.AppendCaption(nil, engine.Counters{Quiet: 1}, historyOf(9, 1, 2, 1), "x") != nil {
		t.Error("limits that are off keep a history or show in a caption")
	}
	var planes engine.Planes
	l.AddPlanes(&planes, "x")
	if len(planes) != 0 || l.Observe(make([]uint8, 3), engine.Counters{}, historyOf(0)) != 0 {
		t.Errorf("planes are %v", planes)
	}
}

func TestTheNearestLimitOfPliesCounts(t *testing.T) {
	c := engine.Counters{Quiet: 10, Plies: 100}
	for _, x := range []struct{ quiet, plies, want int }{{30, 0, 20}, {0, 150, 50}, {30, 150, 20}, {90, 150, 50}} {
		l := engine.NewLimits(x.quiet, 0, x.plies)
		if got := l.Left(c); got != x.want {
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
	c := engine.Counters{Quiet: 400, Plies: 150}
	want := []string{"turn", "plies without a capture: 400 of 600", "position occurred 2 times of 3", "plies played: 150 of 200"}
	if got := l.AppendCaption([]string{"turn"}, c, historyOf(9, 1, 2, 1), "a capture"); !slices.Equal(got, want) {
		t.Errorf("caption is %q, want %q", got, want)
	}
	once := l.AppendCaption(nil, c, historyOf(9, 1, 2, 3), "a capture")
	if len(once) != 2 || strings.Contains(once[1], "occurred") {
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
	if n := l.Observe(values, c, historyOf(9, 1, 2, 1)); n != 3 || !slices.Equal(values, []uint8{170, 2, 150}) {
		t.Errorf("values are %v", values[:n])
	}
	if l.Observe(values, c, historyOf(9, 1, 2, 1, 2, 1, 2, 1)); values[1] != 3 {
		t.Errorf("four occurrences show as %d, want the limit of 3", values[1])
	}
}

func TestCountersAreTheEndOfAPositionText(t *testing.T) {
	c := engine.Counters{Quiet: 3, Plies: 40}
	c.Ply()
	if got := string(c.AppendText([]byte("w"))); got != "w 4 41" {
		t.Errorf("text is %q", got)
	}
	if back, err := engine.ParseCounters("4", "41"); err != nil || back != c {
		t.Errorf("read back: %+v, %v", back, err)
	}
	for _, x := range [][3]string{{"04", "41", "quiet plies: "}, {"4", "-1", "plies played: "}, {"4", "1000000001", "plies played: 1000000001 is too great"}} {
		if _, err := engine.ParseCounters(x[0], x[1]); err == nil || !strings.HasPrefix(err.Error(), x[2]) {
			t.Errorf("%q %q: %v, want %s", x[0], x[1], err, x[2])
		}
	}
}

func TestTheStatusNamesTheSideToMoveOrTheWinner(t *testing.T) {
	players := [2]string{"White", "Black"}
	for _, x := range []struct {
		s    stub
		want string
	}{
		{stub{player: env.First}, "White to move"},
		{stub{player: env.Second}, "Black to move"},
		{stub{player: env.NoPlayer, result: 1, reason: env.NoMove}, "White won (no_move)"},
		{stub{player: env.NoPlayer, result: -1, reason: env.Points}, "Black won (points)"},
		{stub{player: env.NoPlayer, reason: env.Repetition}, "drawn (repetition)"},
	} {
		if got := engine.Status(&x.s, players); got != x.want {
			t.Errorf("status is %q, want %q", got, x.want)
		}
	}
}
