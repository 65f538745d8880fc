package report

import (
	"fmt"
	"io"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
)

// Balance returns the page of a report on balance.
func Balance(r *balance.Report) *Page {
	p := ofRules("Balance of "+r.Variant, r.Digest)
	d := &r.Data
	for _, s := range d.Sources {
		p.say(fmt.Sprintf("data: %s, run %s: %s", s.Dir, s.Run, number(s.Episodes, "game")))
	}
	unit := "independent game"
	if d.Paired {
		unit = "independent pair"
	}
	p.say(fmt.Sprintf("games: %s, %s plies, in %s; a sample of %s", Count(d.Episodes), Count(d.Plies), number(d.Clusters, unit), Count(d.Sampled)))
	for _, note := range balanceNotes(d) {
		p.say("note: " + note)
	}
	p.explain("Numbers are estimates, with 95 % confidence intervals in brackets; n is the number of observations. " +
		"On average, 19 of 20 intervals contain the true value; they are not adjusted for their number. " +
		"If the interval of a difference includes 0, or that of a ratio includes 1, the data do not show a difference; they do not show equality either.")
	balanceSeats(p, r.Seats, r.Players)
	balanceValues(p, r.Values)
	balanceActivity(p, r.Activity)
	balancePlacement(p, r.Placement, r.Activity)
	p.say("")
	p.say("Brackets show 95 % confidence intervals; n is the number of observations.")
	p.method(methodSection("Balance of data sets"))
	return p
}

func balanceSeats(p *Page, s *balance.Seats, players [2]string) {
	p.section("Seats", seatAnswer(s, players))
	if s.Games == 0 {
		return
	}
	p.say(fmt.Sprintf("If the seats were even, a score at least as far from 50 %% would have probability %s.", probability(s.Even.P)))
	t := Table{
		Columns: []string{"games", "n", "share", "first player's score", "won", "drawn", "lost", "decided"},
		Caption: "The score counts a win as 1 and a draw as ½. Lengths include the opening. The length and the end of a game depend on how it went, " +
			"so the scores of these classes show in which games a seat wins, not why.",
	}
	row := func(c *balance.ClassSeats, share string) {
		f := &c.First
		t.Rows = append(t.Rows, []string{reasonName(c.Class, c.HouseRule), Count(c.Games), share, scoreCell(f.Score, c.Games, f.Draws), shareCell(f.Win), shareCell(f.Draw), shareCell(f.Loss), shareCell(c.Decisive)})
	}
	row(&balance.ClassSeats{Class: "all", Games: s.Games, First: s.First, Decisive: s.Decisive}, "")
	for _, list := range [][]balance.ClassSeats{s.ByLength, s.ByReason} {
		t.Rows = append(t.Rows, nil)
		for i := range list {
			row(&list[i], shareCell(list[i].Share))
		}
	}
	p.add(t)
	list := []plot.Estimate{{Name: "all", Interval: s.First.Score}}
	for i := range s.ByLength {
		list = append(list, plot.Estimate{Name: s.ByLength[i].Class, Interval: s.ByLength[i].First.Score})
	}
	p.draw("The first player's score in all games and by length, with 95 % confidence intervals; 50 % is even. It does not generalise to other agents.", func(w io.Writer) error {
		return plot.Scores(w, fmt.Sprintf("The first player's score by length, n = %s games", Count(s.Games)), list)
	})
	balanceAgainst(p, s, players)
}

// balanceAgainst adds the comparison with results from elsewhere, if there is one.
func balanceAgainst(p *Page, s *balance.Seats, players [2]string) {
	a := s.Against
	if a == nil {
		return
	}
	p.heading(3, "Compared with "+a.Name)
	p.say(againstAnswer(s, players))
	p.say(fmt.Sprintf("If the shares of won, drawn and lost games were equal, a difference at least as great would have probability %s (%s).", probability(a.Same.P), a.Same.Method))
	for _, text := range againstAssumptions(a.Name) {
		p.say("note: " + text)
	}
	t := Table{
		Columns: []string{"games", "n", "first player's score", "won", "drawn", "lost"},
		Caption: "Differences are these games minus those of " + a.Name + ", in percentage points. A difference whose interval includes 0 is not significant.",
	}
	row := func(name string, n int64, o *dataset.Outcome) {
		t.Rows = append(t.Rows, []string{name, Count(n), shareCell(o.Score), shareCell(o.Win), shareCell(o.Draw), shareCell(o.Loss)})
	}
	row("these", s.Games, &s.First)
	row(a.Name, a.Games, &a.First)
	t.Rows = append(t.Rows, []string{"difference", "", pointsCell(a.Score), pointsCell(a.Win), pointsCell(a.Draw), pointsCell(a.Loss)})
	p.add(t)
	result := func(name string, n int64, o *dataset.Outcome) plot.Result {
		return plot.Result{Name: fmt.Sprintf("%s, n = %s", name, Count(n)), Won: o.Win.Estimate, Drawn: o.Draw.Estimate, Lost: o.Loss.Estimate}
	}
	p.draw(fmt.Sprintf("Shares of games that the first player won, that were drawn and that the second player won: n = %s games here, n = %s of %s. "+
		"The table has their intervals. The figure does not show the cause of a difference.", Count(s.Games), Count(a.Games), a.Name), func(w io.Writer) error {
		return plot.Results(w, "Who won", []plot.Result{result("these", s.Games, &s.First), result(a.Name, a.Games, &a.First)})
	})
}

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
