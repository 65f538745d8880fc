package report

import (
	"fmt"
	"io"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/balance"
)

func balanceValues(p *Page, v *balance.Values) {
	p.heading(2, "Values")
	if len(v.Phases) == 0 {
		p.say(valuesAnswer(v))
		return
	}
	p.say(fmt.Sprintf("Values are in units of %s, from %s; clusters are %s.", v.Unit, number(v.Games, "game"), v.Clusters))
	p.explain("The value of a type is the advantage of a side that is one piece ahead in it, with all other counts equal, " +
		"relative to that of one piece of the unit. It is an association: the side that is ahead may also be better off in other ways. " +
		"It holds for these agents, which may not use every piece as well as possible.")
	for i := range v.Phases {
		balancePhase(p, v.Unit, &v.Phases[i])
	}
	balanceForecast(p, v.Forecast)
}

func balancePhase(p *Page, unit string, v *balance.PhaseValues) {
	p.heading(3, fmt.Sprintf("%s: n = %s in %s", v.Phase, number(v.Rows, "position"), number(v.Clusters, "cluster")))
	if answer := phaseAnswer(v.Problem); answer != "" {
		p.say(answer)
	}
	if len(v.Types) == 0 {
		return
	}
	t := Table{
		Columns: []string{"one more", "value", "score if otherwise even", "log odds", "VIF", ""},
		Caption: "The value is the ratio of log odds. VIF is the factor by which the other types inflate the variance; if it is 10 or more, the value is omitted.",
	}
	var list []plot.Estimate
	row := func(name string, x *balance.TypeValue) {
		value, score, odds := valueCell(x.Value, x.Type == unit), "", ""
		if x.Value != nil && x.Type != unit && value != "no bounds" {
			list = append(list, plot.Estimate{Name: name, Interval: *x.Value})
		}
		if x.Score != nil {
			score, odds = shareCell(*x.Score), numberCell(x.LogOdds)
		}
		t.Rows = append(t.Rows, []string{name, value, score, odds, inflation(x.VIF), problemText(x.Problem)})
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
		p.say(fmt.Sprintf("In positions with equal counts the first player scored %s, n = %s.", shareCell(v.Even), Count(v.Even.N)))
	} else {
		p.say("No sampled position has equal counts.")
	}
	p.estimates(fmt.Sprintf("Values, %s\nn = %s positions", v.Phase, Count(v.Rows)), "value in units of "+unit, 1, list,
		"Values with 95 % confidence intervals; the broken line is the unit. Values without bounds are omitted. Overlapping intervals do not show that two values are equal.")
}

// inflation formats a variance inflation factor.
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
	p.heading(3, fmt.Sprintf("Forecasts of results from counts, fitted to %s positions, evaluated on %s of other games", Count(f.Fitted), Count(f.Judged)))
	p.add(Table{
		Columns: []string{"score (lower is better)", "counts", "null: frequencies", "gain"},
		Rows: [][]string{
			{"Brier", numberCell(f.Brier), numberCell(f.NullBrier), numberCell(f.BrierGain)},
			{"logarithmic", numberCell(f.Log), numberCell(f.NullLog), numberCell(f.LogGain)},
		},
		Caption: "A gain above 0 shows that counts help to forecast the results of games that were not used to fit the values. If it is small, counts explain little of the result.",
	})
	t := Table{
		Columns: []string{"expected score", "mean expected", "observed", "n"},
		Caption: fmt.Sprintf("Expected and observed scores in n = %s positions of games that were not fitted, with 95 %% confidence intervals. "+
			"Points far from the diagonal show that the values claim too much or too little.", Count(f.Judged)),
	}
	var points []plot.CurvePoint
	for _, c := range f.Calibration {
		t.Rows = append(t.Rows, []string{fmt.Sprintf("%.0f to %.0f %%", 100*c.Low, 100*c.High), fmt.Sprintf("%.1f %%", 100*c.Expected), shareCell(c.Score), Count(c.Score.N)})
		points = append(points, plot.CurvePoint{X: c.Expected, Interval: c.Score})
	}
	p.add(t)
	p.draw(t.Caption, func(w io.Writer) error {
		return plot.Calibration(w, fmt.Sprintf("Calibration, n = %s positions", Count(f.Judged)), "expected score of the first player", "observed score", points)
	})
}
