package eval_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// A bench is a game with its layout and a weight for each parameter.
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

// set sets the weights by parameter name.
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
		t.Fatalf("%q is not a parameter", name)
	}
	return b
}

// scatter sets every weight to a number between −50 and 50, most of them not multiples
// of the least unit.
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

// The evaluator's table look-ups agree with the extractor's terms.
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

// Values by hand, for the player to move.
func TestLinearValuesByHand(t *testing.T) {
	for _, c := range []struct {
		variant, position, why string
		weights                map[string]float64
		want                   int
	}{
		{"trench/standard", "8/8/3s4/8/8/8/2P5/1G6 b 7-4 0 20", "a General and a Soldier against a Sergeant", map[string]float64{"General count": 500, "Soldier count": 100, "Sergeant count": 200}, 400},
		{"trench/standard", "8/8/3s4/8/8/8/2P5/1G6 w 7-4 0 20", "the same for White", map[string]float64{"General count": 500, "Soldier count": 100, "Sergeant count": 200}, -400},
		{"trench/standard", "8/8/3s4/8/8/8/2P5/1G6 w 7-4 0 20", "White sees d6 as e3", map[string]float64{"Sergeant on e3": 30}, 30},
		{"trench/standard", "8/8/3s4/8/8/8/2P5/1G6 w 7-4 0 20", "c2 is one with b3, and rank 2 with file b", map[string]float64{"Soldier on c2": 7, "Soldier on file b": 2, "Soldier on file c": 4}, -13},
		{"trench/standard", "8/8/3s4/8/8/8/2P5/1G6 b 7-4 0 20", "captured 7 to 4, and the move", map[string]float64{"feature captured points": 50, "feature turn": 11}, 161},
		{"tankchess/16x16", "CLT@a1N,LT@c3NE CLT@p16S,LT@n14# b 0 0", "a wreck counts nothing, and the Command Tanks cancel out", map[string]float64{
			"Light Tank count": 100, "Light Tank on c3": 10, "Light Tank facing NE": 3, "Command Tank on a1": 5, "Command Tank facing N": 9,
		}, -113},
		{"tankbattle/standard", "11/11/11/11/11/5C5/11/11/11/4t6/4t6 w 0 0", "Black's tanks stand on its ranks 10 and 11", map[string]float64{"Tank on rank 10": 20, "Tank on rank 11": 1, "Commander on file f": 2}, -19},
		{"ntxuva/4", "1,2,0,0,0,0,0,0 0,0,0,0,0,0,0,9 s 0 0", "a house of one and one of two against one of nine", map[string]float64{
			"defence house count": 10, "attack house count": 1, "defence house a1 with 1": 100, "defence house b1 with 2": 200, "attack house a2 with 8+": 40,
		}, 30 - 9 + 300 - 40},
		{"trench/standard", "8/8/3s4/8/8/8/2P5/1G6 b 7-4 0 20", "3/32 is rounded to 2/16, which is rounded to 0", map[string]float64{"General count": 3. / 32}, 0},
		{"trench/standard", "8/8/3s4/8/8/8/2P5/1G6 b 7-4 0 20", "halves are rounded away from 0", map[string]float64{"General count": 0.5}, 1},
		{"trench/standard", "8/8/3s4/8/8/8/2P5/1G6 w 7-4 0 20", "on both sides", map[string]float64{"General count": 0.5}, -1},
	} {
		b := newBench(t, c.variant).set(t, c.weights)
		if got := b.evaluator(t).Evaluate(b.position(t, c.position)); got != c.want {
			t.Errorf("%s: %d, must be %d: %s", c.position, got, c.want, c.why)
		}
	}
}

func TestLinearWithTheWorthOfPiecesIsMaterial(t *testing.T) {
	for _, variant := range games.Presets() {
		b := newBench(t, variant)
		worth := map[string]float64{}
		for _, piece := range b.game.Spec().Pieces {
			worth[piece.Name+" count"] = eval.Unit
			for _, a := range piece.Attributes {
				if a.Name == "value" || a.Name == "points" {
					worth[piece.Name+" count"] = float64(a.Value) * eval.Unit
				}
			}
		}
		linear := b.set(t, worth).evaluator(t)
		material, err := eval.New("material", b.game)
		if err != nil {
			t.Fatal(err)
		}
		walk(b.game, 300, func(s env.State) {
			if got, want := linear.Evaluate(s), material.Evaluate(s); got != want {
				t.Fatalf("%s: linear is %d, material %d in %s", variant, got, want, env.PositionText(s))
			}
		})
	}
}

