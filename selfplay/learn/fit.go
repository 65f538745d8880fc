package learn

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// A Fit describes a fit: its data and its quality. Cross-entropies are in nats per game.
// Their lower bound is the entropy of the targets, not 0.
type Fit struct {
	Games      int64   `json:"games"`     // in the window that contributed positions, held-out games included
	Truncated  int64   `json:"truncated"` // games in the window that were truncated
	Positions  int     `json:"positions"` // fitted
	Parameters int     `json:"parameters"`
	Confidence float64 `json:"confidence"` // in the search scores of the iteration's own games; see the package documentation
	Steps      int     `json:"steps"`      // of the optimiser
	Converged  bool    `json:"converged"`
	Entropy    float64 `json:"entropy"` // cross-entropy of the fitted positions
	HeldOut    HeldOut `json:"held_out"`
}

// HeldOut measures a fit on the held-out games. Means and intervals are over games.
type HeldOut struct {
	Positions int            `json:"positions"`
	Null      stats.Interval `json:"null"`    // cross-entropy of the mean fitted target
	Entropy   stats.Interval `json:"entropy"` // cross-entropy of the fit
	Gain      stats.Interval `json:"gain"`    // null minus entropy, game by game
}

// countShare is the penalty of a count or a feature relative to that of a placement.
const countShare = 0.1

// fit fits the parameters of a layout and returns their weights in the unit of scores.
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
		Entropy: found.Entropy, HeldOut: s.measure(found.Coefficients),
	}, values, nil
}

// measure measures coefficients on the held-out games.
func (s *samples) measure(coefficients []float64) HeldOut {
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
