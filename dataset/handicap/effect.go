package handicap

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// report tells of the games that were counted.
func (a *analysis) report() *Report {
	r := &Report{
		Variant: a.Variant.Name, Digest: a.Variant.Digest, Players: a.spec.Players, Agent: a.Agent,
		Handicaps: []Effect{}, Curves: []Curve{}, Notes: []string{},
	}
	if a.unit >= 0 {
		r.Unit = a.spec.Pieces[a.unit].Name
	}
	if c := a.Control; c != nil {
		same := !slices.ContainsFunc(c.Data.Agents, func(agent string) bool { return agent != a.Agent })
		r.Control = &Control{Data: c.Data, First: c.Seats.First.Score, SameAgent: same && len(c.Data.Agents) > 0, SameOpenings: a.SameOpenings}
	}
	for i := range a.Handicaps {
		r.Handicaps = append(r.Handicaps, a.effect(i, r.Control))
	}
	r.Curves = curves(a.Handicaps, a.games)
	a.adjust(r)
	for i := range r.Handicaps {
		e := &r.Handicaps[i]
		e.Detectable = a.games[i].detectable(a.tests())
		e.Answer = e.answer()
		if e.Regression != nil {
			e.Regression.Answer = e.Regression.answer()
		}
	}
	for i := range r.Curves {
		r.Curves[i].Answer = r.Curves[i].answer()
	}
	r.Answer = r.answer()
	a.notes(r)
	return r
}

// Name is what a handicap is called.
func (h *Handicap) Name() string {
	if h.Attribute == "" {
		return h.Type + " removed"
	}
	return fmt.Sprintf("%s %s%+d", h.Type, h.Attribute, h.By)
}

// effect tells of a handicap; what depends on the others is for later.
func (a *analysis) effect(i int, control *Control) Effect {
	h, g := &a.Handicaps[i], a.games[i]
	e := Effect{
		Name: h.Name(), Type: h.Type, Attribute: h.Attribute, By: h.By, Arms: []Data{},
		Games: g.decided(), Truncated: g.truncated, Failed: g.failed, Distinct: g.distinct, Openings: g.openings,
		Score: g.score(stats.Level), Loss: g.loss(stats.Level), None: stats.Significance(g.loss, 0),
	}
	e.Elo, e.LogOdds = other(e.Score).Elo(), other(e.Score).LogOdds()
	if t := a.pieceType(h.Type); t >= 0 {
		e.Counted = a.spec.Pieces[t].MaxCount > 1
	}
	if e.Counted && e.Attribute == "" {
		e.Name = h.Type + ", one less in it"
	}
	for j := range h.Arms {
		s := h.Arms[j].Source.Settings
		e.Arms = append(e.Arms, Data{
			Dir: h.Arms[j].Source.Name, Variant: s.Variant, Digest: s.Digest, Run: s.Run(), Seed: s.Seed,
			Episodes: cmp.Or(h.Arms[j].Episodes, h.Arms[j].Source.Count),
		})
	}
	for p := range e.Seats {
		seat := &g.seats[p]
		e.Seats[p] = Seat{
			Player: a.spec.Players[p], Wins: seat.counts[2], Draws: seat.counts[1], Losses: seat.counts[0], Score: seat.score.Interval(stats.Level),
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
	if h.Attribute == "" {
		e.Regression = a.compare(h.Type, &e)
	}
	return e
}

// loss is ½ less the score.
func (g *games) loss(level float64) stats.Interval {
	i := g.score(level)
	return less(0.5, i)
}

// other is the other side's score.
func other(i stats.Interval) stats.Interval { return less(1, i) }

func less(x float64, i stats.Interval) stats.Interval {
	i.Estimate, i.Low, i.High = x-i.Estimate, x-i.High, x-i.Low
	return i
}

// value tells the loss in units.
func (a *analysis) value(i int, e *Effect) {
	unit := -1
	if a.unit >= 0 {
		unit = a.removal(a.spec.Pieces[a.unit].Name)
	}
	switch {
	case a.unit < 0:
		e.Problem = "no removal of a piece was played that could be the unit"
	case unit < 0:
		e.Problem = fmt.Sprintf("no games were played without the unit, %s", a.spec.Pieces[a.unit].Name)
	case !a.games[i].told():
		e.Problem = "there are too few games with a result"
	case !a.games[unit].told():
		e.Problem = "there are too few games with a result without the unit"
	case unit == i:
		e.Value = &stats.Interval{Estimate: 1, Low: 1, High: 1, Level: stats.Level, N: e.Games, Method: "the unit"}
	default:
		of := other(a.games[unit].score(stats.Level)).LogOdds()
		switch {
		case of.High < 0:
			e.Problem = fmt.Sprintf("to lack the unit, %s, helps: take another unit", a.spec.Pieces[a.unit].Name)
			return
		case of.Low <= 0:
			e.Problem = fmt.Sprintf("the loss of the unit, %s, is not told apart from nothing: take another unit, or more games", a.spec.Pieces[a.unit].Name)
			return
		}
		if value := stats.Ratio(e.LogOdds, of); finite(value) {
			e.Value = &value
			return
		}
		e.Problem = "one side wins everything: odds without end have no ratio"
	}
}

// compare puts the score of who has one more beside that of the regression.
func (a *analysis) compare(name string, e *Effect) *Comparison {
	c := &Comparison{Regression: nothing(), Causal: other(e.Score), Difference: nothing(), Same: stats.Test{P: 1}, Adjusted: 1}
	if a.Control == nil {
		c.Problem = "there are no games of the unchanged rules"
		return c
	}
	var value *balance.TypeValue
	if phases := a.Control.Values.Phases; len(phases) > 0 {
		for t := range phases[0].Types {
			if phases[0].Types[t].Type == name {
				value = &phases[0].Types[t]
			}
		}
	}
	switch {
	case value == nil:
		c.Problem = cmp.Or(a.Control.Values.Problem().String(), "the regression has no such type")
		return c
	case value.Score == nil:
		c.Problem = value.Problem.String()
		return c
	case !finite(*value.Score):
		c.Problem = "the regression does not bound it"
		return c
	}
	c.Regression = *value.Score
	if e.Score.N == 0 {
		c.Problem = "a seat has no game with a result"
		return c
	}
	c.Difference = stats.Difference(c.Regression, c.Causal)
	c.Same = stats.Implied(c.Difference, 0)
	return c
}

// nothing is the interval of what there is none of.
func nothing() stats.Interval {
	var none stats.Clusters
	return none.Interval(stats.Level)
}

func finite(i stats.Interval) bool {
	const most = 1e300
	return i.Low > -most && i.High < most
}

// tests is how many handicaps have games to test.
func (a *analysis) tests() int {
	n := 0
	for _, g := range a.games {
		if g.told() {
			n++
		}
	}
	return n
}

// adjust fills in what a P is when all tests of its kind are counted.
func (a *analysis) adjust(r *Report) {
	var p []float64
	var at []*float64
	for i := range r.Handicaps {
		if r.Handicaps[i].Adjusted = 1; a.games[i].told() {
			p, at = append(p, r.Handicaps[i].None.P), append(at, &r.Handicaps[i].Adjusted)
		}
	}
	holm(p, at)
	p, at = nil, nil
	for i := range r.Handicaps {
		if c := r.Handicaps[i].Regression; c != nil && c.Problem == "" {
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