// The positions of a game and of its mirror image have equal values.
func TestSymmetricPositionsHaveTheSameLinearValue(t *testing.T) {
	mirrored := 0
	for _, variant := range append(games.Presets(), mirroredTanks) {
		b := newBench(t, variant).scatter()
		symmetric, ok := b.game.(env.Symmetric)
		if !ok {
			continue
		}
		e := b.evaluator(t)
		for _, symmetry := range symmetric.Symmetries() {
			mirrored++
			image, r := env.NewState(b.game), env.NewRand(2)
			for s := env.NewState(b.game); s.Player() != env.NoPlayer && image.Player() != env.NoPlayer; {
				if got, want := e.Evaluate(image), e.Evaluate(s); got != want {
					t.Fatalf("%s: %d in %s, %d in its image %s", variant, want, env.PositionText(s), got, env.PositionText(image))
				}
				legal := s.Legal(nil)
				a := legal[r.IntN(len(legal))]
				image.Apply(symmetry.Action(s, a))
				s.Apply(a)
			}
		}
	}
	if mirrored < 6 {
		t.Errorf("only %d symmetries were tested", mirrored)
	}
}

// mirroredTanks is a left-right symmetric rule set of Tank Chess.
const mirroredTanks = `tankchess/20x20{"layout":{"size":11,"white":{"CLT":["f1"],"LT":["b2NE","j2NW"],"MT":["d1","h1"],"HT":["f2"],` +
	`"TD":["c2W","i2E"],"HM":["a1","k1"]},"obstacles":["a5","k5","d6","h6","f4","f8"]}}`

// Swapping the colours and turning the board does not change the value to the mover.
func TestLinearHasNoFavouriteColour(t *testing.T) {
	for _, c := range []struct{ variant, position, turned string }{
		{"trench/standard", "8/8/3s4/8/8/8/2P5/1G6 b 7-4 0 20", "6g1/5p2/8/8/8/4S3/8/8 w 4-7 0 20"},
		{"tankchess/16x16", "CLT@a1N,LT@c3NE CLT@p15W,LT@n14# b 0 0", "CLT@a2E,LT@c3# CLT@p16S,LT@n14SW w 0 0"},
		{"tankbattle/standard", "11/11/11/11/11/4C6/11/11/11/4t6/4t6 w 0 0", "6T4/6T4/11/11/11/6c4/11/11/11/11/11 b 0 0"},
		{"ntxuva/4", "1,2,0,0,0,3,0,0 0,0,4,0,0,0,0,9 s 0 0", "0,0,4,0,0,0,0,9 1,2,0,0,0,3,0,0 n 0 0"},
	} {
		b := newBench(t, c.variant).scatter()
		e := b.evaluator(t)
		if got, want := e.Evaluate(b.position(t, c.turned)), e.Evaluate(b.position(t, c.position)); got != want || want == 0 {
			t.Errorf("%d in %s, %d in %s", want, c.position, got, c.turned)
		}
	}
}

// The cache of earlier positions does not change values.
func TestLinearDependsOnThePositionAlone(t *testing.T) {
	b := newBench(t, "tankbattle/standard").scatter()
	used, fresh := b.evaluator(t), b.evaluator(t)
	var values []int
	for range 2 {
		walk(b.game, 10_000, func(s env.State) { used.Evaluate(s) })
	}
	walk(b.game, 10_000, func(s env.State) { values = append(values, used.Evaluate(s)) })
	walk(b.game, 10_000, func(s env.State) {
		if got := fresh.Evaluate(s); got != values[0] {
			t.Fatalf("value is %d, with a used evaluator %d in %s", got, values[0], env.PositionText(s))
		}
		values = values[1:]
	})
}

func TestLinearStaysInItsBounds(t *testing.T) {
	b := newBench(t, "trench/long-2013").set(t, map[string]float64{"feature captured points": eval.MaxWeight})
	e := b.evaluator(t)
	for position, want := range map[string]int{
		"8/8/3s4/8/8/8/2P5/1G6 w 20000-0 0 20": -eval.Bound,
		"8/8/3s4/8/8/8/2P5/1G6 b 20000-0 0 20": eval.Bound,
	} {
		if got := e.Evaluate(b.position(t, position)); got != want {
			t.Errorf("%s has value %d, must be %d", position, got, want)
		}
	}
}

func TestLinearAndExtractionDoNotAllocate(t *testing.T) {
	for _, variant := range games.Presets() {
		b := newBench(t, variant).scatter()
		e, x := b.evaluator(t), b.layout.NewExtractor()
		s, terms := env.NewState(b.game), make([]eval.Term, 0, b.layout.Size())
		legal := s.Legal(nil)
		if n := testing.AllocsPerRun(20, func() {
			s.Reset()
			s.Apply(legal[0])
			e.Evaluate(s)
			terms = x.Extract(terms[:0], s, env.Second)
		}); n != 0 {
			t.Errorf("%s: %v allocations", variant, n)
		}
	}
}
