package tankchess_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
)

// wayEnd is an end state as the test counts them: displacement and turn.
type wayEnd struct{ dx, dy, turn int }

// fewestSteps finds every end state of an unbounded empty board by trying all
// sequences of steps, each with the fewest it takes.
func fewestSteps(facing env.Direction, speed int, mixed bool) map[wayEnd]int {
	fewest := map[wayEnd]int{}
	note := func(e wayEnd, steps int) bool {
		if known, is := fewest[e]; is && known <= steps {
			return false
		}
		fewest[e] = steps
		return true
	}
	type node struct {
		wayEnd
		back bool
	}
	level := map[node]bool{{}: true}
	for steps := 1; steps <= speed; steps++ {
		next := map[node]bool{}
		for n := range level {
			dx, dy := facing.Turned(n.turn).Delta()
			next[node{wayEnd{n.dx + dx, n.dy + dy, n.turn}, n.back}] = true
			next[node{wayEnd{n.dx, n.dy, (n.turn + 1) % 8}, n.back}] = true
			next[node{wayEnd{n.dx, n.dy, (n.turn + 7) % 8}, n.back}] = true
			if mixed && !n.back {
				next[node{wayEnd{n.dx - dx, n.dy - dy, n.turn}, true}] = true
			}
		}
		for n := range next {
			note(n.wayEnd, steps)
		}
		level = next
	}
	delete(fewest, wayEnd{})
	dx, dy := facing.Delta()
	fewest[wayEnd{-dx, -dy, 0}] = 0
	return fewest
}

// ordered puts end states in the order of their numbers.
func ordered(fewest map[wayEnd]int) []wayEnd {
	var list []wayEnd
	for e := range fewest {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b wayEnd) int {
		return cmp.Or(cmp.Compare(fewest[a], fewest[b]), cmp.Compare(a.dy, b.dy), cmp.Compare(a.dx, b.dx), cmp.Compare(a.turn, b.turn))
	})
	return list
}

// TestEndStatesAreNumberedByStepsThenDyDxTurn compares the moves of a lone
// Light Tank in the middle of an empty board with the numbered list, in all
// facings, for both players.
func TestEndStatesAreNumberedByStepsThenDyDxTurn(t *testing.T) {
	for _, c := range []struct {
		speed          int
		reverse        string
		straight, diag int
	}{
		{5, "alone", 131, 131}, {4, "alone", 64, 64}, {3, "alone", 28, 28}, {7, "alone", 407, 407},
		{5, "mixed", 171, 177}, {3, "mixed", 44, 44}, {7, "mixed", 463, 465},
	} {
		speeds := ""
		for _, code := range []string{"CLT", "LT", "MT", "HT"} {
			speeds += fmt.Sprintf(`,%q:{"speed":%d}`, code, c.speed)
		}
		variant := fmt.Sprintf(`tankchess/16x16{"reverse":%q,"pieces":{%s},%s}`, c.reverse, speeds[1:], openBoard)
		spec := load(t, variant).Game.Spec()
		count := max(c.straight, c.diag)
		if want := 10*count*4 + 1; spec.Actions != want {
			t.Fatalf("%s: %d actions, want %d", variant, spec.Actions, want)
		}
		for facing := env.N; facing <= env.NW; facing++ {
			for player, side := range []string{"w", "b"} {
				tank := fmt.Sprintf("CLT@a1N,LT@h8%v CLT@p16S", facing)
				if side == "b" {
					tank = fmt.Sprintf("CLT@a1N CLT@p16S,LT@i9%v", facing.Turned(4))
				}
				s := setUp(t, variant, tank+" "+side+" 0 0")
				want := ordered(fewestSteps(facing&1, c.speed, c.reverse == "mixed"))
				if wide := map[bool]int{false: c.straight, true: c.diag}[facing&1 == 1]; len(want) != wide {
					t.Fatalf("%s facing %v: %d end states, want %d", variant, facing, len(want), wide)
				}
				compareLightTank(t, s, count, player, facing, want)
			}
		}
	}
}

// compareLightTank demands that the Light Tank of slot 1, which faces facing in
// its owner's frame, can reach just the end states of the list that are on the
// board, under their numbers.
func compareLightTank(t *testing.T, s env.State, count, player int, facing env.Direction, list []wayEnd) {
	t.Helper()
	got := map[env.Action]string{}
	for _, a := range s.Legal(nil) {
		if int(a)/4/count == 1 && a != env.Action(10*count*4) {
			got[a] = env.ActionText(s, a)
		}
	}
	want := map[env.Action]string{}
	for n, e := range list {
		for range facing / 2 {
			e.dx, e.dy = e.dy, -e.dx
		}
		x, y, from, to := 7+e.dx, 7+e.dy, "h8", facing.Turned(e.turn)
		if player == 1 {
			x, y, from, to = 15-x, 15-y, "i9", to.Turned(4)
		}
		if x < 0 || x > 15 || y < 0 || y > 15 {
			continue
		}
		square := env.AppendSquare(nil, y*16+x, 16)
		if name := string(square); name != "a1" && name != "p16" { // the Command Tanks
			want[env.Action((count+n)*4)] = fmt.Sprintf("%s>%s/%v", from, name, to)
		}
	}
	for a, text := range want {
		if got[a] != text {
			t.Fatalf("facing %v, player %d: action %d is %q, want %q", facing, player, a, got[a], text)
		}
	}
	for a, text := range got {
		if want[a] == "" && text[len(text)-1] != ')' {
			t.Fatalf("facing %v, player %d: action %d, %q, is none of the list", facing, player, a, text)
		}
	}
}

func TestEndStatesOfASlowerTypeAreAPrefix(t *testing.T) {
	s := setUp(t, `tankchess/16x16{`+openBoard+`}`, "CLT@a1N,MT@h8N,HT@j8NE CLT@p16S w 0 0")
	most := map[int]int{}
	for _, a := range s.Legal(nil) {
		slot, template := int(a)/4/131, int(a)/4%131
		most[slot] = max(most[slot], template+1)
	}
	if most[5] != 64 || most[8] != 28 {
		t.Errorf("the greatest numbers are %v, want 64 for the Medium Tank in slot 5 and 28 for the Heavy Tank in slot 8", most)
	}
}
