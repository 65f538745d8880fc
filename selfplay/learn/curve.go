package learn

import (
	"math"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A Point is where a run stands after an iteration, on the logistic scale of Elo
// with the agent that the run began with at 0.
type Point struct {
	Iteration int            `json:"iteration"`
	Pairs     int64          `json:"pairs,string"` // of the gate
	Accepted  bool           `json:"accepted"`
	Candidate stats.Interval `json:"candidate_elo"` // of the iteration
	Best      stats.Interval `json:"best_elo"`      // once the iteration is over
}

// curve adds up the matches of the gates. A match that a test ends overstates the
// difference, and so does a sum of such matches.
func curve(reports []*Report) []Point {
	points := []Point{}
	best := stats.Interval{Level: stats.Level}
	for _, r := range reports {
		p := Point{Iteration: r.Iteration, Accepted: r.Accepted, Candidate: best, Best: best}
		if r.Gate != nil {
			p.Pairs = r.Gate.Pairs
			p.Candidate = best.Plus(bounded(r.Gate.Elo))
		}
		if p.Accepted {
			p.Best = p.Candidate
		}
		best = p.Best
		points = append(points, p)
	}
	return points
}

// bounded is the Elo of a match with a finite estimate: one that was won or lost
// throughout counts with the near end of its interval.
func bounded(elo stats.Interval) stats.Interval {
	switch {
	case math.IsInf(elo.Estimate, 1):
		elo.Estimate = elo.Low
	case math.IsInf(elo.Estimate, -1):
		elo.Estimate = elo.High
	}
	return elo
}
