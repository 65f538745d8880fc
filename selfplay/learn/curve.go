package learn

import (
	"math"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A Point is the strength of the agents after an iteration, in logistic Elo relative to
// the initial agent.
type Point struct {
	Iteration int            `json:"iteration"`
	Pairs     int64          `json:"pairs"` // of the gate
	Accepted  bool           `json:"accepted"`
	Candidate stats.Interval `json:"candidate_elo"` // of the iteration's candidate
	Best      stats.Interval `json:"best_elo"`      // of the best agent after the iteration
}

// curve adds up the matches of the gates. A match that a sequential test ends
// overstates the difference, and so does the sum.
func curve(reports []*Report) []Point {
	points := []Point{}
	best := stats.Interval{Level: stats.Level}
	for _, r := range reports {
		p := Point{Iteration: r.Iteration, Accepted: r.Accepted, Candidate: best, Best: best}
		if r.Gate != nil {
			p.Pairs = r.Gate.Pairs
			p.Candidate = best.Plus(finite(r.Gate.Elo))
		}
		if p.Accepted {
			p.Best = p.Candidate
		}
		best = p.Best
		points = append(points, p)
	}
	return points
}

// finite replaces an infinite estimate, of a match in which one side won every game,
// by the finite end of its interval.
func finite(elo stats.Interval) stats.Interval {
	switch {
	case math.IsInf(elo.Estimate, 1):
		elo.Estimate = elo.Low
	case math.IsInf(elo.Estimate, -1):
		elo.Estimate = elo.High
	}
	return elo
}
