package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func balanceActivity(p *Page, a *balance.Activity) {
	p.heading(2, "What do the pieces do?")
	if answer := activityAnswer(a); answer != "" {
		p.say(answer)
		return
	}
	p.say(fmt.Sprintf("%s with %s turns by agents; mobility, first captures and lifetimes are from %s. %s",
		number(a.Games, "game"), Count(a.Turns), number(a.Sampled, "game"), firstCapture(a.FirstCapture)))
	balanceTurns(p, a)
	balanceExchanges(p, a)
	balanceKills(p, a)
	balanceSurvival(p, a)
}

func firstCapture(i stats.Interval) string {
	n := number(i.N, "game")
	if math.IsInf(i.Estimate, 1) {
		return fmt.Sprintf("The first capture has no median ply, because fewer than half of the games have a capture, n = %s.", n)
	}
	return fmt.Sprintf("The median ply of the first capture is %s after the opening, n = %s.", plyCell(i), n)
}

func balanceTurns(p *Page, a *balance.Activity) {
	t := Table{
		Columns: []string{"type", "turns per game", "share of turns", "legal actions per turn", "per piece and turn"},
		Caption: fmt.Sprintf("Both players together, n = %s games; legal actions are counted at one turn of each of %s sampled games. "+
			"Activity is not value.", Count(a.Games), Count(a.Sampled)),
	}
	shoots, enters := a.Types[0].Shots != nil, lives(a) // houses do not move
	if shoots {
		t.Columns = append(t.Columns, "shots per game")
	}
	if enters {
		t.Columns = append(t.Columns, "entries per game")
		t.Caption += " An entry is a move onto a square where an enemy piece stands at the start."
	}
	t.Rows = each(a.Types, func(x *balance.TypeActivity) []string {
		row := []string{x.Type, rateCell(x.Turns), shareCell(x.Share), rateCell(x.Mobility), rateCell(x.Each)}
		if shoots {
			row = append(row, rateCell(*x.Shots))
		}
		if enters {
			row = append(row, rateCell(x.Entries))
		}
		return row
	})
	p.add(t)
}

// lives reports whether there is a type whose pieces have lifetimes.
func lives(a *balance.Activity) bool {
	return slices.ContainsFunc(a.Types, func(x balance.TypeActivity) bool { return x.Survival != nil })
}

func balanceExchanges(p *Page, a *balance.Activity) {
	t := Table{
		Columns: []string{"type", "kills per game", "losses per game", "kills per loss", "value taken per value lost", "first contact, ply"},
		Caption: "Value taken and lost uses the values of the whole game. First contact is the median ply after the opening at which a piece of the type first takes or is taken; " +
			"games that end before it count as censored, so the median may describe only the few long games.",
		Rows: each(a.Types, func(x *balance.TypeActivity) []string {
			value := "none"
			if x.ValueALoss != nil {
				value = numberCell(*x.ValueALoss)
			}
			row := []string{x.Type, rateCell(x.Kills), rateCell(x.Losses), numberCell(x.KillsALoss), value, plyCell(x.FirstContact)}
			if x.Survival != nil {
				row = append(row, plyCell(x.Survival.Median), Count(x.Survival.Median.N))
			}
			return row
		}),
	}
	if lives(a) {
		t.Columns = append(t.Columns, "half-life, plies", "n pieces")
		t.Caption += " The half-life is the median lifetime; pieces alive at the end of a game count as censored."
	}
	p.add(t)
	balanceMultiples(p, a)
}

// balanceMultiples adds the table of turns that take several pieces at once, under the
// rules' word for them, if there are any.
func balanceMultiples(p *Page, a *balance.Activity) {
	if !slices.ContainsFunc(a.Types, func(x balance.TypeActivity) bool { return x.Multiples.Estimate > 0 }) {
		return
	}
	p.add(Table{
		Columns: []string{cmp.Or(a.MultipleCapture, "turn") + "s that take several pieces", "per game", "share of turns that take", "n"},
		Caption: fmt.Sprintf("Both players together, n = %s games. In the last column, n is the number of turns in which the type takes.", Count(a.Games)),
		Rows: each(a.Types, func(x *balance.TypeActivity) []string {
			return []string{x.Type, rateCell(x.Multiples), shareCell(x.Multiple), Count(x.Multiple.N)}
		}),
	})
}

func balanceKills(p *Page, a *balance.Activity) {
	if len(a.Kills)+len(a.Faces) > 0 {
		p.heading(2, "Which pieces take which?")
	}
	if len(a.Kills) > 0 {
		p.add(Table{
			Columns: []string{"killer", "victim", "per game", "share of the killer's victims", "n"},
			Caption: "Pairs that do not occur are omitted. How often a type takes another depends on the number of pieces of both.",
			Rows: each(a.Kills, func(k *balance.Kills) []string {
				return []string{k.Killer, k.Victim, rateCell(k.PerGame), shareCell(k.Share), Count(k.Share.N)}
			}),
		})
		killMatrix(p, a)
	}
	if len(a.Faces) > 0 {
		p.add(Table{
			Columns: []string{"hit", "front", "side", "rear", "n"}, Caption: "The face that destroying shots hit, as shares of n hits.",
			Rows: each(a.Faces, func(f *balance.FaceHits) []string {
				return []string{f.Type, shareCell(f.Front), shareCell(f.Side), shareCell(f.Rear), Count(f.Front.N)}
			}),
		})
	}
}

// killMatrix adds the figure of which type takes which.
func killMatrix(p *Page, a *balance.Activity) {
	at := map[string]int{}
	m := plot.Matrix{
		Title: fmt.Sprintf("Pieces taken per game, n = %s games", Count(a.Games)), Rows: "killer", Columns: "victim",
	}
	for i := range a.Types {
		at[a.Types[i].Type] = i
		m.Names = append(m.Names, a.Types[i].Type)
		m.Cells = append(m.Cells, make([]float64, len(a.Types)))
	}
	for _, k := range a.Kills {
		m.Cells[at[k.Killer]][at[k.Victim]] = k.PerGame.Estimate
	}
	p.draw(fmt.Sprintf("Mean number of pieces of one type that another takes per game, both players together, n = %s games. The table above has the intervals. "+
		"Darker cells have more captures, and empty cells have none. A type that is often met is often taken: the numbers do not show what is worth taking.", Count(a.Games)), m.Draw)
}

func balanceSurvival(p *Page, a *balance.Activity) {
	c := curves{
		title: fmt.Sprintf("Survival by type, n = %s games", Count(a.Sampled)), x: "plies after the opening", y: "share alive",
		columns: []string{"type", "ply", "alive", "n pieces at risk"},
	}
	for i := range a.Types {
		x := &a.Types[i]
		if x.Survival == nil || len(x.Survival.Points) == 0 {
			continue
		}
		c.begin(x.Type)
		for _, at := range x.Survival.Points {
			c.point(at.Ply, at.Share, x.Type, Count(int64(at.Ply)), shareCell(at.Share))
		}
	}
	if len(c.list) > 0 {
		p.heading(2, "How long do the pieces live?")
	}
	p.curves(&c, fmt.Sprintf("Share of pieces that live beyond a ply after the opening, with 95 %% confidence intervals, n = %s games. "+
		"Pieces at risk are those observed alive until the ply. "+
		"Pieces are observed until the end of their game, so the late part of a curve describes long games. A curve ends when fewer than 10 games are still in progress.", Count(a.Sampled)))
}
