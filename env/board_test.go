package env_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
)

func TestDirectionsGoClockwiseFromNorth(t *testing.T) {
	want := []struct {
		name   string
		dx, dy int
	}{{"N", 0, 1}, {"NE", 1, 1}, {"E", 1, 0}, {"SE", 1, -1}, {"S", 0, -1}, {"SW", -1, -1}, {"W", -1, 0}, {"NW", -1, 1}}
	for i, w := range want {
		d := env.Direction(i)
		dx, dy := d.Delta()
		if d.String() != w.name || dx != w.dx || dy != w.dy {
			t.Errorf("direction %d is %s (%d,%d), want %s (%d,%d)", i, d, dx, dy, w.name, w.dx, w.dy)
		}
		if back, err := env.ParseDirection(w.name); err != nil || back != d {
			t.Errorf("ParseDirection(%q) = %v, %v", w.name, back, err)
		}
		if d.Turned(4).Turned(-4) != d {
			t.Errorf("%s turned about and back is %s", d, d.Turned(4).Turned(-4))
		}
	}
	if _, err := env.ParseDirection("n"); err == nil {
		t.Error("ParseDirection accepts n")
	}
}

func TestSquareNamesRoundTrip(t *testing.T) {
	for _, size := range []struct{ w, h int }{{8, 8}, {11, 11}, {20, 20}, {24, 24}} {
		for square := range size.w * size.h {
			name := string(env.AppendSquare(nil, square, size.w))
			got, rest, err := env.ParseSquare(name+"-x", size.w, size.h)
			if err != nil || got != square || rest != "-x" {
				t.Fatalf("ParseSquare(%q) on %d×%d = %d, %q, %v", name, size.w, size.h, got, rest, err)
			}
		}
	}
}

func TestParseSquareRefusesWhatIsNoSquare(t *testing.T) {
	for _, text := range []string{"", "a", "1", "a0", "a01", "i1", "a9", "A1", "a-1", "`1", "a999", "é1"} {
		if square, _, err := env.ParseSquare(text, 8, 8); err == nil {
			t.Errorf("ParseSquare(%q) = %d", text, square)
		}
	}
}

func TestReasonsRoundTrip(t *testing.T) {
	for r := env.NoReason; r <= env.Crashed; r++ {
		if got, err := env.ParseReason(r.String()); err != nil || got != r {
			t.Errorf("ParseReason(%q) = %v, %v", r, got, err)
		}
	}
	if _, err := env.ParseReason("Reason(99)"); err == nil {
		t.Error("an unknown reason parses")
	}
}

func TestResultsAreZeroSum(t *testing.T) {
	for _, p := range []env.Player{env.First, env.Second} {
		r := env.WinFor(p)
		if r.For(p) != 1 || r.For(p.Opponent()) != -1 {
			t.Errorf("a win for %d is %d for it and %d for the opponent", p, r.For(p), r.For(p.Opponent()))
		}
	}
	if env.WinFor(env.First).String() != "first" || env.WinFor(env.Second).String() != "second" || env.Result(0).String() != "draw" {
		t.Error("a result does not name its winner")
	}
	if env.ByPoints(3, 2) != 1 || env.ByPoints(2, 3) != -1 || env.ByPoints(2, 2) != 0 {
		t.Error("more points do not win")
	}
}
