package report

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func balanceActivity(p *Page, a *balance.Activity) {
	p.heading(2, "Activity")
	if a.Answer != "" {
		p.say(a.Answer)
		return
	}
	p.say(fmt.Sprintf("In %s, %s turns of agents; mobility, first captures and lifetimes in %s. %s",
		number(a.Games, "game"), Count(a.Turns), number(a.Sampled, "game"), firstCapture(a.FirstCapture)))
	balanceTurns(p, a)
	balanceExchanges(p, a)
	balanceKills(p, a)
	balanceSurvival(p, a)
}

func firstCapture(i stats.Interval) string {
	n := number(i.N, "game")
	if math.IsInf(i.Estimate, 1) {
		return fmt.Sprintf("It is not so that half the games have a capture, however long they last, n = %s.", n)
	}
	return fmt.Sprintf("Half the games have had a capture by ply %s after the opening, n = %s.", plyCell(i), n)
}

func balanceTurns(p *Page, a *balance.Activity) {
	t := Table{
		Columns: []string{"type", "turns a game", "share of turns", "legal actions a turn", "of one piece"},
		Caption: fmt.Sprintf("Both players together, from n = %s games; legal actions at one turn of each of %s sampled games. "+
			"What a type does is not what it is worth.", Count(a.Games), Count(a.Sampled)),
	}
	shoots, enters := a.Types[0].Shots != nil, false
	for i := range a.Types {
		enters = enters || a.Types[i].Survival != nil // a house goes nowhere
	}
	if shoots {
		t.Columns = append(t.Columns, "shots a game")
	}
	if enters {
		t.Columns = append(t.Columns, "entries to enemy's start a game")
		t.Caption += " An entry is a move to a square where the enemy's pieces stand at the start."
	}
	for i := range a.Types {
		x := &a.Types[i]
		row := []string{x.Type, rateCell(x.Turns), shareCell(x.Share), rateCell(x.Mobility), rateCell(x.Each)}
		if shoots {
			row = append(row, rateCell(*x.Shots))
		}
		if enters {
			row = append(row, rateCell(x.Entries))
		}
		t.Rows = append(t.Rows, row)
	}
	p.add(t)
}

func balanceExchanges(p *Page, a *balance.Activity) {
	t := Table{
		Columns: []string{"type", "kills a game", "losses a game", "kills a loss", "value taken a value lost", "first contact, ply"},
		Caption: "Value taken and lost is by the values of the whole game. First contact is the ply after the opening by which one has taken or was taken in half the games; " +
			"games that end before count as cut short, so it may speak of the few long games.",
	}
	lives := slices.ContainsFunc(a.Types, func(x balance.TypeActivity) bool { return x.Survival != nil }) // houses do not
	if lives {
		t.Columns = append(t.Columns, "half-life, plies", "n pieces")
		t.Caption += " The half-life is that beyond which half the pieces live, with those alive at the end of a game cut short likewise."
	}
	for i := range a.Types {
		x := &a.Types[i]
		value := "none"
		if x.ValueALoss != nil {
			value = numberCell(*x.ValueALoss)
		}
		row := []string{x.Type, rateCell(x.Kills), rateCell(x.Losses), numberCell(x.KillsALoss), value, plyCell(x.FirstContact)}
		if x.Survival != nil {
			row = append(row, plyCell(x.Survival.Median), Count(x.Survival.Median.N))
		}
		t.Rows = append(t.Rows, row)
	}
	p.add(t)
	balanceMultiples(p, a)
}

// balanceMultiples tells of turns that take several pieces at once, which most games
// do not have, by the word of the rules.
func balanceMultiples(p *Page, a *balance.Activity) {
	name := "turns that take several pieces"
	if a.MultipleCapture != "" {
		name = a.MultipleCapture + "s that take several pieces"
	}
	t := Table{
		Columns: []string{name, "a game", "share of the turns that take", "n"},
		Caption: fmt.Sprintf("Both players together, in n = %s games; in the last column n is of the turns in which the type took something.", Count(a.Games)),
	}
	seen := false
	for i := range a.Types {
		x := &a.Types[i]
		seen = seen || x.Multiples.Estimate > 0
		t.Rows = append(t.Rows, []string{x.Type, rateCell(x.Multiples), shareCell(x.Multiple), Count(x.Multiple.N)})
	}
	if seen {
		p.add(t)
	}
}

func balanceKills(p *Page, a *balance.Activity) {
	if len(a.Kills) > 0 {
		t := Table{
			Columns: []string{"who takes", "whom", "a game", "share of what it takes", "n"},
			Caption: "Pairs that do not occur are left out. How often a type takes another depends on how many there are of both.",
		}
		for _, k := range a.Kills {
			t.Rows = append(t.Rows, []string{k.Killer, k.Victim, rateCell(k.PerGame), shareCell(k.Share), Count(k.Share.N)})
		}
		p.add(t)
		p.add(killMatrix(a))
	}
	if len(a.Faces) > 0 {
		t := Table{Columns: []string{"hit", "in front", "on a side", "in the rear", "n"}, Caption: "Where shots hit that destroyed, as shares of n hits."}
		for _, f := range a.Faces {
			t.Rows = append(t.Rows, []string{f.Type, shareCell(f.Front), shareCell(f.Side), shareCell(f.Rear), Count(f.Front.N)})
		}
		p.add(t)
	}
}

