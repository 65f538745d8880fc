package tablebase_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase"
)

// cases are rule sets with every value of every rule, and how many seeds a player
// has at most in positions that the slow way of solving reaches.
var cases = [...]struct {
	variant string
	seeds   int
}{
	{"ntxuva/4", 2},
	{`ntxuva/4{"columns":2}`, 4},
	{`ntxuva/4{"columns":2,"seeds":3,"capture":"attack_only"}`, 4},
	{`ntxuva/4{"columns":2,"single_step":"relay"}`, 5},
	{`ntxuva/4{"columns":2,"seeds":4,"singles":"always","endless":"pass"}`, 6},
	{`ntxuva/4{"columns":2,"singles":"always","single_step":"relay","endless":"draw"}`, 5},
	{`ntxuva/4{"columns":3,"endless":"pass","single_step":"relay"}`, 3},
	{`ntxuva/4{"columns":2,"endless":"draw","capture":"attack_only"}`, 6},
	{"ntxuva/basic", 1},
}

// slow is the table in the plainest form: every position by its text with South
// to move, with the texts that its actions lead to, played by the engine.
type slow struct {
	game  env.Game
	next  map[string][]string
	draws map[string]bool // an action draws at once
	value map[string]tablebase.Value
}

const gone = "" // a position in which the player to move has no seeds

func newSlow(t *testing.T, game env.Game, seeds int) *slow {
	m := &slow{game: game, next: map[string][]string{}, draws: map[string]bool{}, value: map[string]tablebase.Value{}}
	houses := 2 * game.Spec().Width
	circuits := layouts(houses, seeds)
	s, after := env.NewState(game), env.NewState(game)
	for _, own := range circuits {
		for _, enemy := range circuits {
			if own == layout(make([]int, houses)) || enemy == layout(make([]int, houses)) {
				continue
			}
			text := own + " " + enemy + " s 0 0"
			if err := s.SetPosition(text); err != nil {
				t.Fatal(err)
			}
			m.next[text] = nil
			for _, a := range s.Legal(nil) {
				after.CopyFrom(s)
				after.Apply(a)
				_, reason := after.Result()
				switch reason {
				case env.WipedOut:
					m.next[text] = append(m.next[text], gone)
				case env.Endless:
					m.draws[text] = true
				default:
					m.next[text] = append(m.next[text], turned(t, after))
				}
			}
		}
	}
	return m
}

// layouts returns the texts of all ways to lay at most so many seeds.
func layouts(houses, most int) (texts []string) {
	counts := make([]int, houses)
	var lay func(house, left int)
	lay = func(house, left int) {
		if house == houses {
			texts = append(texts, layout(counts))
			return
		}
		for counts[house] = 0; counts[house] <= left; counts[house]++ {
			lay(house+1, left-counts[house])
		}
		counts[house] = 0
	}
	lay(0, most)
	return texts
}

func layout(counts []int) string {
	text := ""
	for house, n := range counts {
		if house > 0 {
			text += ","
		}
		text += fmt.Sprint(n)
	}
	return text
}

// turned is the position as the player to move sees it, which is the second one.
func turned(t *testing.T, s env.State) string {
	var south, north, side string
	var quiet, plies int
	if _, err := fmt.Sscan(env.PositionText(s), &south, &north, &side, &quiet, &plies); err != nil || side != "n" {
		t.Fatalf("%s: %v", env.PositionText(s), err)
	}
	return north + " " + south + " s 0 0"
}

// solve decides the positions by the plies to the end, pass by pass.
func (m *slow) solve() {
	m.value[gone] = tablebase.Value{Result: -1}
	for level, idle := 0, 0; idle < 2; level++ {
		found := map[string]tablebase.Value{}
		for text, nexts := range m.next {
			if _, known := m.value[text]; known {
				continue
			}
			worst, best := 0, math.MaxInt // plies of the wins, and of the losses, that follow
			open := m.draws[text]
			for _, next := range nexts {
				switch v, known := m.value[next]; {
				case !known:
					open = true
				case v.Result < 0:
					best = min(best, v.Plies+1)
				default:
					worst = max(worst, v.Plies+1)
				}
			}
			if best == level {
				found[text] = tablebase.Value{Result: 1, Plies: level}
			} else if best == math.MaxInt && !open && worst == level {
				found[text] = tablebase.Value{Result: -1, Plies: level}
			}
		}
		idle++
		for text, v := range found {
			m.value[text], idle = v, 0
		}
	}
}

func TestEveryValueIsThatOfPlainRetrogradeAnalysisWithTheEngine(t *testing.T) {
	for _, c := range cases {
		v := lookup(t, c.variant)
		probe := solve(t, c.variant, c.seeds).Prober()
		m := newSlow(t, v.Game, c.seeds)
		m.solve()
		s := env.NewState(v.Game)
		results := map[int]int{}
		for text := range m.next {
			if err := s.SetPosition(text); err != nil {
				t.Fatal(err)
			}
			if s.Player() == env.NoPlayer {
				if want := (tablebase.Value{Result: -1}); m.value[text] != want {
					t.Errorf("%s, %s: is over, must be worth %v, not %v", c.variant, text, want, m.value[text])
				}
				continue
			}
			got, ok := probe.Probe(s)
			if !ok || got != m.value[text] {
				t.Fatalf("%s, %s: the table has %v, %v, must have %v", c.variant, text, got, ok, m.value[text])
			}
			results[got.Result]++
		}
		if rules := string(v.Rules); strings.Contains(rules, `"endless": "draw"`) != (len(m.draws) > 0) {
			t.Errorf("%s: %d positions have an action that draws", c.variant, len(m.draws))
		}
		t.Logf("%s: %v", c.variant, results)
	}
}
