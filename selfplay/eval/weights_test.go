package eval_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

func TestLayoutsNameEachParameterOnce(t *testing.T) {
	for _, variant := range games.Presets() {
		l := newBench(t, variant).layout
		seen := map[string]bool{}
		for i := range l.Size() {
			if seen[l.Name(i)] {
				t.Errorf("%s: two parameters are %q", variant, l.Name(i))
			}
			seen[l.Name(i)] = true
		}
	}
}

func TestLayoutSizes(t *testing.T) {
	for variant, want := range map[string]int{
		"trench/standard":     4 + 5*(1+8+36),        // mirrored squares share a parameter, as do a file and a rank
		"ntxuva/basic":        3 + 2*(1+6*8),         // houses by their seeds
		"tankchess/16x16":     4 + 4*(1+16+16+256+8), // not symmetric: the Command Tank is off-centre
		"tankbattle/standard": 5 + 2*(1+11+11+121),   // not symmetric either
		mirroredTanks:         4 + 6*(1+6+11+6*11+5), // five facings: N, NE, E, SE, S
		"trench/equal-turns":  newBench(t, "trench/standard").layout.Size(),
	} {
		if got := newBench(t, variant).layout.Size(); got != want {
			t.Errorf("%s has %d parameters, must have %d", variant, got, want)
		}
	}
}

func TestWeightsAreRoundedToSixteenths(t *testing.T) {
	b := newBench(t, "ntxuva/4")
	b.values[0], b.values[1], b.values[2], b.values[3] = 1.04, -0.03, 0.04, -7.0625
	got := b.weights(t).Values()
	for i, want := range []float64{1.0625, 0, 0.0625, -7.0625, 0} {
		if got[i] != want {
			t.Errorf("%g is stored as %g, must be %g", b.values[i], got[i], want)
		}
	}
	if len(got) != b.layout.Size() {
		t.Errorf("%d values for %d parameters", len(got), b.layout.Size())
	}
}

func TestNewWeightsRefusesInvalidWeights(t *testing.T) {
	b := newBench(t, "trench/standard")
	short := *b
	short.values = b.values[1:]
	for _, c := range []struct {
		change func() ([]float64, string)
		want   string
	}{
		{func() ([]float64, string) { return b.values[1:], b.digest }, "228 weights for trench/standard, must be 229, one for each parameter"},
		{func() ([]float64, string) { return b.with(2, math.NaN()), b.digest }, `weight of "feature attacked points" is NaN, must be -100000 to 100000`},
		{func() ([]float64, string) { return b.with(2, 100_001), b.digest }, `weight of "feature attacked points" is 100001, must be -100000 to 100000`},
		{func() ([]float64, string) { return b.with(2, math.Inf(-1)), b.digest }, `weight of "feature attacked points" is -Inf, must be -100000 to 100000`},
		{func() ([]float64, string) { return b.values, "" }, "digest is missing"},
	} {
		values, digest := c.change()
		if w, err := eval.NewWeights(b.game, digest, values, ""); w != nil || err == nil || err.Error() != c.want {
			t.Errorf("error is %v, must be %s", err, c.want)
		}
	}
}

// with returns the values with one of them changed.
func (b *bench) with(i int, value float64) []float64 {
	values := append([]float64(nil), b.values...)
	values[i] = value
	return values
}

func TestWeightsSurviveARoundTrip(t *testing.T) {
	for _, variant := range games.Presets() {
		b := newBench(t, variant).scatter()
		w, err := eval.NewWeights(b.game, b.digest, b.values, "with <\"quotes\">, \\ and\na line\xff")
		if err != nil {
			t.Fatal(err)
		}
		if made := `"made": "with <\"quotes\">, \\ and\na line�",`; !strings.Contains(string(w.JSON()), made) {
			t.Errorf("%s: the document does not contain %s:\n%s", variant, made, w.JSON())
		}
		again, err := eval.ReadWeights(w.JSON())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again.JSON(), w.JSON()) {
			t.Errorf("%s: they are\n%s\nafter reading and\n%s\nbefore", variant, w.JSON(), again.JSON())
		}
		if name, digest := again.Rules(); name != variant || digest != b.digest {
			t.Errorf("%s: the rules are %s, %s", variant, name, digest)
		}
		if _, err := again.New(b.game); err != nil {
			t.Errorf("%s: %v", variant, err)
		}
	}
}

// document is a small valid document.
const document = `{"version":1,"game":"g","variant":"g/v","digest":"d","made":"","parameters":[{"name":"feature","at":["a","b"],"values":[1,-2]}]}`

