package handicap

import (
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// worths returns the worth of each type of which a piece was removed.
func (a *analysis) worths(r *Report) []Worth {
	list := []Worth{}
	for i := range r.Handicaps {
		e := &r.Handicaps[i]
		if !a.Played[i].Change.Removal() {
			continue
		}
		w := Worth{Type: e.Type, Counted: e.Counted, Experiment: measured(e), Phases: []PhaseWorth{}, Relation: e.Regression.relation()}
		if j := slices.IndexFunc(r.Handicaps, func(o Effect) bool { return o.Last && o.Type == e.Type }); j >= 0 {
			last := measured(&r.Handicaps[j])
			w.Last = &last
		}
		if a.Control != nil {
			for k := range a.Control.Values.Phases {
				a.phase(&w, k)
			}
		}
		list = append(list, w)
	}
	return list
}

// measured returns the worth of a piece by experiment.
func measured(e *Effect) Measured {
	m := Measured{Value: e.Value}
	if e.Score.N > 0 {
		score := other(e.Score)
		m.Score = &score
	}
	return m
}

// phase adds the worth in phase k of the control's values, of which the first is the whole
// game.
func (a *analysis) phase(w *Worth, k int) {
	phase := &a.Control.Values.Phases[k]
	i := slices.IndexFunc(phase.Types, func(t balance.TypeValue) bool { return t.Type == w.Type })
	if i < 0 {
		return
	}
	t := &phase.Types[i]
	m := Measured{Score: bounded(t.Score)}
	// The values of the control are in units of the report only if both have the same unit.
	if a.unit >= 0 && a.Control.Values.Unit == a.spec.Pieces[a.unit].Name && t.Problem.None() && phase.Problem.None() {
		m.Value = bounded(t.Value)
	}
	if k == 0 {
		w.Regression = m
		return
	}
	w.Phases = append(w.Phases, PhaseWorth{Phase: phase.Phase, Measured: m})
}

// bounded returns the interval if its bounds are finite, otherwise nil.
func bounded(i *stats.Interval) *stats.Interval {
	if i == nil || !finite(*i) {
		return nil
	}
	return i
}

// relation says how both scores of a comparison relate.
func (c *Comparison) relation() Relation {
	switch {
	case c == nil || c.Problem != NoProblem:
		return Alone
	case c.Adjusted <= significant && c.Difference.Estimate > 0:
		return RegressionMore
	case c.Adjusted <= significant:
		return RegressionLess
	case c.Difference.Low > -AgreeMargin && c.Difference.High < AgreeMargin:
		return Agree
	}
	return Open
}

// until describes the end of an experiment with a precision, or returns nil.
func (a *analysis) until(r *Report) *Until {
	if a.Until == nil {
		return nil
	}
	u := &Until{Precision: *a.Until, Open: []int{}}
	for i := range r.Handicaps {
		if !a.Until.Reached(&r.Handicaps[i]) {
			u.Open = append(u.Open, i)
		}
	}
	return u
}

// Reached reports whether the interval of an effect is narrow enough.
func (p *Precision) Reached(e *Effect) bool {
	i := e.Value
	if p.Points {
		i = &e.Loss
	}
	return e.Games > 0 && i != nil && i.Estimate-i.Low <= p.Within && i.High-i.Estimate <= p.Within
}
