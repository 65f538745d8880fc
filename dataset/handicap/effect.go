package handicap

import (
	"cmp"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// report makes the report from the counted games.
func (a *analysis) report() *Report {
	r := &Report{
		Variant: a.Variant.Name, Digest: a.Variant.Digest, Rules: a.Variant.Rules, Players: a.spec.Players, Agent: a.Agent, Handicaps: []Effect{},
	}
	if a.unit >= 0 {
		r.Unit = a.spec.Pieces[a.unit].Name
	}
	if c := a.Control; c != nil {
		same := !slices.ContainsFunc(c.Data.Agents, func(agent string) bool { return agent != a.Agent })
		r.Control = &Control{Data: c.Data, First: c.Seats.First.Score, SameAgent: same && len(c.Data.Agents) > 0, SameOpenings: a.SameOpenings}
	}
	for i := range a.Played {
		r.Handicaps = append(r.Handicaps, a.effect(i, r.Control))
	}
	r.Curves = curves(a.Played)
	a.adjust(r)
	for i := range r.Handicaps {
		e, m := &r.Handicaps[i], a.Played[i].Measures
		e.Detectable = m.detectable(a.tests())
		if e.Adjusted > significant {
			e.Needed = m.needed(e.Loss.Estimate, a.tests())
		}
	}
	for i := range r.Handicaps {
		if c := r.Handicaps[i].Regression; c != nil && c.relation() == Open {
			c.Needed = a.Played[i].Measures.agreed(c)
		}
	}
	r.Worth = a.worths(r)
	r.Until = a.until(r)
	r.Notes = a.notes(r)
	return r
}

// effect makes the effect of a handicap, without the fields that depend on other effects.
func (a *analysis) effect(i int, control *Control) Effect {
	of := &a.Played[i]
	h, m := of.Handicap, of.Measures
	e := Effect{
		Type: h.Type, Attribute: h.Change.Attribute, By: h.Change.By, Last: h.Change.Last, Arms: m.data,
		Games: m.decided(), Truncated: m.truncated, Failed: m.failed, Distinct: m.distinct, Early: m.early, Openings: m.openings,
		Score: of.score(stats.Level), None: of.levels().Significance(m.loss),
	}
	e.Loss = less(0.5, e.Score)
	e.Elo, e.LogOdds = other(e.Score).Elo(), other(e.Score).LogOdds()
	if t := a.pieceType(h.Type); t >= 0 {
		e.Counted = a.spec.Pieces[t].MaxCount > 1
	}
	for p := range e.Seats {
		seat := &m.seats[p]
		e.Seats[p] = Seat{
			Player: a.spec.Players[p], Wins: seat.counts[2], Draws: seat.counts[1], Losses: seat.counts[0], Score: of.repeated(seat.score.Interval, stats.Level),
		}
		if control != nil && control.SameAgent && control.SameOpenings && control.First.N > 0 && seat.games() > 0 {
			own := control.First
			if env.Player(p) == env.Second {
				own = other(own)
			}
			loss := stats.Difference(own, e.Seats[p].Score)
			e.Seats[p].Loss = &loss
		}
	}
	a.value(i, &e)
	if h.Change.Removal() {
		e.Regression = a.compare(h.Type, &e)
	}
	return e
}

// loss returns ½ minus the score.
func (m *Measures) loss(level float64) stats.Interval {
	return less(0.5, m.score(level))
}

// other returns the score of the other side.
func other(i stats.Interval) stats.Interval { return less(1, i) }

// less returns x − i.
func less(x float64, i stats.Interval) stats.Interval {
	i.Estimate, i.Low, i.High = x-i.Estimate, x-i.High, x-i.Low
	return i
}

// value sets the loss in units.
func (a *analysis) value(i int, e *Effect) {
	unit := -1
	if a.unit >= 0 {
		unit = a.removal(a.spec.Pieces[a.unit].Name)
	}
	switch {
	case a.unit < 0:
		e.Problem = NoUnit
	case unit < 0:
		e.Problem = UnitNotPlayed
	case !a.Played[i].Measures.enough():
		e.Problem = FewResults
	case !a.Played[unit].Measures.enough():
		e.Problem = UnitFewResults
	case unit == i:
		e.Value = &stats.Interval{Estimate: 1, Low: 1, High: 1, Level: stats.Level, N: e.Games, Method: "the unit"}
	default:
		of := a.Played[unit].logOdds()
		switch {
		case of.High < 0:
			e.Problem = UnitHelps
			return
		case of.Low <= 0:
			e.Problem = UnitUncertain
			return
		}
		if value := stats.Ratio(e.LogOdds, of); finite(value) {
			e.Value = &value
			return
		}
		e.Problem = Unbounded
	}
}

// compare compares the score of a side with one piece more with the regression's.
func (a *analysis) compare(name string, e *Effect) *Comparison {
	c := &Comparison{Regression: nothing(), Causal: other(e.Score), Difference: nothing(), Same: stats.Test{P: 1}, Adjusted: 1}
	if a.Control == nil {
		c.Problem = NoControl
		return c
	}
	c.Missing = a.Control.Values.Problem()
	var score *stats.Interval
	if phases := a.Control.Values.Phases; len(phases) > 0 {
		for _, t := range phases[0].Types {
			if t.Type == name {
				score, c.Missing = t.Score, t.Problem
			}
		}
	}
	switch {
	case score == nil:
		c.Problem = NoRegression
		return c
	case !finite(*score):
		c.Problem = Unbounded
		return c
	}
	c.Regression = *score
	if e.Score.N == 0 {
		c.Problem = FewResults
		return c
	}
	c.Difference = stats.Difference(c.Regression, c.Causal)
	c.Same = stats.Implied(c.Difference, 0)
	return c
}

// nothing returns the interval of a number without data.
func nothing() stats.Interval {
	var none stats.Clusters
	return none.Interval(stats.Level)
}

func finite(i stats.Interval) bool {
	const most = 1e300
	return i.Low > -most && i.High < most
}

// tests returns the number of handicaps that are tested.
func (a *analysis) tests() int {
	n := 0
	for i := range a.Played {
		if a.Played[i].Measures.enough() {
			n++
		}
	}
	return n
}

// adjust sets the adjusted P values of the three families of tests.
func (a *analysis) adjust(r *Report) {
	var p []float64
	var at []*float64
	for i := range r.Handicaps {
		if r.Handicaps[i].Adjusted = 1; a.Played[i].Measures.enough() {
			p, at = append(p, r.Handicaps[i].None.P), append(at, &r.Handicaps[i].Adjusted)
		}
	}
	holm(p, at)
	p, at = nil, nil
	for i := range r.Handicaps {
		if c := r.Handicaps[i].Regression; c != nil && c.Problem == NoProblem {
			p, at = append(p, c.Same.P), append(at, &c.Adjusted)
		}
	}
	holm(p, at)
	p, at = nil, nil
	for i := range r.Curves {
		p, at = append(p, r.Curves[i].None.P), append(at, &r.Curves[i].Adjusted)
	}
	holm(p, at)
}

func holm(p []float64, dst []*float64) {
	for i, adjusted := range stats.Holm(p) {
		*dst[i] = adjusted
	}
}

// curves returns the curves of all attributes with two changes or more.
func curves(all []Played) []Curve {
	list := []Curve{}
	for i := range all {
		of := &all[i]
		same := func(p Played) bool { return p.Type == of.Type && p.Change.Attribute == of.Change.Attribute }
		if of.Change.Missing() || slices.IndexFunc(all, same) < i {
			continue
		}
		c := curve{Curve: Curve{Type: of.Type, Attribute: of.Change.Attribute}}
		c.add(0, func(level float64) stats.Interval {
			return stats.Interval{Estimate: 0.5, Low: 0.5, High: 0.5, Level: level, Method: "symmetry"}
		})
		for j := range all {
			if same(all[j]) && all[j].Measures.enough() {
				c.add(all[j].Change.By, all[j].score)
			}
		}
		if len(c.points) > 2 {
			list = append(list, c.finish())
		}
	}
	return list
}

// A curve is an unfinished Curve.
type curve struct {
	Curve
	points []curvePoint
}

type curvePoint struct {
	by    int
	score func(level float64) stats.Interval
}

func (c *curve) add(by int, score func(level float64) stats.Interval) {
	c.points = append(c.points, curvePoint{by, score})
}

func (c *curve) finish() Curve {
	slices.SortStableFunc(c.points, func(a, b curvePoint) int { return cmp.Compare(a.by, b.by) })
	for _, at := range c.points {
		c.Points = append(c.Points, Point{By: at.by, Score: at.score(stats.Level)})
	}
	first, last := c.points[0], c.points[len(c.points)-1]
	rise := func(level float64) stats.Interval {
		switch {
		case first.by == 0:
			return less(0, less(0.5, last.score(level)))
		case last.by == 0:
			return less(0.5, first.score(level))
		}
		return stats.Difference(last.score(level), first.score(level))
	}
	c.Rise, c.None = rise(stats.Level), stats.Significance(rise, 0)
	return c.Curve
}
