package report

import (
	"fmt"
	"io"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
)

// balanceAgainst tells the results beside those from elsewhere, where there are some.
func balanceAgainst(p *Page, s *balance.Seats) {
	a := s.Against
	if a == nil {
		return
	}
	p.heading(3, "Beside "+a.Name)
	p.say(a.Answer)
	p.say(fmt.Sprintf("Had both the same shares of won, drawn and lost games, they would differ as much or more with probability %s (%s).", probability(a.Same.P), a.Same.Method))
	for _, text := range a.Assumptions {
		p.say("note: " + text)
	}
	t := Table{
		Columns: []string{"games", "n", "first player's score", "won", "drawn", "lost"},
		Caption: "Differences are in points of the share: of these games less those of " + a.Name + ". One whose interval holds 0 is not shown.",
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
		Table: Table{Caption: fmt.Sprintf("Shares of games that the first player won, that were drawn and that the second player won: of n = %s here and n = %s of %s. "+
			"Their intervals are in the table; what makes a difference is not told by it.", Count(s.Games), Count(a.Games), a.Name)},
		Known: true,
	})
}
