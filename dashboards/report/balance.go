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
	p := &Page{Title: "Balance of " + r.Variant}
	p.say(fmt.Sprintf("rules: %s", r.Digest))
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
	p.heading(2, "Seats")
	p.say(seatAnswer(s, players))
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
	t.Rows = append(t.Rows, []string{"difference", "", differenceCell(a.Score, true), differenceCell(a.Win, true), differenceCell(a.Draw, true), differenceCell(a.Loss, true)})
	p.add(t)
	result := func(name string, n int64, o *dataset.Outcome) plot.Result {
		return plot.Result{Name: fmt.Sprintf("%s, n = %s", name, Count(n)), Won: o.Win.Estimate, Drawn: o.Draw.Estimate, Lost: o.Loss.Estimate}
	}
	p.draw(fmt.Sprintf("Shares of games that the first player won, that were drawn and that the second player won: n = %s games here, n = %s of %s. "+
		"The table has their intervals. The figure does not show the cause of a difference.", Count(s.Games), Count(a.Games), a.Name), func(w io.Writer) error {
		return plot.Results(w, "Who won", []plot.Result{result("these", s.Games, &s.First), result(a.Name, a.Games, &a.First)})
	})
}
