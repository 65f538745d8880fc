package learn_test

import (
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
	"github.com/sandtable-farm/sandtable/selfplay/learn"
)

func TestACurveAddsUpTheGates(t *testing.T) {
	gate := func(low, estimate, high float64, accepted bool) *learn.Report {
		elo := stats.Interval{Low: low, Estimate: estimate, High: high, Level: stats.Level, N: 20}
		return &learn.Report{Accepted: accepted, Gate: &arena.Report{Pairs: 10, Elo: elo}}
	}
	points := learn.Curve([]*learn.Report{
		gate(20, 50, 80, true),
		gate(-60, -20, 20, false),
		{}, // the same agent again
		gate(60, 100, 140, true),
		gate(90, math.Inf(1), math.Inf(1), true), // every game won
		gate(math.Inf(-1), math.Inf(-1), -90, false),
	})
	for i, want := range []struct{ candidate, best stats.Interval }{
		{stats.Interval{Low: 20, Estimate: 50, High: 80}, stats.Interval{Low: 20, Estimate: 50, High: 80}},
		{stats.Interval{Low: -20, Estimate: 30, High: 80}, stats.Interval{Low: 20, Estimate: 50, High: 80}},
		{stats.Interval{Low: 20, Estimate: 50, High: 80}, stats.Interval{Low: 20, Estimate: 50, High: 80}},
		{stats.Interval{Low: 100, Estimate: 150, High: 200}, stats.Interval{Low: 100, Estimate: 150, High: 200}},
		{stats.Interval{Low: 190, Estimate: 240, High: math.Inf(1)}, stats.Interval{Low: 190, Estimate: 240, High: math.Inf(1)}},
		{stats.Interval{Low: math.Inf(-1), Estimate: 150, High: math.Inf(1)}, stats.Interval{Low: 190, Estimate: 240, High: math.Inf(1)}},
	} {
		p := points[i]
		for _, c := range []struct{ got, want stats.Interval }{{p.Candidate, want.candidate}, {p.Best, want.best}} {
			if g, w := c.got, c.want; g.Low != w.Low || g.Estimate != w.Estimate || g.High != w.High {
				t.Errorf("point %d: %v (%v to %v), must be %v (%v to %v)", i, g.Estimate, g.Low, g.High, w.Estimate, w.Low, w.High)
			}
		}
	}
	if last := points[len(points)-1].Best; last.N != 60 || last.Level != stats.Level {
		t.Errorf("the best agent's Elo is %+v, must be from the 60 games of the accepted gates", last)
	}
}
