package ntxuva_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/ntxuva"
)

// reference is the game in the plainest form: counts in slices, the set of all
// laps of a move, the list of all positions of the game.
type reference struct {
	rules        ntxuva.Rules
	houses       [2][]int
	player       int
	quiet, plies int
	past         map[string]int
	reason       string
	winner       int // −1 for none
}

func newReference(t testing.TB, rules ntxuva.Rules, position string) *reference {
	r := &reference{rules: rules, past: map[string]int{}, reason: "none", winner: -1}
	fields := strings.Fields(position)
	for p := range 2 {
		for _, count := range strings.Split(fields[p], ",") {
			r.houses[p] = append(r.houses[p], number(t, count))
		}
	}
	if fields[2] == "n" {
		r.player = 1
	}
	r.quiet, r.plies = number(t, fields[3]), number(t, fields[4])
	r.judge(false)
	return r
}

func number(t testing.TB, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// sow returns the houses after a relay, where it ended and how many laps and
// pieces it took; ends is −1 when it never ends.
func sow(before []int, start int) (houses []int, end, laps, dropped int) {
	houses = slices.Clone(before)
	seen := map[[33]int]bool{}
	for at := start; ; laps++ {
		moment := [33]int{at}
		copy(moment[1:], houses)
		if seen[moment] {
			return before, -1, laps, dropped
		}
		seen[moment] = true
		hand := houses[at]
		houses[at] = 0
		wasEmpty := false
		for ; hand > 0; hand-- {
			at = (at + 1) % len(houses)
			wasEmpty = houses[at] == 0
			houses[at]++
			dropped++
		}
		if wasEmpty {
			return houses, at, laps + 1, dropped
		}
	}
}

func (r *reference) legal() []env.Action {
	own := r.houses[r.player]
	many := slices.ContainsFunc(own, func(n int) bool { return n >= 2 })
	var legal []env.Action
	for house, n := range own {
		switch {
		case n == 0, n == 1 && many && r.rules.Singles == "when_forced":
			continue
		case n == 1 && r.rules.SingleStep == "empty_only" && own[(house+1)%len(own)] != 0:
			continue
		}
		if _, end, _, _ := sow(own, house); end >= 0 || r.rules.Endless != "illegal" {
			legal = append(legal, env.Action(house))
		}
	}
	return legal
}

// prey returns the enemy houses that a move ending in a house empties.
func (r *reference) prey(end int) []int {
	c := r.rules.Columns
	if end < c {
		return nil
	}
	enemy, column := r.houses[1-r.player], 2*c-1-end
	attack, defence := c+column, c-1-column
	switch {
	case enemy[attack] == 0:
		return nil
	case r.rules.Capture == "pair" && enemy[defence] > 0:
		return []int{attack, defence}
	}
	return []int{attack}
}

func (r *reference) text(a env.Action) string {
	_, end, _, _ := sow(r.houses[r.player], int(a))
	taken := 0
	for _, house := range r.prey(end) {
		taken += r.houses[1-r.player][house]
	}
	if taken == 0 {
		return fmt.Sprint(a)
	}
	return fmt.Sprintf("%dx%d", a, taken)
}

func (r *reference) apply(a env.Action) {
	houses, end, _, _ := sow(r.houses[r.player], int(a))
	r.houses[r.player] = houses
	r.quiet++
	r.plies++
	for _, house := range r.prey(end) {
		r.houses[1-r.player][house] = 0
		r.quiet = 0
	}
	r.player = 1 - r.player
	r.judge(end < 0 && r.rules.Endless == "draw")
}

func (r *reference) judge(endless bool) {
	r.past[r.board()]++
	end := func(reason string, winner int) { r.reason, r.winner = reason, winner }
	switch {
	case sum(r.houses[r.player]) == 0:
		end("wiped_out", 1-r.player)
	case sum(r.houses[1-r.player]) == 0:
		end("wiped_out", r.player)
	case endless:
		end("endless", -1)
	case r.rules.NoProgress > 0 && r.quiet >= r.rules.NoProgress:
		end("no_progress", -1)
	case r.rules.Repetition > 0 && r.past[r.board()] >= r.rules.Repetition:
		end("repetition", -1)
	case len(r.legal()) == 0:
		end("blocked", 1-r.player)
	}
}

func sum(counts []int) (total int) {
	for _, n := range counts {
		total += n
	}
	return total
}

func (r *reference) board() string {
	list := func(counts []int) string {
		var texts []string
		for _, n := range counts {
			texts = append(texts, fmt.Sprint(n))
		}
		return strings.Join(texts, ",")
	}
	return list(r.houses[0]) + " " + list(r.houses[1]) + " " + []string{"s", "n"}[r.player]
}

func (r *reference) position() string { return fmt.Sprint(r.board(), " ", r.quiet, " ", r.plies) }

// agree compares everything the two say of a position.
func (r *reference) agree(s env.State) error {
	result, reason := s.Result()
	winner := -1
	switch result {
	case 1:
		winner = 0
	case -1:
		winner = 1
	}
	var legal []env.Action
	if r.reason == "none" {
		legal = r.legal()
	}
	got := s.Legal(nil)
	switch {
	case env.PositionText(s) != r.position():
		return fmt.Errorf("position %s, want %s", env.PositionText(s), r.position())
	case reason.String() != r.reason || winner != r.winner:
		return fmt.Errorf("%s: ends %v won by %d, want %s by %d", r.position(), reason, winner, r.reason, r.winner)
	case !slices.Equal(got, legal):
		return fmt.Errorf("%s: legal %v, want %v", r.position(), got, legal)
	case (s.Player() == env.NoPlayer) != (legal == nil) || legal != nil && int(s.Player()) != r.player:
		return fmt.Errorf("%s: player %d", r.position(), s.Player())
	case s.(env.Scorer).Points(env.First) != sum(r.houses[0]) || s.(env.Scorer).Points(env.Second) != sum(r.houses[1]):
		return fmt.Errorf("%s: points %d and %d", r.position(), s.(env.Scorer).Points(env.First), s.(env.Scorer).Points(env.Second))
	}
	for _, a := range legal {
		if text := env.ActionText(s, a); text != r.text(a) {
			return fmt.Errorf("%s: action %d is %s, want %s", r.position(), a, text, r.text(a))
		}
	}
	return nil
}
