package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
)

// Balance returns the page of a report on balance.
func Balance(r *balance.Report) *Page {
	p := &Page{Title: "Balance of " + r.Variant, First: balanceFirst(r)}
	balanceSure(p, r)
	balanceSeats(p, &r.Data, r.Seats, r.Players)
	balanceEnds(p, r.Seats)
	balanceValues(p, r.Values)
	balanceActivity(p, r.Activity)
	balancePlacement(p, r)
	balanceData(p, r)
	p.methods()
	return p
}

// balanceSure says how sure the numbers are, and what to doubt.
func balanceSure(p *Page, r *balance.Report) {
	p.doubts(balanceNotes(&r.Data))
	p.sure()
}

// balanceData lists the data sets.
func balanceData(p *Page, r *balance.Report) {
	d := &r.Data
	p.heading(2, "Which games are these?")
	unit := "independent game"
	if d.Paired {
		unit = "independent pair"
	}
	p.say(fmt.Sprintf("%s, %s plies, in %s; a sample of %s", number(d.Episodes, "game"), Count(d.Plies), number(d.Clusters, unit), Count(d.Sampled)))
	p.add(Table{Columns: []string{"data set", "run", "seed", "games"}, Rows: each(d.Sources, func(s *balance.SourceData) []string {
		return []string{s.Dir, s.Run, fmt.Sprint(s.Seed), Count(s.Episodes)}
	})})
	p.say("agents: " + strings.Join(d.Agents, "; "))
	p.say(fmt.Sprintf("rules: %s, %s", r.Variant, r.Digest))
}

func balanceSeats(p *Page, d *balance.Data, s *balance.Seats, players [2]string) {
	answer := seatAnswer(s, players)
	if !d.MeasuresFirstMove() && s.Games > 0 {
		answer = moverSentence(s.SideToMove.Score)
	}
	p.section("Is it fair to move first?", answer)
	if s.Games == 0 {
		return
	}
	p.say(fmt.Sprintf("If the seats were even, a score at least as far from 50 %% would have probability %s.", probability(s.Even.P)))
	t := Table{
		Columns: []string{"games", "n", "first player's score", "won", "drawn", "lost", "decided"},
		Caption: "The score counts a win as 1 and a draw as ½. It does not generalise to other agents.",
	}
	t.Rows = [][]string{seatRow(&balance.ClassSeats{Class: "all", Games: s.Games, First: s.First, Decisive: s.Decisive})}
	if !d.FromStart {
		t.Columns[2] = "score"
		t.Rows[0][0] = "all, " + players[0]
		t.Rows = append(t.Rows, seatRow(&balance.ClassSeats{Class: "all, side to move after the opening", Games: s.Games, First: s.SideToMove, Decisive: s.Decisive}))
	}
	p.add(t)
	balanceAgainst(p, s, players)
}

// seatRow is the row of a class of games.
func seatRow(c *balance.ClassSeats) []string {
	f := &c.First
	return []string{reasonName(c.Class, c.HouseRule), Count(c.Games), scoreCell(f.Score, c.Games, f.Draws), shareCell(f.Win), shareCell(f.Draw), shareCell(f.Loss), shareCell(c.Decisive)}
}

// balanceEnds shows how long games last and how they end.
func balanceEnds(p *Page, s *balance.Seats) {
	if s.Games == 0 {
		return
	}
	p.section("How long are the games, and how do they end?", endsCaution)
	class := func(what string, classes []balance.ClassSeats) {
		p.add(Table{
			Columns: []string{what, "n", "share of games", "first player's score", "won", "drawn", "lost", "decided"},
			Rows: each(classes, func(c *balance.ClassSeats) []string {
				row := seatRow(c)
				return append([]string{row[0], row[1], shareCell(c.Share)}, row[2:]...)
			}),
		})
	}
	class("length, with the opening", s.ByLength)
	class("end", s.ByReason)
	list := each(s.ByLength, func(c *balance.ClassSeats) plot.Estimate {
		return plot.Estimate{Name: c.Class, Interval: c.First.Score}
	})
	p.draw("The first player's score by length, with 95 % confidence intervals; 50 % is even.", func(w io.Writer) error {
		return plot.Scores(w, fmt.Sprintf("The first player's score by length, n = %s games", Count(s.Games)), list)
	})
}

// endsCaution stands before scores that depend on the result of the game.
const endsCaution = "Read these scores with care: how long a game lasts and how it ends depend on who won. They show in which games a side wins, and not why."

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
		Caption: "Differences are these games minus those of " + a.Name + ", in percentage points. If the bounds lie on both sides of 0, there are too few games to tell.",
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
	p.heading(2, "What are the pieces worth?")
	if len(v.Phases) == 0 {
		p.say(valuesAnswer(v))
		return
	}
	p.say(fmt.Sprintf("Worths are in units of %s, from %s.", v.Unit, number(v.Games, "game")))
	p.explain("The worth of a type is the advantage of a side that is one piece ahead in it, with all other counts equal, " +
		"relative to that of one piece of the unit. It is an association: the side that is ahead may also be better off in other ways. " +
		"It holds for these agents, which may not use every piece as well as possible.")
	for i := range v.Phases {
		balancePhase(p, v, &v.Phases[i])
	}
	balanceForecast(p, v.Forecast)
}

func balancePhase(p *Page, values *balance.Values, v *balance.PhaseValues) {
	unit := values.Unit
	p.heading(3, fmt.Sprintf("%s: n = %s in %s independent %s", v.Phase, number(v.Rows, "position"), Count(v.Clusters), values.Clusters))
	if answer := phaseAnswer(v.Problem); answer != "" {
		p.say(answer)
	}
	if len(v.Types) == 0 {
		return
	}
	t := Table{
		Columns: []string{"one more", "worth", "score if otherwise even", "n", ""},
		Caption: "The score is that of the side that is one ahead. Where the counts of the other types almost determine a count, its worth is omitted.",
	}
	var list []plot.Estimate
	row := func(name string, x *balance.TypeValue) {
		value, score, n := valueCell(x.Value, x.Type == unit), "", ""
		if x.Value != nil && x.Type != unit && value != "no bounds" {
			list = append(list, plot.Estimate{Name: name, Interval: *x.Value})
		}
		if x.Score != nil {
			score, n = shareCell(*x.Score), Count(x.Score.N)
		}
		t.Rows = append(t.Rows, []string{name, value, score, n, problemText(x.Problem)})
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
	p.estimates(fmt.Sprintf("Worths, %s\nn = %s positions", v.Phase, Count(v.Rows)), "worth in units of "+unit, 1, list,
		"Worths with 95 % confidence intervals; the broken line is the unit. Worths without bounds are omitted. Overlapping intervals do not show that two worths are equal.")
}

func balanceForecast(p *Page, f *balance.Forecast) {
	if f == nil {
		return
	}
	p.heading(2, "How well do counts of pieces predict results?")
	p.say(fmt.Sprintf("Forecasts are fitted to %s positions and evaluated on %s of other games.", Count(f.Fitted), Count(f.Judged)))
	p.add(Table{
		Columns: []string{"error (lower is better)", "by counts", "by the average result", "gain", "n"},
		Rows: [][]string{
			{"Brier", numberCell(f.Brier), numberCell(f.NullBrier), numberCell(f.BrierGain), Count(f.BrierGain.N)},
			{"logarithmic", numberCell(f.Log), numberCell(f.NullLog), numberCell(f.LogGain), Count(f.LogGain.N)},
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
