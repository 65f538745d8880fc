package tankbattle_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/tankbattle"
)

var presetNames = []string{"tankbattle/standard", "tankbattle/duel-either", "tankbattle/mover-ends", "tankbattle/no-mines"}

func rulesOf(t testing.TB, text string) tankbattle.Rules {
	return load(t, text).Game.(*tankbattle.Game).Rules()
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
	for p := range env.Player(2) {
		if got, want := s.(env.Scorer).Points(p), r.score(int(p)); got != want {
			return fmt.Errorf("%s: player %d scores %d, want %d", r.text(), p, got, want)
		}
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
		if moves[i].capture {
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

// compare plays a random game of both from a position and compares each ply, and
// every few plies the position set up afresh. Every choice comes from pick(n),
// which is below n.
func compare(g env.Game, rules tankbattle.Rules, from string, plies int, pick func(n int) int) error {
	s, fresh := env.NewState(g), env.NewState(g)
	if err := s.SetPosition(from); err != nil {
		return err
	}
	r := newReference(rules, from)
	for ply := range plies {
		if err := agree(s, r); err != nil {
			return err
		}
		moves := r.moves()
		if len(moves) == 0 {
			break
		}
		if ply%8 == 0 {
			if err := fresh.SetPosition(env.PositionText(s)); err != nil {
				return err
			}
			if !slices.Equal(fresh.Legal(nil), s.Legal(nil)) {
				return fmt.Errorf("%s: set up it has other legal actions", r.text())
			}
		}
		m := moves[pick(len(moves))]
		if captures := slices.DeleteFunc(slices.Clone(moves), func(m refMove) bool { return !m.capture }); len(captures) > 0 && pick(3) == 0 {
			m = captures[pick(len(captures))]
		}
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
		for range differentialGames {
			if err := compare(v.Game, rulesOf(t, name), v.Game.Spec().StartText, 600, rand.IntN); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

// randomRules draws rules of any kind with a layout of any size. Bases lie
// anywhere, so that all kinds of walls come up.
func randomRules(t testing.TB, pick func(n int) int) tankbattle.Rules {
	rules := rulesOf(t, "tankbattle/standard")
	rules.Duel = []string{"target", "either"}[pick(2)]
	rules.EndCheck = []string{"both", "mover"}[pick(2)]
	rules.Points = tankbattle.Points{CommanderHome: pick(9), CommanderInBase: pick(5), TankInBase: pick(5), Elsewhere: pick(3)}
	rules.Repetition = []int{0, 2, 3, 4}[pick(4)]
	rules.NoProgress = []int{1, 6, 30, 100}[pick(4)]
	if rules.Repetition == 0 && pick(2) == 1 {
		rules.NoProgress = 0
	}
	size := 5 + pick(7)
	var free []string
	for square := range size * size {
		free = append(free, squareName(square%size, square/size))
	}
	take := func(n int) (names []string) {
		for range n {
			i := pick(len(free))
			names = append(names, free[i])
			free = slices.Delete(free, i, i+1)
		}
		return names
	}
	white, black := 1+pick(min(14, size)), 1+pick(min(14, size))
	if size == 11 {
		white, black = 14, 14
	}
	l := tankbattle.Layout{Size: size, WhiteBase: take(white), BlackBase: take(black), Contaminated: take(pick(size)), Mines: take(pick(size))}
	l.WhiteCommander, l.BlackCommander = l.WhiteBase[pick(white)], l.BlackBase[pick(black)]
	rules.Layout = l
	return rules
}

// randomPosition scatters some pieces of both armies where they may stand.
func randomPosition(rules tankbattle.Rules, pick func(n int) int) string {
	r := newReference(rules, fmt.Sprintf("%s w 0 0", emptyBoard(rules.Layout.Size)))
	for owner, army := range [2]string{"CTTTTTTTTTTTTT", "cttttttttttttt"} {
		size := []int{len(rules.Layout.WhiteBase), len(rules.Layout.BlackBase)}[owner]
		for i := range pick(size + 1) {
			c := army[(i+pick(2))%len(army)]
			if isCommander(c) && i > 0 {
				continue
			}
			to := squareName(pick(r.size), pick(r.size))
			if i == 0 && isCommander(c) && len(rules.Layout.Contaminated) > 0 && pick(2) == 0 {
				to = rules.Layout.Contaminated[pick(len(rules.Layout.Contaminated))]
			}
			if !isCommander(c) && i == size-1 {
				break // the army has one tank fewer than its base squares
			}
			if r.at[to] == 0 && !r.mines[to] && (isCommander(c) || !r.contaminated[to]) {
				r.at[to] = c
			}
		}
	}
	r.black, r.quiet, r.plies = pick(2) == 1, pick(20), pick(40)
	return r.text()
}

func emptyBoard(size int) string {
	text := fmt.Sprint(size)
	for range size - 1 {
		text += fmt.Sprintf("/%d", size)
	}
	return text
}

func compareRandom(t testing.TB, pick func(n int) int, plies int) {
	rules := randomRules(t, pick)
	g, err := tankbattle.New(rules)
	if err != nil {
		start := newReference(rules, emptyBoard(rules.Layout.Size)+" w 0 0")
		for owner := range 2 {
			for square := range start.base[owner] {
				start.at[square] = "Tt"[owner]
			}
			start.at[start.mark[owner]] = "Cc"[owner]
		}
		if start.over = false; len(start.moves()) > 0 {
			t.Fatalf("%+v: %v", rules, err)
		}
		return
	}
	from := g.Spec().StartText
	if pick(4) > 0 {
		from = randomPosition(rules, pick)
	}
	if err := compare(g, rules, from, plies, pick); err != nil {
		t.Fatalf("%+v from %s: %v", rules, from, err)
	}
}

func TestRandomRulesPlayLikeTheReference(t *testing.T) {
	rand := env.NewRand(11)
	for range 20 * differentialGames {
		compareRandom(t, rand.IntN, 60)
	}
}

func FuzzPlaysLikeTheReference(f *testing.F) {
	f.Add([]byte("k1-g5 and so on"))
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
