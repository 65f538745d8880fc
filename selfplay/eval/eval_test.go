package eval_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

func evaluator(t testing.TB, variant, name string) (env.Game, eval.Evaluator) {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	e, err := eval.New(name, v.Game)
	if err != nil {
		t.Fatal(err)
	}
	return v.Game, e
}

// Values by hand, for the player to move.
func TestValuesOfPositions(t *testing.T) {
	for _, c := range []struct{ variant, position, name, why string }{
		{"trench/standard", "8/8/3s4/8/8/8/2P5/1G6 b 7-4 0 20", "score", "+300 captured 7 to 4"},
		{"trench/standard", "8/8/3s4/8/8/8/2P5/1G6 b 7-4 0 20", "material", "+400 General 5 and Soldier 1 against Sergeant 2"},
		{"trench/standard", "8/8/3s4/8/8/8/2P5/1G6 w 7-4 0 20", "material", "-400 the same for White"},
		{"ntxuva/4", "1,2,0,0,0,0,0,0 0,0,0,0,0,0,0,9 s 0 0", "score", "-600 three seeds against nine"},
		{"ntxuva/4", "1,2,0,0,0,0,0,0 0,0,0,0,0,0,0,9 n 0 0", "material", "+600 the same for North"},
		{"tankbattle/standard", "11/11/11/11/11/5C5/11/11/11/4t6/4t6 w 0 0", "material", "-100 one tank against two"},
	} {
		game, e := evaluator(t, c.variant, c.name)
		s := env.NewState(game)
		if err := s.SetPosition(c.position); err != nil {
			t.Fatal(err)
		}
		want, _, _ := strings.Cut(c.why, " ")
		if got := e.Evaluate(s); fmt.Sprintf("%+d", got) != want {
			t.Errorf("%s of %s is %+d, must be %s", c.name, c.position, got, c.why)
		}
	}
}

// walk plays random games and calls visit in every running position.
func walk(game env.Game, plies int, visit func(env.State)) {
	s, r := env.NewState(game), env.NewRand(6)
	for range plies {
		visit(s)
		legal := s.Legal(nil)
		s.Apply(legal[r.IntN(len(legal))])
		if s.Player() == env.NoPlayer {
			s.Reset()
		}
	}
}

// Games begin with all pieces on the board, so that captured points and remaining
// pieces agree, except in Tank Battle, where bases score too.
func TestScoreAndMaterialAgreeWhereNothingButPiecesCounts(t *testing.T) {
	for _, variant := range []string{"trench/standard", "ntxuva/basic", "tankchess/16x16", "tankchess/20x20"} {
		game, score := evaluator(t, variant, "score")
		material, err := eval.New("material", game)
		if err != nil {
			t.Fatal(err)
		}
		walk(game, 2000, func(s env.State) {
			if a, b := score.Evaluate(s), material.Evaluate(s); a != b {
				t.Fatalf("%s: score is %d, material %d in %s", variant, a, b, env.PositionText(s))
			}
		})
	}
}

// After an action that is not noisy, a quiet-invariant evaluator returns the same value.
func TestQuietInvariantEvaluatorsChangeOnlyWithNoisyActions(t *testing.T) {
	for _, variant := range games.Presets() {
		for _, name := range eval.Names() {
			game, e := evaluator(t, variant, name)
			if e.QuietInvariant() != (name == "material") {
				t.Errorf("%s %s: QuietInvariant is %v", variant, name, e.QuietInvariant())
			}
			if !e.QuietInvariant() {
				continue
			}
			next := env.NewState(game)
			plies := 0
			walk(game, 600, func(s env.State) {
				if plies++; plies%20 != 0 {
					return
				}
				value, noisy := e.Evaluate(s), map[env.Action]bool{}
				for _, a := range s.(env.Noisy).Noisy(nil) {
					noisy[a] = true
				}
				for _, a := range s.Legal(nil) {
					next.CopyFrom(s)
					if next.Apply(a); noisy[a] || next.Player() == env.NoPlayer {
						continue
					}
					after := e.Evaluate(next)
					if next.Player() != s.Player() {
						after = -after
					}
					if after != value {
						t.Fatalf("%s %s: the quiet action %d changes %d to %d in %s", variant, name, a, value, after, env.PositionText(s))
					}
				}
			})
		}
	}
}

func TestEvaluatorsStayInTheirBounds(t *testing.T) {
	game, e := evaluator(t, "trench/long-2013", "score")
	s := env.NewState(game)
	if err := s.SetPosition("8/8/3s4/8/8/8/2P5/1G6 w 20000-0 0 20"); err != nil {
		t.Fatal(err)
	}
	if got := e.Evaluate(s); got != -eval.Bound {
		t.Errorf("20,000 points behind has value %d, must be %d", got, -eval.Bound)
	}
	for _, variant := range games.Presets() {
		for _, name := range eval.Names() {
			game, e := evaluator(t, variant, name)
			walk(game, 300, func(s env.State) {
				if v := e.Evaluate(s); v < -eval.Bound || v > eval.Bound {
					t.Fatalf("%s %s: %d", variant, name, v)
				}
			})
		}
	}
}

func TestEvaluatingDoesNotAllocate(t *testing.T) {
	for _, variant := range games.Presets() {
		for _, name := range eval.Names() {
			game, e := evaluator(t, variant, name)
			s := env.NewState(game)
			if n := testing.AllocsPerRun(20, func() { e.Evaluate(s) }); n != 0 {
				t.Errorf("%s %s: %v allocations", variant, name, n)
			}
		}
	}
}

func TestTheErrorForAnUnknownEvaluatorListsTheKnownOnes(t *testing.T) {
	game, _ := evaluator(t, "trench/standard", "score")
	if _, err := eval.New("luck", game); err == nil || err.Error() != `evaluator "luck" is unknown; known are material, score` {
		t.Errorf("error is %v", err)
	}
}
