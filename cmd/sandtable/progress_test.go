package main

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestALineOfProgressFitsTheTerminal(t *testing.T) {
	p := &progress{what: "playing", unit: "episodes", total: 100_000}
	s := progressState{done: 45_000, rate: 7_400, plyRate: 1_100_000, left: 7 * time.Second}
	for width, want := range map[int]string{
		20:  "playing 45 %, 7 s lef",
		60:  "playing 45 %, 7 s left, 45,000 of 100,000 episodes [===     ]",
		80:  "playing 45 %, 7 s left, 45,000 of 100,000 episodes, 1.10 M plies/s [====     ]",
		200: "playing 45 %, 7 s left, 45,000 of 100,000 episodes, 1.10 M plies/s [==================                      ]",
	} {
		for narrow := 1; narrow <= width; narrow++ {
			if n := utf8.RuneCountInString(p.line(s, narrow)); n > narrow {
				t.Fatalf("a line for %d columns has %d: %s", narrow, n, p.line(s, narrow))
			}
		}
		if got := p.line(s, width); !strings.HasPrefix(want, strings.TrimRight(got, "=[] ")) || utf8.RuneCountInString(got) > width {
			t.Errorf("%d columns:\n%s\nwant\n%s", width, got, want)
		}
	}
}

func TestProgressHasUnitsThatFitTheSpeed(t *testing.T) {
	for rate, want := range map[float64]string{
		2.5e6: "2.50 M plies/s", 48_200: "48 k plies/s", 1_234: "1.2 k plies/s", 56.7: "57 plies/s", 0.2: "12 plies/min", 0.001: "4 plies/h",
	} {
		if got := rateText(rate, "plies"); got != want {
			t.Errorf("%g per second is %s, want %s", rate, got, want)
		}
	}
}

func TestAProgressOfAResumedRunCountsTheWhole(t *testing.T) {
	p := &progress{what: "playing", unit: "episodes", total: 60_000}
	if line := p.line(progressState{done: 35_644, left: -1}, 79); !strings.HasPrefix(line, "playing 59 %, 35,644 of 60,000 episodes [=") {
		t.Errorf("the line is %q", line)
	}
}