// killMatrix draws who takes whom.
func killMatrix(a *balance.Activity) Figure {
	at := map[string]int{}
	m := plot.Matrix{
		Title: fmt.Sprintf("Who takes whom, pieces a game, n = %s games", Count(a.Games)), Rows: "who takes", Columns: "whom",
	}
	for i := range a.Types {
		at[a.Types[i].Type] = i
		m.Names = append(m.Names, a.Types[i].Type)
		m.Cells = append(m.Cells, make([]float64, len(a.Types)))
	}
	for _, k := range a.Kills {
		m.Cells[at[k.Killer]][at[k.Victim]] = k.PerGame.Estimate
	}
	return Figure{
		Draw: m.Draw,
		Table: Table{Caption: fmt.Sprintf("How many a type takes of another in a game, both players together, mean of n = %s games; their intervals are in the table above. "+
			"Darker is more, an empty cell never happened. Who is often taken is often met: it says nothing of what is worth taking.", Count(a.Games))},
		Known: true,
	}
}

func balanceSurvival(p *Page, a *balance.Activity) {
	f := Figure{Table: Table{
		Columns: []string{"type", "ply", "alive", "n pieces at risk"},
		Caption: fmt.Sprintf("The share of pieces that live beyond a ply after the opening, with 95 %% intervals, from n = %s games; "+
			"at risk are those that were alive and seen until then. "+
			"Beyond the end of a game its pieces are not seen: late parts of a curve speak of long games, and it ends where fewer than 10 still run.", Count(a.Sampled)),
	}}
	var curves []plot.Curve
	for i := range a.Types {
		x := &a.Types[i]
		if x.Survival == nil || len(x.Survival.Points) == 0 {
			continue
		}
		c := plot.Curve{Name: x.Type}
		for _, at := range x.Survival.Points {
			c.Points = append(c.Points, plot.CurvePoint{X: float64(at.Ply), Interval: at.Share})
			f.Table.Rows = append(f.Table.Rows, []string{x.Type, Count(int64(at.Ply)), shareCell(at.Share), Count(at.Share.N)})
		}
		curves = append(curves, c)
	}
	if len(curves) == 0 {
		return
	}
	f.Draw = func(w io.Writer) error {
		return plot.Shares(w, fmt.Sprintf("Survival by type, n = %s games", Count(a.Sampled)), "plies after the opening", "share alive", curves)
	}
	p.add(f)
}

func balancePlacement(p *Page, m *balance.Placement, any bool) {
	if !any {
		return
	}
	p.explain("Maps are in per cent of n, as the owner sees the board, whose first row is below; darker is more. They hold no judgement of squares: " +
		"pieces stand where they begin, and die where they meet.")
	for i := range m.Types {
		t := &m.Types[i]
		f := Figure{Table: Table{
			Columns: []string{"square", "stands", "kills", "dies"},
			Caption: fmt.Sprintf("%s: where it stands (n = %s positions of a player), where what it takes stood (n = %s), where it is taken (n = %s). The numbers leave out squares where none of it was seen.",
				t.Type, Count(t.Presence.N), Count(t.Kills.N), Count(t.Deaths.N)),
		}}
		var boards []plot.Board
		for _, b := range []struct {
			title string
			m     *balance.Map
		}{{"stands", &t.Presence}, {"kills", &t.Kills}, {"dies", &t.Deaths}} {
			boards = append(boards, plot.Board{Title: fmt.Sprintf("%s %s, n = %s", t.Type, b.title, Count(b.m.N)), Width: m.Width, Shares: b.m.Estimate})
		}
		for square := range m.Width * m.Height {
			row, seen := []string{fmt.Sprintf("column %d, row %d", square%m.Width+1, square/m.Width+1)}, false
			for _, b := range []*balance.Map{&t.Presence, &t.Kills, &t.Deaths} {
				row = append(row, mapCell(b, square))
				seen = seen || square < len(b.Estimate) && b.Estimate[square] > 0
			}
			if !seen {
				continue // most squares of large boards
			}
			f.Table.Rows = append(f.Table.Rows, row)
		}
		f.Draw = func(w io.Writer) error { return plot.Boards(w, boards) }
		p.add(f)
	}
}

// mapCell writes a square's share with its interval.
func mapCell(m *balance.Map, square int) string {
	if square >= len(m.Estimate) {
		return "-"
	}
	return fmt.Sprintf("%.2f %% (%.2f to %.2f)", 100*m.Estimate[square], 100*m.Low[square], 100*m.High[square])
}
