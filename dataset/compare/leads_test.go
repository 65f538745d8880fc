package compare

import (
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
)

// told is an episode in which the players, in turn, told values from their own views
// after an opening ply; NaN stands for none.
func told(result env.Result, values ...float64) *dataset.Episode {
	ep := &dataset.Episode{Result: result, OpeningPlies: 1}
	ep.AddStep().Source = dataset.FromOpening
	for i, v := range values {
		s := ep.AddStep()
		s.Player = env.Player(i % 2)
		if !math.IsNaN(v) {
			s.Search = dataset.Search{Has: dataset.HasValue, Value: float32(v)}
		}
	}
	return ep
}

func TestLeadsChangeWhenTheOtherSideLeads(t *testing.T) {
	for _, c := range []struct {
		values []float64 // of the movers, the first player first
		want   int
	}{
		{nil, 0},
		{[]float64{0.5, -0.5, 0.5}, 0},     // the first player leads throughout
		{[]float64{0.5, 0.5, 0.5, 0.5}, 3}, // both see themselves ahead
		{[]float64{0.2, -0.05, -0.3, 0.05, -0.09, -0.2}, 2},   // within the band the lead stays
		{[]float64{0.05, 0.05, 0.1, -0.1, 0.05}, 0},           // nobody ever leads
		{[]float64{0.05, 0.2, -0.2, -0.05, -0.05, 0.3, 1}, 1}, // the first lead is no change
	} {
		var l leads
		if l.read(told(0, c.values...)); l.changes() != c.want {
			t.Errorf("the lead changes %d times in %v, must be %d", l.changes(), c.values, c.want)
		}
	}
}

func TestDramaIsTheDeficitOfTheWinnerWhereItIsBehind(t *testing.T) {
	for _, c := range []struct {
		result           env.Result
		values           []float64 // of the movers, the first player first
		deficit, decided float64
	}{
		{1, []float64{0.5, -0.5, 0.5, -1}, 0, 0},                  // never behind
		{1, []float64{-0.2, 0.4, 0.5, -0.5}, 0.3, 0.5},            // −0.2 and −0.4 of four plies
		{-1, []float64{-0.2, 0.4, 0.5, -0.25}, (.5 + .25) / 2, 1}, // behind to the end
		{1, []float64{0, 0, 0.25, -0.5}, 0, 0.5},                  // even is neither behind nor a lead
		{-1, []float64{1, -1}, 1, 1},
	} {
		var l leads
		l.read(told(c.result, c.values...))
		winner := float64(c.result)
		if d := l.deficit(winner); math.Abs(d-c.deficit) > 1e-7 {
			t.Errorf("the deficit of %v in %v is %v, must be %v", c.result, c.values, d, c.deficit)
		}
		if d := l.decided(winner); d != c.decided {
			t.Errorf("%v in %v is decided at %v, must be %v", c.result, c.values, d, c.decided)
		}
	}
}

func TestGamesCountWhereHalfTheirPliesTellValues(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		values []float64
		want   bool
	}{
		{nil, false}, {[]float64{nan}, false}, {[]float64{.1, nan}, true}, {[]float64{.1, nan, nan}, false}, {[]float64{.1, nan, .2, nan}, true},
	} {
		var l leads
		if l.read(told(1, c.values...)); l.enough() != c.want {
			t.Errorf("%v are enough: %v", c.values, l.enough())
		}
	}
}
