package tankchess_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/tankchess"
)

// comparison plays the engine and the reference side by side.
type comparison struct {
	pick      picker
	positions int
	seen      map[string]int // how often each reason and each kind of action occurred

	game      env.Game
	reference *referenceGame
	hashes    map[string]uint64 // by position text without its counters
	texts     map[uint64]string
}

func newComparison(pick picker) *comparison { return &comparison{pick: pick, seen: map[string]int{}} }

func (c *comparison) use(game env.Game, rules tankchess.Rules) {
	c.game, c.reference = game, newReferenceGame(rules)
	c.hashes, c.texts = map[string]uint64{}, map[uint64]string{}
}

// play compares a whole game from a position, for at most the given number of plies.
func (c *comparison) play(from string, plies int) error {
	s, spare := env.NewState(c.game), env.NewState(c.game)
	if err := s.SetPosition(from); err != nil {
		return err
	}
	r, err := c.reference.read(from)
	if err != nil {
		return fmt.Errorf("the reference refuses %q: %w", from, err)
	}
	if got := env.PositionText(s); got != from {
		return fmt.Errorf("%s reads back as %s", from, got)
	}
	return c.run(s, spare, r, plies)
}

func (c *comparison) run(s, spare env.State, r *reference, plies int) error {
	style := c.pick(6)
	var earlier [2]move // what each player played last, with the pose it came from
	for range plies {
		// Apply must not need what Legal and the others leave behind.
		if c.pick(4) > 0 || r.reason != "none" {
			if err := c.agree(s, spare, r); err != nil {
				return fmt.Errorf("%s: %w", r.text(), err)
			}
		}
		if r.reason != "none" {
			return nil
		}
		m := c.choose(r, style, earlier[r.mover])
		text := r.moveText(m)
		if a, err := s.ParseAction(text); err != nil || int(a) != m.action {
			return fmt.Errorf("%s: %s parses as %d (%v), want %d", r.text(), text, a, err, m.action)
		}
		c.count(r, m)
		if c.pick(3) == 0 {
			spare.CopyFrom(s)
			s, spare = spare, s
		}
		if err := c.apply(s, r, m); err != nil {
			return fmt.Errorf("%s: %s: %w", r.text(), text, err)
		}
		earlier[r.mover] = move{tank: m.tank, to: r.tanks[r.mover][m.tank].pose}
		r.play(m)
		if c.pick(40) == 0 && r.reason != "repetition" {
			if err := s.SetPosition(r.text()); err != nil {
				return err
			}
			var err error
			if r, err = c.reference.read(r.text()); err != nil {
				return err
			}
			c.seen["read amid a game"]++
		}
	}
	return c.agree(s, spare, r)
}

// apply plays a move and now and then compares its events.
func (c *comparison) apply(s env.State, r *reference, m move) error {
	if c.pick(2) == 0 {
		s.Apply(env.Action(m.action))
		return nil
	}
	t := r.tanks[r.mover][m.tank]
	want := fmt.Sprintf(" moved %s %s-%s", t.code, t.square(), m.to.square())
	if m.off {
		want = fmt.Sprintf(" left_board %s %s", t.code, t.square())
	}
	if m.victim >= 0 {
		victim := r.tanks[1-r.mover][m.victim]
		shot := fmt.Sprintf("%s %s-%s %s %s", t.code, m.to.square(), victim.square(), victim.code, m.face)
		want += " fired " + shot + " destroyed " + shot
	}
	got := ""
	spec := c.game.Spec()
	name := func(square int16) string { return string(env.AppendSquare(nil, int(square), spec.Width)) }
	for _, e := range s.(env.Tracer).Trace(env.Action(m.action), nil) {
		got += fmt.Sprintf(" %v %s %s", e.Kind, spec.Pieces[e.Piece].Symbol, name(e.From))
		if e.To != env.None {
			got += "-" + name(e.To)
		}
		if e.Victim != env.None {
			got += fmt.Sprint(" ", spec.Pieces[e.Victim].Symbol, " ", []string{"none", "front", "side", "rear"}[e.Face])
		}
		if int(e.Player) != r.mover || e.Count != 1 {
			got += " ?"
		}
	}
	if got != want {
		return fmt.Errorf("events are%s, want%s", got, want)
	}
	return nil
}

