package report

import (
	"fmt"
	"io"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
)

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
	p.add(Figure{
		Draw: func(w io.Writer) error {
			return plot.Results(w, "Who won", []plot.Result{result("these", s.Games, &s.First), result(a.Name, a.Games, &a.First)})
		},
		Table: Table{Caption: fmt.Sprintf("Shares of games that the first player won, that were drawn and that the second player won: n = %s games here, n = %s of %s. "+
			"The table has their intervals. The figure does not show the cause of a difference.", Count(s.Games), Count(a.Games), a.Name)},
		Known: true,
	})
}
