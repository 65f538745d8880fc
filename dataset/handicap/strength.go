package handicap

import (
	"fmt"
	"math"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Strength shows how the losses of handicaps change with the strength of the agent, from
// two experiments with the same handicaps whose games are independent.
type Strength struct {
	Agents [2]string `json:"agents"` // the weaker one first
	Nodes  [2]int64  `json:"nodes"`  // per move
	Unit   string    `json:"unit"`
	Moves  []Move    `json:"moves"` // by handicap
}

// A Move is the difference that strength makes to a handicap.
type Move struct {
	Name  string            `json:"name"`
	Loss  [2]stats.Interval `json:"loss"`  // of score, the weaker agent's first
	Moved stats.Interval    `json:"moved"` // the stronger agent's loss minus the weaker one's
	// None tests the hypothesis that both losses are equal; Adjusted is its P value adjusted
	// by Holm's method over all handicaps.
	None     stats.Test `json:"no_change"`
	Adjusted float64    `json:"adjusted_p"`
	// Needed is the number of pairs of games of each agent that shows a change as great as
	// the observed one, or SmallLoss if that is greater; 0 if the change is shown or if
	// results do not vary.
	Needed int64 `json:"needed_pairs,omitempty"`
	// Value are the values in units, and ValueMoved is their difference; nil if one is
	// unknown.
	Value      [2]*stats.Interval `json:"value"`
	ValueMoved *stats.Interval    `json:"value_moved"`
}

// Compare sets the Strength of the report of the stronger agent from the report of the
// weaker one, which must be on the same rules, handicaps and unit.
func Compare(weak, strong *Report, nodes [2]int64) error {
	if weak.Digest != strong.Digest {
		return fmt.Errorf("the rules of the weaker agent's report are %s, must be %s", weak.Digest, strong.Digest)
	}
	if weak.Unit != strong.Unit {
		return fmt.Errorf("the unit of the weaker agent's report is %q, must be %q", weak.Unit, strong.Unit)
	}
	if len(weak.Handicaps) != len(strong.Handicaps) {
		return fmt.Errorf("the weaker agent's report has %d handicaps, must have %d", len(weak.Handicaps), len(strong.Handicaps))
	}
	s := &Strength{Agents: [2]string{weak.Agent, strong.Agent}, Nodes: nodes, Unit: strong.Unit, Moves: []Move{}}
	var p []float64
	for i := range strong.Handicaps {
		a, b := &weak.Handicaps[i], &strong.Handicaps[i]
		if a.handicap() != b.handicap() {
			return fmt.Errorf("handicap %d of the weaker agent's report is %s, must be %s", i+1, a.handicap(), b.handicap())
		}
		m := Move{Name: b.handicap().String(), Loss: [2]stats.Interval{a.Loss, b.Loss}, Moved: stats.Difference(b.Loss, a.Loss), Value: [2]*stats.Interval{a.Value, b.Value}}
		m.None = stats.Implied(m.Moved, 0)
		if a.Value != nil && b.Value != nil && b.Value.Low != b.Value.High {
			moved := stats.Difference(*b.Value, *a.Value)
			m.ValueMoved = &moved
		}
		p = append(p, m.None.P)
		s.Moves = append(s.Moves, m)
	}
	for i, adjusted := range stats.Holm(p) {
		m := &s.Moves[i]
		if m.Adjusted = adjusted; adjusted > significant {
			m.Needed = m.needed(len(p))
		}
	}
	strong.Strength = s
	return nil
}

// needed returns the number of pairs of each agent that shows a change of the loss, or 0 if
// the interval of the change has no observations or no width.
func (m *Move) needed(tests int) int64 {
	// The observations are the games of both agents, four for a pair of each.
	units, err := trial(m.Moved.PerObservation(), tests).Units(math.Max(SmallLoss, math.Abs(m.Moved.Estimate)), Power)
	if err != nil {
		return 0
	}
	return (units + 3) / 4
}

// handicap returns the handicap of an effect.
func (e *Effect) handicap() Handicap {
	return Handicap{Type: e.Type, Change: Change{Attribute: e.Attribute, By: e.By, Last: e.Last}}
}