// choose draws a legal move. The styles lead games to their ends: shots, escapes,
// runs for the enemy's edge, moves back to and fro.
func (c *comparison) choose(r *reference, style int, before move) move {
	filters := []func(move) bool{
		func(m move) bool { return m.victim >= 0 },
		func(m move) bool { return m.off || m.victim >= 0 && r.tanks[1-r.mover][m.victim].code == "CLT" },
		func(m move) bool { return m.tank == before.tank && m.to == before.to && m.victim < 0 && !m.off },
		func(m move) bool {
			t := r.tanks[r.mover][m.tank]
			return t.code == "CLT" && r.seenBy(r.mover, m.to).y > r.seenBy(r.mover, t.pose).y
		},
		func(m move) bool { return m.to.faced(0) == r.tanks[r.mover][m.tank].faced(0) && m.victim < 0 },
	}
	if style < len(filters) && c.pick(4) > 0 {
		fitting := slices.DeleteFunc(slices.Clone(r.legal), func(m move) bool { return !filters[style](m) })
		if len(fitting) > 0 {
			return fitting[c.pick(len(fitting))]
		}
	}
	return r.legal[c.pick(len(r.legal))]
}

func (c *comparison) count(r *reference, m move) {
	t := r.tanks[r.mover][m.tank]
	note := func(what string, is bool) {
		if is {
			c.seen[what]++
		}
	}
	gun := r.rules.Pieces[t.code].Gun
	note("off the board", m.off)
	note("turn on the spot", !m.off && m.to.faced(0) == t.faced(0))
	note("step back", m.to == t.along(t.facing+4, 1))
	note("movement without a shot", m.victim < 0 && !m.off)
	note("direct shot", m.victim >= 0 && !gun.Indirect)
	note("indirect shot", m.victim >= 0 && gun.Indirect)
	note("shot after a step back", m.victim >= 0 && m.to == t.along(t.facing+4, 1))
	note("move into water", !m.off && r.ground[m.to.x][m.to.y] == "water")
	note("move into a hedge", !m.off && r.ground[m.to.x][m.to.y] == "hedge")
	if m.victim >= 0 {
		c.seen["hit on the "+m.face]++
		note("command tank hit", r.tanks[1-r.mover][m.victim].code == "CLT")
	}
}

// mustOccur is what a comparison has to have met to be worth its name.
func mustOccur() []string {
	return []string{
		"command_destroyed", "escaped", "no_progress", "repetition", "read amid a game",
		"off the board", "last rank", "turn on the spot", "step back", "movement without a shot", "direct shot", "indirect shot", "shot after a step back",
		"move into water", "move into a hedge", "hit on the front", "hit on the side", "hit on the rear", "command tank hit", "check", "way out",
	}
}

func (c *comparison) demand(t testing.TB) {
	t.Helper()
	t.Logf("%d positions compared: %v", c.positions, c.seen)
	for _, what := range mustOccur() {
		if c.seen[what] == 0 {
			t.Errorf("never met in %d positions: %s", c.positions, what)
		}
	}
}

// preset compares games of a preset, one in two from a random position.
func (c *comparison) preset(t testing.TB, name string, games, plies int) {
	v := load(t, name)
	c.use(v.Game, rulesOf(t, v))
	for i := range games {
		from := v.Game.Spec().StartText
		if i%2 == 1 {
			from = randomPosition(c.pick, c.reference)
		}
		if err := c.play(from, plies); err != nil {
			t.Fatalf("%s from %s: %v", name, from, err)
		}
	}
}

// custom compares games of a random rule set.
func (c *comparison) custom(t testing.TB, games, plies int) {
	rules := randomRules(c.pick)
	game, err := tankchess.New(rules)
	if err != nil {
		t.Fatalf("%s: %v", asJSON(t, rules), err)
	}
	c.use(game, rules)
	if got, want := game.Spec().StartText, c.reference.start.text(); got != want {
		t.Fatalf("%s: start is %s, want %s", asJSON(t, rules), got, want)
	}
	if got, want := game.Spec().Actions, len(c.reference.slots)*c.reference.T*c.reference.S+1; got != want {
		t.Fatalf("%s: %d actions, want %d", asJSON(t, rules), got, want)
	}
	for i := range games {
		from := game.Spec().StartText
		if i > 0 {
			from = randomPosition(c.pick, c.reference)
		}
		if err := c.play(from, plies); err != nil {
			t.Fatalf("%s from %s: %v", asJSON(t, rules), from, err)
		}
	}
}

// asJSON writes a rule set as a file that the command line reads.
func asJSON(t testing.TB, rules tankchess.Rules) []byte {
	t.Helper()
	data, err := json.Marshal(rules)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestPlaysLikeTheReference(t *testing.T) {
	c := newComparison(env.NewRand(5).IntN)
	engine := tankchess.Engine()
	for _, name := range engine.PresetNames() {
		c.preset(t, name, 4, 40)
	}
	for range comparedRules {
		c.custom(t, 4, 80)
	}
	c.demand(t)
}

func FuzzPlaysLikeTheReference(f *testing.F) {
	for seed := range uint64(5) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { newComparison(env.NewRand(seed).IntN).custom(t, 3, 60) })
}
