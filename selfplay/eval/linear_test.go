package eval_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// A bench is a game with its layout, and with weights by parameter.
type bench struct {
	game   env.Game
	digest string
	layout *eval.Layout
	values []float64
}

func newBench(t testing.TB, variant string) *bench {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	layout, err := eval.NewLayout(v.Game)
	if err != nil {
		t.Fatal(err)
	}
	return &bench{v.Game, v.Digest, layout, make([]float64, layout.Size())}
}

// set gives parameters their weights.
func (b *bench) set(t testing.TB, weights map[string]float64) *bench {
	t.Helper()
	clear(b.values)
	for i := range b.layout.Size() {
		if weight, ok := weights[b.layout.Name(i)]; ok {
			b.values[i] = weight
			delete(weights, b.layout.Name(i))
		}
	}
	for name := range weights {
		t.Fatalf("there is no parameter %q", name)
	}
	return b
}

// scatter gives every parameter a weight between −50 and 50, most of which are no
// multiple of the least unit.
func (b *bench) scatter() *bench {
	r := env.NewRand(8)
	for i := range b.values {
		b.values[i] = 100*r.Float64() - 50
	}
	return b
}

func (b *bench) weights(t testing.TB) *eval.Weights {
	t.Helper()
	w, err := eval.NewWeights(b.game, b.digest, b.values, "by hand")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (b *bench) evaluator(t testing.TB) eval.Evaluator {
	t.Helper()
	e, err := b.weights(t).New(b.game)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (b *bench) position(t testing.TB, text string) env.State {
	t.Helper()
	s := env.NewState(b.game)
	if err := s.SetPosition(text); err != nil {
		t.Fatal(err)
	}
	return s
}

// The evaluator adds up in tables what the extractor lists term by term.
func TestLinearIsTheSumOfTheExtractedTermsByTheirWeights(t *testing.T) {
	for _, variant := range games.Presets() {
		b := newBench(t, variant).scatter()
		e, x, values := b.evaluator(t), b.layout.NewExtractor(), b.weights(t).Values()
		var terms []eval.Term
		walk(b.game, 300, func(s env.State) {
			terms = x.Extract(terms[:0], s, s.Player())
			sum := 0.0
			for _, term := range terms {
				sum += float64(float64(term.Value) * values[term.Index])
			}
			if got, want := e.Evaluate(s), int(math.Round(sum)); got != want {
				t.Fatalf("%s: value is %d, the terms add up to %g in %s", variant, got, sum, env.PositionText(s))
			}
		})
	}
}

func TestTermsAscendAndAreNotZeroAndChangeTheirSignWithTheViewer(t *testing.T) {
	for _, variant := range games.Presets() {
		b := newBench(t, variant)
		x := b.layout.NewExtractor()
		walk(b.game, 300, func(s env.State) {
			own, enemy := x.Extract(nil, s, s.Player()), x.Extract(nil, s, s.Player().Opponent())
			for i, term := range own {
				if term.Value == 0 || term.Value != float32(math.Trunc(float64(term.Value))) || i > 0 && own[i-1].Index >= term.Index {
					t.Fatalf("%s: term %d of %v in %s", variant, i, own, env.PositionText(s))
				}
				own[i].Value = -term.Value
			}
			if !slices.Equal(own, enemy) {
				t.Fatalf("%s: %v are the opponent's, must be %v in %s", variant, enemy, own, env.PositionText(s))
			}
		})
	}
}
