package handicap_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func TestParsePrecision(t *testing.T) {
	for text, want := range map[string]handicap.Precision{
		"±0.3": {Within: .3}, "0.3": {Within: .3}, "+-2": {Within: 2}, "±2%": {Within: .02, Points: true}, "49.5%": {Within: .495, Points: true},
	} {
		if got, err := handicap.ParsePrecision(text); err != nil || *got != want {
			t.Errorf("%s is %+v (%v), must be %+v", text, got, err, want)
		}
	}
	for want, texts := range map[string][]string{
		"must be of the form ±0.3":         {"", "±", "x", "0.3 points", "-+1", "%"},
		"must be more than 0":              {"0", "±-1", "NaN", "Inf", "0%"},
		"points of 100, must be less than": {"50%", "±80%"},
	} {
		for _, text := range texts {
			if got, err := handicap.ParsePrecision(text); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q is %+v (%v), want %q", text, got, err, want)
			}
		}
	}
	for want, p := range map[string]handicap.Precision{"±0.3": {Within: .3}, "±2%": {Within: .02, Points: true}} {
		if got := p.String(); got != want {
			t.Errorf("%+v is written %s, must be %s", p, got, want)
		}
	}
}

func TestLooksGrowByHalf(t *testing.T) {
	p := handicap.Plan{Pairs: 1000}
	if looks := p.Looks(); !slices.Equal(looks, []int64{1000}) {
		t.Errorf("without a precision the looks are %v", looks)
	}
	if l, err := p.Levels(0); err != nil || l.At(.9) != .9 {
		t.Errorf("without a precision the level is %v (%v)", l.At(.9), err)
	}
	p.Until = &handicap.Precision{Within: .3}
	if looks := p.Looks(); !slices.Equal(looks, []int64{250, 375, 562, 843, 1000}) {
		t.Errorf("the looks are %v", looks)
	}
	// Pocock's spending at a quarter: 0.05·ln(1 + (e−1)/4) = 0.0178687, by hand.
	if l, err := p.Levels(0); err != nil || math.Abs(1-l.At(.95)-.0178687) > 1e-6 {
		t.Errorf("the first look has level %v (%v)", l.At(.95), err)
	}
	p.Pairs = 200
	if looks := p.Looks(); !slices.Equal(looks, []int64{200}) {
		t.Errorf("of 200 pairs the looks are %v", looks)
	}
}

// 200 pairs in which the handicapped side wins 92 of 200 games of each seat: a loss of
// 0.04. The variance of a seat's mean is .46·.54/199, so that of the score of one pair is
// 200·2·(.46·.54/199)/4 = .124824. With z = 1.959964 and .841621 the pairs that find the loss
// are (z + z)²·.124824/.04² = 612.3; Student's t of that many degrees of freedom needs 2 more.
func TestAnUndecidedHandicapTellsHowManyPairsItNeeds(t *testing.T) {
	v := lookup(t, "trench/standard")
	r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{
		removed(t, "Soldier", source(v, 1, 400, counted([2]int64{92, 0}, [2]int64{92, 0}))),
	}})
	e := r.Handicaps[0]
	if e.Adjusted <= .05 || e.Needed == nil || e.Needed.Pairs != 615 || e.Needed.Tests != 1 || e.Needed.Power != .8 || !near(e.Needed.Loss, .04) {
		t.Errorf("with P %v it needs %+v", e.Adjusted, e.Needed)
	}
	// With two handicaps each test has half the error: z = 2.241403, 741.5 pairs. A smaller
	// loss than SmallLoss is not looked for: (2.241403 + .841621)²·.125628/.02² = 2985.
	r = analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{
		removed(t, "Soldier", source(v, 1, 400, counted([2]int64{92, 0}, [2]int64{92, 0}))),
		removed(t, "Captain", source(v, 2, 400, counted([2]int64{100, 0}, [2]int64{100, 0}))),
	}})
	if n := r.Handicaps[0].Needed; n == nil || n.Pairs != 745 || n.Tests != 2 {
		t.Errorf("with two handicaps it needs %+v", n)
	}
	if n := r.Handicaps[1].Needed; n == nil || n.Loss != handicap.SmallLoss || math.Abs(float64(n.Pairs)-2988) > 2 {
		t.Errorf("without a loss it needs %+v", n)
	}
	for name, e := range map[string]handicap.Effect{
		"a decided loss":   analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{removed(t, "Soldier", source(v, 1, 400, counted([2]int64{50, 0}, [2]int64{50, 0})))}}).Handicaps[0],
		"draws alone":      analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{removed(t, "Soldier", source(v, 1, 400, counted([2]int64{0, 200}, [2]int64{0, 200})))}}).Handicaps[0],
		"too few to count": analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{removed(t, "Soldier", source(v, 1, 2, counted([2]int64{1, 0}, [2]int64{0, 0})))}}).Handicaps[0],
	} {
		if e.Needed != nil {
			t.Errorf("%s needs %+v", name, e.Needed)
		}
	}
}