func TestReadWeightsRefusesInvalidDocuments(t *testing.T) {
	if _, err := eval.ReadWeights([]byte(document)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"version":1`, `"version":2`, "version is 2, must be 1"},
		{`"game":"g",`, ``, "game is missing"},
		{`"variant":"g/v",`, ``, "variant is missing"},
		{`"digest":"d",`, ``, "digest is missing"},
		{`"made"`, `"maker"`, `unknown field "maker"`},
		{`[1,-2]`, `[1]`, `parameters[0], "feature", has 1 values for 2 names, must have the same number of each, at least 1`},
		{`[1,-2]`, `[1,0.5]`, "cannot unmarshal number 0.5"},
		{`[1,-2]`, `[1,1600001]`, `value of "feature b" is 1600001, must be -1600000 to 1600000`},
		{`[1,-2]`, `[1,5000000000]`, "cannot unmarshal number 5000000000"},
		{`"b"`, `"a"`, `parameter "feature a" occurs twice`},
		{`"at":["a","b"],"values":[1,-2]`, `"at":[],"values":[]`, "has 0 values for 0 names"},
		{document, document + "{}", "unexpected data after the document"},
		{document, "", "EOF"},
		{document, document[:60], "unexpected EOF"},
	} {
		w, err := eval.ReadWeights([]byte(strings.Replace(document, c.old, c.new, 1)))
		if w != nil || err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "weights: ") {
			t.Errorf("%s for %s: error is %v, must be %s", c.new, c.old, err, c.want)
		}
	}
}

func TestWeightsRefuseGamesOfAnotherLayout(t *testing.T) {
	w := newBench(t, "trench/standard").weights(t)
	for _, c := range []struct{ variant, want string }{
		{"ntxuva/4", "weights for trench/standard do not fit ntxuva/4: the weights are for the game trench"},
		{`trench/standard{"pieces":{"C":{"name":"Major"}}}`, `parameter 94 of the weights is "Captain count", must be "Major count"`},
		{`trench/standard{"pieces":{"P":{"directions":["N"]}}}`, `parameter 13 of the weights is "General on a1", must be "General on rank 1"`},
	} {
		v, err := games.Lookup(c.variant)
		if err != nil {
			t.Fatal(err)
		}
		if e, err := w.New(v.Game); e != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, must be %s", c.variant, err, c.want)
		}
	}
	small, large := newBench(t, "ntxuva/4"), newBench(t, "ntxuva/8")
	if _, err := small.weights(t).New(large.game); err == nil || !strings.Contains(err.Error(), `parameter 36 of the weights is "defence house count", must be "attack house e2 with 1"`) {
		t.Errorf("error is %v", err)
	}
	other, err := games.Lookup("trench/equal-turns")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.New(other.Game); err != nil {
		t.Errorf("rules with the same layout are refused: %v", err)
	}
}

// mute is a game whose states have no optional abilities.
type mute struct{ env.Game }

func (m mute) NewStates(n int) []env.State {
	states := m.Game.NewStates(n)
	for i, s := range states {
		states[i] = struct{ env.State }{s}
	}
	return states
}

func TestGamesThatDoNotListTheirPiecesHaveNoLayout(t *testing.T) {
	b := newBench(t, "trench/standard")
	w, game := b.weights(t), mute{b.game}
	const want = "trench cannot list and add up its pieces (env.PieceLister, env.PieceAdder), which a linear evaluator needs"
	if _, err := eval.NewLayout(game); err == nil || err.Error() != want {
		t.Errorf("error is %v", err)
	}
	if _, err := w.New(game); err == nil || err.Error() != want {
		t.Errorf("error is %v", err)
	}
	if _, err := eval.NewWeights(game, b.digest, b.values, ""); err == nil || err.Error() != want {
		t.Errorf("error is %v", err)
	}
	if _, err := eval.New("material", game); err == nil || err.Error() != "trench cannot add up its pieces (env.PieceAdder), which the evaluator material needs" {
		t.Errorf("error is %v", err)
	}
	if _, err := eval.New("score", game); err == nil || err.Error() != "trench has no score (env.Scorer), which the evaluator score needs" {
		t.Errorf("error is %v", err)
	}
}

// Documents that ReadWeights accepts survive a round trip.
func FuzzReadWeights(f *testing.F) {
	f.Add([]byte(document))
	f.Add(newBench(f, "ntxuva/4").scatter().weights(f).JSON())
	game := newBench(f, "trench/standard").game
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := eval.ReadWeights(data)
		if err != nil {
			return
		}
		again, err := eval.ReadWeights(w.JSON())
		if err != nil {
			t.Fatalf("%v in %s", err, w.JSON())
		}
		if !bytes.Equal(again.JSON(), w.JSON()) {
			t.Fatalf("%s, after reading %s", w.JSON(), again.JSON())
		}
		if e, err := w.New(game); err == nil {
			e.Evaluate(env.NewState(game))
		}
	})
}
