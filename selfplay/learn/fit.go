package learn

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// A Fit says what was learnt from and how well. Cross-entropies are in nats of
// one game's weight; they fall to the entropy of the targets at best, not to 0.
type Fit struct {
	Games      int64   `json:"games,string"`     // with positions, of the whole window, the held-out ones included
	Truncated  int64   `json:"truncated,string"` // games that were cut off
	Positions  int     `json:"positions"`        // fitted
	Parameters int     `json:"parameters"`
	Confidence float64 `json:"confidence"` // in the search's scores of the iteration's own games
	Steps      int     `json:"steps"`
	Converged  bool    `json:"converged"`
	Entropy    float64 `json:"entropy"` // of the positions fitted
	HeldOut    HeldOut `json:"held_out"`
}

// HeldOut is what a fit is worth in games it has not seen. Means and intervals
// are over games.
type HeldOut struct {
	Positions int            `json:"positions"`
	Null      stats.Interval `json:"null"`    // cross-entropy where every position has the mean target of those fitted
	Entropy   stats.Interval `json:"entropy"` // cross-entropy of the fit
	Gain      stats.Interval `json:"gain"`    // of the fit over the null, game by game
}

// countShare is the penalty of a count or a feature against that of a place.
const countShare = 0.1

// fit fits the parameters of a layout and returns them in the unit of scores.
func (s *samples) fit(layout *eval.Layout, l2 float64, goroutines int) (*Fit, []float64, error) {
	if s.rows.Len() == 0 {
		return nil, nil, errors.New("the games have no quiet position with a result or a score to learn from")
	}
	penalty := make([]float64, s.rows.Columns())
	for j := range penalty {
		penalty[j] = l2
		if !layout.Placement(j) {
			penalty[j] *= countShare
		}
	}
	found, err := stats.Logistic{Penalty: penalty, Goroutines: goroutines}.Fit(s.rows)
	if err != nil {
		return nil, nil, fmt.Errorf("fitting %d positions: %w", s.rows.Len(), err)
	}
	values := slices.Clone(found.Coefficients)
	for j := range values {
		values[j] *= eval.Scale
	}
	return &Fit{
		Games: s.games, Truncated: s.truncated, Positions: s.rows.Len(), Parameters: layout.Size(), Steps: found.Steps, Converged: found.Converged,
		Entropy: found.Entropy, HeldOut: s.judge(found.Coefficients),
	}, values, nil
}

// judge values coefficients by the games held out.
func (s *samples) judge(coefficients []float64) HeldOut {
	var null, entropy, gain stats.Moments
	mean := min(max(s.rows.MeanTarget(), 1e-6), 1-1e-6)
	first := 0
	for _, end := range s.heldEnds {
		a, b := 0.0, 0.0
		for i := first; i < end; i++ {
			a += s.held.EntropyAt(i, mean)
			b += s.held.Entropy(i, coefficients)
		}
		n := float64(end - first)
		null.Add(a/n, 1)
		entropy.Add(b/n, 1)
		gain.Add((a-b)/n, 1)
		first = end
	}
	return HeldOut{
		Positions: s.held.Len(), Null: null.Interval(stats.Level), Entropy: entropy.Interval(stats.Level), Gain: gain.Interval(stats.Level),
	}
}
