package trench_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/trench"
)

var presetNames = []string{"trench/standard", "trench/equal-turns", "trench/short-2013", "trench/long-2013", "trench/general"}

func rulesOf(t testing.TB, text string) trench.Rules {
	return load(t, text).Game.(*trench.Game).Rules()
}

// agree compares everything that the state and the reference both know.
func agree(s env.State, r *reference) error {
	if got, want := env.PositionText(s), r.text(); got != want {
		return fmt.Errorf("position %s, want %s", got, want)
	}
	result, reason := s.Result()
	want := "none"
	if r.over {
		want = r.reason
	}
	if reason.String() != want || int(result) != r.result {
		return fmt.Errorf("%s: %d %v, want %d %s", r.text(), result, reason, r.result, want)
	}
	if over := s.Player() == env.NoPlayer; over != r.over {
		return fmt.Errorf("%s: over is %v, want %v", r.text(), over, r.over)
	}
	legal, moves := s.Legal(nil), r.moves()
	if len(legal) != len(moves) {
		return fmt.Errorf("%s: %d legal actions, want %d", r.text(), len(legal), len(moves))
	}
	noisy := s.(env.Noisy).Noisy(nil)
	for i, a := range legal {
		if int(a) != moves[i].action {
			return fmt.Errorf("%s: legal action %d is %d, want %d (%s)", r.text(), i, a, moves[i].action, moves[i].text)
		}
		if text := env.ActionText(s, a); text != moves[i].text {
			return fmt.Errorf("%s: action %d is %s, want %s", r.text(), a, text, moves[i].text)
		}
		if len(moves[i].captures) > 0 {
			if len(noisy) == 0 || noisy[0] != a {
				return fmt.Errorf("%s: %s is missing among the captures", r.text(), moves[i].text)
			}
			noisy = noisy[1:]
		}
	}
	if len(noisy) > 0 {
		return fmt.Errorf("%s: action %d is no capture", r.text(), noisy[0])
	}
	return nil
}

// compare plays a random game of both from a position and compares each ply.
// Every choice comes from pick(n), which is below n.
func compare(g env.Game, rules trench.Rules, from string, plies int, pick func(n int) int) error {
	s := env.NewState(g)
	if err := s.SetPosition(from); err != nil {
		return err
	}
	r := newReference(rules, from)
	for range plies {
		if err := agree(s, r); err != nil {
			return err
		}
		moves := r.moves()
		if len(moves) == 0 {
			break
		}
		m := moves[pick(len(moves))]
		if a, err := s.ParseAction(m.text); err != nil || int(a) != m.action {
			return fmt.Errorf("%s: %s parses as %d (%v), want %d", r.text(), m.text, a, err, m.action)
		}
		s.Apply(env.Action(m.action))
		r.play(m)
	}
	return nil
}

func TestEveryPresetPlaysLikeTheReference(t *testing.T) {
	for _, name := range presetNames {
		v := load(t, name)
		rand := env.NewRand(7)
		for range 15 {
			if err := compare(v.Game, rulesOf(t, name), v.Game.Spec().StartText, 600, rand.IntN); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

// randomRules draws rules of any kind with the standard start.
func randomRules(t testing.TB, pick func(n int) int) trench.Rules {
	rules := rulesOf(t, "trench/standard")
	rules.TargetPoints = []int{0, 5, 25, 60}[pick(4)]
	rules.EqualTurns = pick(2) == 1
	rules.GeneralWins = pick(2) == 1
	rules.MovesEach = []int{0, 0, 8, 40}[pick(4)]
	rules.Repetition = []int{0, 2, 3, 4}[pick(4)]
	rules.NoProgress = []int{1, 6, 30, 100}[pick(4)]
	if rules.Repetition == 0 && pick(2) == 1 {
		rules.NoProgress = 0
	}
	pieces := map[string]trench.Piece{}
	for _, letter := range slices.Sorted(maps.Keys(rules.Pieces)) {
		piece := rules.Pieces[letter]
		if pick(2) == 1 {
			piece.LongestMove = 1 + pick(7)
			piece.Points = pick(12)
			piece.Directions = trench.Directions(1 + pick(255))
		}
		pieces[letter] = piece
		if longest := 1 + pick(7); pick(4) == 3 && longest != piece.LongestMove {
			if rules.White == nil {
				rules.White = map[string]trench.Apart{}
			}
			rules.White[letter] = trench.Apart{LongestMove: longest}
		}
	}
	rules.Pieces = pieces
	return rules
}

// randomPosition scatters some pieces of both armies over the board.
func randomPosition(pick func(n int) int) string {
	var at [64]byte
	for _, army := range []string{"GLLCCCSSSSPPPPPP", "gllcccssssPPPPPP"} {
		drop := pick(4)
		for i := range army {
			c := army[i]
			if army[0] == 'g' {
				c |= 0x20
			}
			if square := pick(64); pick(4) >= drop && at[square] == 0 {
				at[square] = c
			}
		}
	}
	r := reference{at: [8][8]byte{}, white: pick(2) == 1, points: [2]int{pick(30), pick(30)}, quiet: pick(20), plies: pick(40)}
	for square, c := range at {
		r.at[square/8][square%8] = c
	}
	return r.text()
}

func compareRandom(t testing.TB, pick func(n int) int, plies int) {
	rules := randomRules(t, pick)
	g, err := trench.New(rules)
	if err != nil {
		if !strings.Contains(err.Error(), "without a legal move") {
			t.Fatal(err)
		}
		return
	}
	from := g.Spec().StartText
	if pick(4) > 0 {
		from = randomPosition(pick)
	}
	if err := compare(g, rules, from, plies, pick); err != nil {
		t.Fatalf("%+v: %v", rules, err)
	}
}

func TestRandomRulesPlayLikeTheReference(t *testing.T) {
	rand := env.NewRand(11)
	for range 400 {
		compareRandom(t, rand.IntN, 60)
	}
}

func FuzzPlaysLikeTheReference(f *testing.F) {
	f.Add([]byte("a4-c6 and so on"))
	f.Fuzz(func(t *testing.T, data []byte) {
		at := 0
		pick := func(n int) int {
			if at+1 >= len(data) {
				return 0
			}
			at += 2
			return (int(data[at-2])<<8 | int(data[at-1])) % n
		}
		compareRandom(t, pick, min(len(data)/2, 100))
	})
}
