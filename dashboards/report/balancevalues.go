package report

import (
	"fmt"
	"io"
	"math"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/balance"
)

func balanceValues(p *Page, v *balance.Values) {
	p.heading(2, "Values")
	if len(v.Phases) == 0 {
		p.say(v.Answer)
		return
	}
	p.say(fmt.Sprintf("In units of %s, from %s; clusters are %s.", v.Unit, number(v.Games, "game"), v.Clusters))
	p.explain("A value says how much better the results were of who was one piece of a type ahead, all other counts being equal, " +
		"in units of what one piece of another type did. It is an association: who is one ahead may also stand better. " +
		"It holds for these agents, who may not use every piece as well as it could be used.")
	for i := range v.Phases {
		balancePhase(p, v.Unit, &v.Phases[i])
	}
	balanceForecast(p, v.Forecast)
}

func balancePhase(p *Page, unit string, v *balance.PhaseValues) {
	p.heading(3, fmt.Sprintf("%s: n = %s in %s", v.Phase, number(v.Rows, "position"), number(v.Clusters, "cluster")))
	if v.Answer != "" {
		p.say(v.Answer)
	}
	if len(v.Types) == 0 {
		return
	}
	t := Table{
		Columns: []string{"one more", "worth", "score when else even", "log odds", "VIF", ""},
		Caption: "Worth is the ratio of the logarithms of odds. VIF is by how much the other types inflate the variance: from 10 on a value is chance and left out.",
	}
	var list []plot.Estimate
	row := func(name string, x *balance.TypeValue) {
		value, score, odds := "none", "", ""
		switch {
		case x.Value == nil:
		case x.Type == unit:
			value = "1, the unit"
		case math.IsInf(x.Value.Low, -1) && math.IsInf(x.Value.High, 1):
			value = "not told"
		default:
			value = numberCell(*x.Value)
			list = append(list, plot.Estimate{Name: name, Interval: *x.Value})
		}
		if x.Score != nil {
			score, odds = shareCell(*x.Score), numberCell(x.LogOdds)
		}
		t.Rows = append(t.Rows, []string{name, value, score, odds, inflation(x.VIF), x.Problem})
	}
	for i := range v.Types {
		name := v.Types[i].Type
		if v.Types[i].Counted {
			name = "in " + name
		}
		row(name, &v.Types[i])
	}
	row("being to move", v.Turn)
	for i := range v.Agents {
		row(fmt.Sprintf("being %s, not %s", v.Agents[i].Type, v.Reference), &v.Agents[i])
	}
	p.add(t)
	if v.Even.N > 0 {
		p.say(fmt.Sprintf("From positions with equal counts the first player scored %s, n = %s.", shareCell(v.Even), Count(v.Even.N)))
	} else {
		p.say("No sampled position has equal counts.")
	}
	if len(list) > 0 {
		p.add(Figure{
			Draw: func(w io.Writer) error {
				return plot.Estimates(w, fmt.Sprintf("Values, %s\nn = %s positions", v.Phase, Count(v.Rows)), "worth in units of "+unit, 1, list)
			},
			Table: Table{Caption: "Values with 95 % intervals beside that of the unit, the broken line; those without bounds are left out. Intervals that overlap do not show that two values are equal."},
			Known: true,
		})
	}
}

// inflation writes a variance inflation.
func inflation(vif float64) string {
	if vif >= 1000 {
		return "over 1,000"
	}
	return fmt.Sprintf("%.1f", vif)
}

func balanceForecast(p *Page, f *balance.Forecast) {
	if f == nil {
		return
	}
	p.heading(3, fmt.Sprintf("Forecasts of results by counts, fitted to %s positions, judged on %s of other games", Count(f.Fitted), Count(f.Judged)))
	p.add(Table{
		Columns: []string{"score, less is better", "counts", "null: frequencies", "gain"},
		Rows: [][]string{
			{"Brier", numberCell(f.Brier), numberCell(f.NullBrier), numberCell(f.BrierGain)},
			{"logarithmic", numberCell(f.Log), numberCell(f.NullLog), numberCell(f.LogGain)},
		},
		Caption: "A gain above 0 says that counts foretell results of games that were not used to find the values. Where it is small, little of the game is decided by counts at the time.",
	})
	t := Table{
		Columns: []string{"expected score", "mean expected", "what came", "n"},
		Caption: fmt.Sprintf("Where scores were expected, what came, from n = %s positions of games that were not fitted, with 95 %% intervals. "+
			"Far from the diagonal, values tell too much or too little.", Count(f.Judged)),
	}
	var points []plot.CurvePoint
	for _, c := range f.Calibration {
		t.Rows = append(t.Rows, []string{fmt.Sprintf("%.0f to %.0f %%", 100*c.Low, 100*c.High), fmt.Sprintf("%.1f %%", 100*c.Expected), shareCell(c.Score), Count(c.Score.N)})
		points = append(points, plot.CurvePoint{X: c.Expected, Interval: c.Score})
	}
	p.add(t)
	p.add(Figure{
		Draw: func(w io.Writer) error {
			return plot.Calibration(w, fmt.Sprintf("Calibration, n = %s positions", Count(f.Judged)), "expected score of the first player", "score that came", points)
		},
		Table: Table{Caption: t.Caption}, Known: true,
	})
}
