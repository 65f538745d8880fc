package compare

import (
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// agreeing are measures of so many games of as many plies each.
func agreeing(plies, games int) *Measures {
	m := new(Measures)
	for range games {
		m.played++
		m.means[length].Add(float64(plies), 1)
	}
	return m
}

// Garwood's interval of 400 counts, 361.756 to 441.187 (scipy.stats.gamma.ppf(.025, 400)
// and isf(.025, 401)), is that of 400 games that agree, in parts of 400.
func TestLengthsThatAgreeHaveBounds(t *testing.T) {
	m := agreeing(40, 400)
	i := m.interval(length, stats.Level)
	if i.Estimate != 40 || math.Abs(i.Low-36.1756) > 1e-4 || math.Abs(i.High-44.1187) > 1e-4 {
		t.Errorf("the length is %+v", i)
	}
	same := func(level float64) stats.Interval { return m.difference(length, agreeing(40, 400), level) }
	if d := same(stats.Level); d.Estimate != 0 || math.IsInf(d.Low, 0) || math.IsInf(d.High, 0) || stats.Significance(same, 0).P != 1 {
		t.Errorf("no difference is %+v", d)
	}
	if p := stats.Equivalence(same, -6, 6).P; p > .05 {
		t.Errorf("with a margin of 6 plies P of equivalence is %v", p)
	}
	if d := agreeing(60, 400).difference(length, m, stats.Level); d.Low < 10 || d.High > 30 {
		t.Errorf("20 plies are %+v", d)
	}
	// Where one varies it is Welch's.
	other := agreeing(40, 399)
	other.means[length].Add(44, 1)
	if d := m.difference(length, other, stats.Level); d.Method != "welch, clusters" || d.High-d.Low > .1 {
		t.Errorf("with one other game the difference is %+v", d)
	}
	if d := agreeing(40, 1).difference(length, m, stats.Level); !math.IsInf(d.High, 1) {
		t.Errorf("of one game the difference is %+v", d)
	}
}

func TestSkewedSharesHaveTheExactInterval(t *testing.T) {
	for _, q := range []quantity{drama, repetition, coverage} {
		m := new(Measures)
		for k := range 100 {
			m.means[q].Add(float64(k%10/9)/4, 1)
		}
		if got, want := m.interval(q, stats.Level), m.means[q].ExactInterval(stats.Level); got != want {
			t.Errorf("quantity %d is %+v, must be %+v", q, got, want)
		}
	}
}

// Of two pairs Elo has bounds at 95 %, and none at levels so near 1 that P is small.
func TestSlopesOfFewPairsAreNoSureDifference(t *testing.T) {
	p := &Plan{Variants: []Variant{{Name: "many"}, {Name: "few"}}, Budgets: []Budget{{Nodes: 100}}, LadderPairs: 1000}
	a := &analysis{plan: p, played: [][]Played{
		{{Ladder: &LadderMeasures{pairs: stats.Pentanomial{0, 0, 300, 400, 300}}}},
		{{Ladder: &LadderMeasures{pairs: stats.Pentanomial{0, 0, 1, 1, 0}}}},
	}}
	few := a.skill().Variants[1]
	if few.Slope == nil || few.Difference == nil || few.Test.P < .3 || few.Difference.Low > 0 || few.Difference.High < 0 {
		t.Errorf("two pairs of a score much alike: %+v, the test %+v", few.Difference, few.Test)
	}
}

// Of 1,500 games each second one is replayed, and so few tell of coverage, even where
// all of an early look's were.
func TestDetectableCoverageIsOfTheGamesThatAreReplayed(t *testing.T) {
	for games, want := range map[int64]int64{0: 1, 1: 1, 1000: 1, 1001: 2, 2000: 2, 2001: 3} {
		if s := coverageStride(games); s != want {
			t.Errorf("of %d games each %d-th is replayed, must be %d", games, s, want)
		}
	}
	m := &Measures{played: 500}
	for k := range 500 {
		m.means[coverage].Add(.5+.1*float64(k%2), 1)
	}
	a := &analysis{plan: &Plan{Games: 1500, Power: .8}, last: new(stats.Levels)}
	trial := stats.Trial{Level: stats.Level, Groups: 2, Variance: m.means[coverage].PerCluster()}
	want, err := trial.Detectable(750, .8)
	if got := a.detectable(coverage, m, m, 1); err != nil || got == nil || math.Abs(*got-want) > 1e-9 {
		t.Errorf("what is detectable is %v, must be %v (%v)", got, want, err)
	}
}