func TestTheUnitIsAPieceWhoseLossIsKnown(t *testing.T) {
	v := lookup(t, "trench/standard")
	play := func(name string, seed uint64, wins int64) handicap.Played {
		return removed(t, name, source(v, seed, 400, counted([2]int64{wins, 0}, [2]int64{wins, 0})))
	}
	for want, played := range map[string][]handicap.Played{
		"Soldier": {play("General", 1, 40), play("Soldier", 2, 70)},                          // the most frequent type costs something
		"General": {play("Captain", 1, 90), play("General", 2, 40), play("Soldier", 3, 105)}, // it helps
		"Captain": {play("Captain", 1, 70), measured(t, handicap.Handicap{Type: "General", Change: handicap.Change{Last: true}},
			handicap.Games{Source: source(v, 2, 400, counted([2]int64{10, 0}, [2]int64{10, 0})), Handicapped: byTurns})}, // the last piece of a type is no unit
	} {
		e := &handicap.Experiment{Variant: v, Agent: agent, Played: played}
		if r := analyze(t, e); r.Unit != want {
			t.Errorf("the unit is %q, must be %q", r.Unit, want)
		}
		if unit, err := handicap.UnitOf(e); err != nil || unit != want {
			t.Errorf("UnitOf returns %q (%v), must be %q", unit, err, want)
		}
	}
	if unit, err := handicap.UnitOf(&handicap.Experiment{Variant: v}); err != nil || unit != "" {
		t.Errorf("of nothing the unit is %q (%v)", unit, err)
	}
	if _, err := handicap.UnitOf(&handicap.Experiment{Variant: v, Unit: "Queen"}); err == nil {
		t.Error("an unknown unit is accepted")
	}
}

func TestIntervalsOfLooksAreWider(t *testing.T) {
	v := lookup(t, "trench/standard")
	plan := handicap.Plan{Pairs: 2000, Until: &handicap.Precision{Within: .05, Points: true}}
	levels, err := plan.Levels(1)
	if err != nil {
		t.Fatal(err)
	}
	p := removed(t, "Soldier", source(v, 1, 1500, counted([2]int64{300, 0}, [2]int64{300, 0})))
	single := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Played: []handicap.Played{p}}).Handicaps[0]
	p.Levels = levels
	r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Until: plan.Until, Played: []handicap.Played{p}})
	e := r.Handicaps[0]
	// The ratio of the widths is that of Student's quantiles of 749 degrees of freedom, but for
	// the square-and-add of Wilson's intervals.
	wide, narrow := e.Loss.High-e.Loss.Low, single.Loss.High-single.Loss.Low
	if at := levels.At(stats.Level); !(wide > narrow*1.15) || at < .97 || e.Loss.Level != stats.Level || !strings.HasPrefix(e.Score.Method, "repeated, ") {
		t.Errorf("at level %v the loss is %+v, of a single look %+v", at, e.Loss, single.Loss)
	}
	if !(e.None.P > single.None.P) || !strings.HasPrefix(e.None.Method, "repeated, ") {
		t.Errorf("the test is %+v, of a single look %+v", e.None, single.None)
	}
	if r.Until == nil || len(r.Until.Open) != 0 || r.Until.Within != .05 {
		t.Errorf("the end is %+v", r.Until)
	}
	narrower := &handicap.Precision{Within: wide / 2 * .95, Points: true}
	if r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Until: narrower, Played: []handicap.Played{p}}); !slices.Equal(r.Until.Open, []int{0}) {
		t.Errorf("the end is %+v", r.Until)
	}
	// In units, the unit itself is known, and a type without a value is not.
	units := &handicap.Precision{Within: 1000}
	free := removed(t, "Captain", source(v, 2, 400, counted([2]int64{0, 0}, [2]int64{0, 0})))
	if r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Until: units, Unit: "Soldier", Played: []handicap.Played{p, free}}); !slices.Equal(r.Until.Open, []int{1}) {
		t.Errorf("the end is %+v", r.Until)
	}
}
