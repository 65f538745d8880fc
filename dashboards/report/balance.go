package report

import (
	"fmt"
	"io"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/balance"
)

// Balance makes the page of a report on balance.
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
	for _, note := range r.Notes {
		p.say("note: " + note)
	}
	p.explain("Numbers are estimates, with the interval in brackets that would hold the truth in 19 of 20 such analyses; " +
		"n is what a number rests on. Each interval is for itself: of twenty, one misses. An interval that holds 0 where a difference is told, " +
		"or 1 where a ratio is, shows nothing either way: it does not show that there is no difference.")
	balanceSeats(p, r.Seats)
	balanceValues(p, r.Values)
	balanceActivity(p, r.Activity)
	balancePlacement(p, r.Placement, r.Activity.Answer == "")
	p.say("")
	p.say("In brackets 95 % intervals; n is what a number rests on.")
	p.method(balanceMethods())
	return p
}

func balanceSeats(p *Page, s *balance.Seats) {
	p.heading(2, "Seats")
	p.say(s.Answer)
	if s.Games == 0 {
		return
	}
	p.say(fmt.Sprintf("Were the seats even, a score at least as far from 50 %% would come with probability %s.", probability(s.Even.P)))
	t := Table{
		Columns: []string{"games", "n", "share", "first player's score", "won", "drawn", "lost", "decided"},
		Caption: "The score counts a win 1 and a draw ½; lengths are with the opening. Games of one length, or one end, are what they are because of how they went: " +
			"their scores say when a seat wins, not why.",
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
	p.add(Figure{
		Draw: func(w io.Writer) error {
			return plot.Scores(w, fmt.Sprintf("The first player's score by length, n = %s games", Count(s.Games)), list)
		},
		Table: Table{Caption: "The first player's score, ½ being even, in all games and by length, with 95 % intervals. It says nothing of other agents."},
		Known: true,
	})
	balanceAgainst(p, s)
}
