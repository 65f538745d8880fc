package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
)

// Handicap makes the page of an experiment with handicaps.
func Handicap(r *handicap.Report) *Page {
	p := &Page{Title: "What handicaps cost in " + r.Variant}
	p.say(fmt.Sprintf("rules: %s", r.Digest))
	p.say("agent: " + r.Agent)
	games := int64(0)
	for i := range r.Handicaps {
		games += r.Handicaps[i].Games
	}
	p.say(fmt.Sprintf("games: %s with a result, of %s", Count(games), number(int64(len(r.Handicaps)), "handicap")))
	for _, note := range r.Notes {
		p.say("note: " + note)
	}
	p.heading(2, "In short")
	p.say(r.Answer)
	p.explain("In each game one side had a handicap, in half of them the first player and in half the second, and both sides were played by the same agent. " +
		"Without it each side would score 50 % on average over both seats, so that what it scores less was caused by the handicap. " +
		"Numbers are estimates, with the interval in brackets that would hold the truth in 19 of 20 such experiments; n is what a number rests on.")
	if len(r.Handicaps) > 0 {
		handicapLosses(p, r)
		handicapSeats(p, r)
		handicapValues(p, r)
		handicapRegression(p, r)
		handicapCurves(p, r)
		handicapData(p, r)
	}
	p.say("")
	p.say("In brackets 95 % intervals; n is what a number rests on.")
	p.method(handicapMethods())
	return p
}

func handicapLosses(p *Page, r *handicap.Report) {
	p.heading(2, "Losses")
	t := Table{
		Columns: []string{"handicap", "n games", "score of the side that has it", "loss, points of 100", "in Elo", "P", "adjusted P", "could show"},
		Caption: "The loss is 50 % less the score, below 0 where the handicap helps. P is the probability of a score at least as far from 50 % if the handicap did nothing; " +
			"adjusted, that of any such finding among all handicaps of this page: below 0.05 an effect is taken as shown. " +
			"Could show is the least loss that so many games show four times in five, adjusted too: an effect that is not shown may still be there, and be as great.",
	}
	var list []plot.Estimate
	for i := range r.Handicaps {
		e := &r.Handicaps[i]
		show := "-"
		if e.Detectable != nil {
			show = fmt.Sprintf("%.1f", 100*e.Detectable.Loss)
		}
		t.Rows = append(t.Rows, []string{e.Name, Count(e.Games), shareCell(e.Score), differenceCell(e.Loss, true), eloCell(e.Elo), probability(e.None.P), probability(e.Adjusted), show})
		if e.Loss.N > 0 {
			list = append(list, plot.Estimate{Name: e.Name, Interval: e.Loss})
		}
		p.say(e.Answer)
	}
	p.add(t)
	if len(list) == 0 {
		return
	}
	p.add(Figure{
		Draw: func(w io.Writer) error {
			return plot.Estimates(w, fmt.Sprintf("What handicaps cost, %s", eachGames(r)), "loss of score, 1 being a won game", 0, list)
		},
		Table: Table{Caption: "Losses of score with 95 % intervals, each for itself; the broken line is no loss. What lies to the right costs. " +
			"It says what happens when this agent plays from the start with the handicap, not what better players would make of it."},
		Known: true,
	})
}

// eachGames says from how many games each of the handicaps is told.
func eachGames(r *handicap.Report) string {
	least, most := r.Handicaps[0].Games, r.Handicaps[0].Games
	for i := range r.Handicaps {
		least, most = min(least, r.Handicaps[i].Games), max(most, r.Handicaps[i].Games)
	}
	if least == most {
		return fmt.Sprintf("n = %s each", number(most, "game"))
	}
	return fmt.Sprintf("n = %s to %s each", Count(least), number(most, "game"))
}

func handicapSeats(p *Page, r *handicap.Report) {
	p.heading(3, "By seat")
	t := Table{
		Columns: []string{"handicap", "of whom", "n", "won", "drawn", "lost", "score", "loss against the unchanged game, points"},
		Caption: "A seat is worth something by itself, which the mean of both does away with. The loss of a seat is what it scored in games of the unchanged rules by the same agent from such openings, less what it scored with the handicap.",
	}
	for i := range r.Handicaps {
		e := &r.Handicaps[i]
		for _, s := range e.Seats {
			loss := "-"
			if s.Loss != nil {
				loss = differenceCell(*s.Loss, true)
			}
			t.Rows = append(t.Rows, []string{e.Name, s.Player, Count(s.Score.N), Count(s.Wins), Count(s.Draws), Count(s.Losses), shareCell(s.Score), loss})
		}
	}
	p.add(t)
}

func handicapValues(p *Page, r *handicap.Report) {
	if r.Unit == "" {
		return
	}
	unit := r.Unit + " removed"
	if i := slices.IndexFunc(r.Handicaps, func(e handicap.Effect) bool { return e.Type == r.Unit && e.Attribute == "" }); i >= 0 {
		unit = r.Handicaps[i].Name
	}
	p.heading(2, "Worth, with "+unit+" as 1")
	p.explain("The worth of a handicap is the logarithm of its odds by that of the unit. It is for all pieces of a type where an attribute was changed, and for one piece where one was removed.")
	t := Table{Columns: []string{"handicap", "worth", "log odds", "n games", ""}, Caption: "Below 0 a handicap helps. A worth rests on the games of the handicap and on those of the unit."}
	var list []plot.Estimate
	for i := range r.Handicaps {
		e := &r.Handicaps[i]
		value := "none"
		switch {
		case e.Value == nil:
		case e.Value.Low == 1 && e.Value.High == 1:
			value = "1, the unit"
		default:
			value = numberCell(*e.Value)
			list = append(list, plot.Estimate{Name: e.Name, Interval: *e.Value})
		}
		t.Rows = append(t.Rows, []string{e.Name, value, numberCell(e.LogOdds), Count(e.Games), e.Problem})
	}
	p.add(t)
	if len(list) > 0 {
		p.add(Figure{
			Draw: func(w io.Writer) error {
				return plot.Estimates(w, fmt.Sprintf("Worth by experiment, %s", eachGames(r)), "worth, 1 being "+unit, 1, list)
			},
			Table: Table{Caption: "Worth with 95 % intervals beside that of the unit, the broken line. Intervals that overlap do not show that two are equal."},
			Known: true,
		})
	}
}

func handicapRegression(p *Page, r *handicap.Report) {
	var t Table
	var list []plot.Estimate
	var answers []string
	positions := int64(0)
	for i := range r.Handicaps {
		e := &r.Handicaps[i]
		c := e.Regression
		if c == nil {
			continue
		}
		row := []string{e.Type, shareCell(c.Causal), shareCell(c.Regression), "-", "-", "-", c.Problem}
		if c.Problem == "" {
			row[3], row[4], row[5] = differenceCell(c.Difference, true), probability(c.Same.P), probability(c.Adjusted)
			list, positions = append(list, plot.Estimate{Name: e.Type, Interval: c.Difference}), max(positions, c.Regression.N)
		}
		t.Rows = append(t.Rows, row)
		answers = append(answers, e.Type+": "+c.Answer)
	}
	if len(t.Rows) == 0 {
		return
	}
	p.heading(2, "Beside the regression")
	p.explain("Values by regression are associations: how much better results were of who was one piece ahead in whole games, all other counts being equal. " +
		"The experiment says what having one more from the start causes. Both are told as what a player scores who has one more. " +
		"They may well differ. Who is ahead is often ahead in other ways too, and where games are won by points has taken points with the piece, which one that was never there does not give. " +
		"A piece may be worth more early or late. And players may give one up for something better.")
	for _, answer := range answers {
		p.say(answer)
	}
	t.Columns = []string{"one more", "by experiment", "by regression", "difference, points", "P", "adjusted P", ""}
	t.Caption = "The difference is the regression's less the experiment's; P is the probability of one at least as great if both were the same, adjusted for all types. " +
		"The two are of independent games. The test does not say why they differ; the regression also takes odds for additive."
	p.add(t)
	if len(list) > 0 {
		p.add(Figure{
			Draw: func(w io.Writer) error {
				return plot.Estimates(w, fmt.Sprintf("Regression, n = %s, less experiment, %s", number(positions, "position"), eachGames(r)), "difference of the score of who has one more", 0, list)
			},
			Table: Table{Caption: "What the regression tells more than the experiment, with 95 % intervals; at the broken line both agree. An interval that holds 0 does not show that they do."},
			Known: true,
		})
	}
}

func handicapCurves(p *Page, r *handicap.Report) {
	if len(r.Curves) == 0 {
		return
	}
	p.heading(2, "Response to changes of an attribute")
	var drawn []string
	for i := range r.Curves {
		c := &r.Curves[i]
		p.say(fmt.Sprintf("%s: %s P adjusted for all curves is %s.", c.Type, c.Answer, probability(c.Adjusted)))
		if !slices.Contains(drawn, c.Attribute) {
			drawn = append(drawn, c.Attribute)
		}
	}
	for _, attribute := range drawn {
		f := Figure{Table: Table{
			Columns: []string{"type", "change", "score", "n games"},
			Caption: fmt.Sprintf("What a side scores whose pieces of a type have another %s, with 95 %% intervals (%s). With no change it is 50 %% by symmetry. "+
				"Between the points nothing was played.", attribute, eachGames(r)),
		}}
		var curves []plot.Curve
		for i := range r.Curves {
			c := &r.Curves[i]
			if c.Attribute != attribute {
				continue
			}
			curve := plot.Curve{Name: c.Type}
			for _, at := range c.Points {
				curve.Points = append(curve.Points, plot.CurvePoint{X: float64(at.By), Interval: at.Score})
				score := shareCell(at.Score)
				if at.By == 0 {
					score = "50.0 %, by symmetry"
				}
				f.Table.Rows = append(f.Table.Rows, []string{c.Type, Decimal("%+.0f", float64(at.By)), score, Count(at.Score.N)})
			}
			curves = append(curves, curve)
		}
		f.Draw = func(w io.Writer) error {
			return plot.Shares(w, fmt.Sprintf("Response to %s, %s", attribute, eachGames(r)), "change of "+attribute, "score of the side that has it", curves)
		}
		p.add(f)
	}
}

func handicapData(p *Page, r *handicap.Report) {
	p.heading(2, "Data")
	t := Table{
		Columns: []string{"games of", "folder", "run", "seed", "episodes", "cut off", "failed", "different"},
		Caption: "sandtable dataset info, show and verify read each folder. Games that were cut off or failed have no result of play and are left out.",
	}
	for i := range r.Handicaps {
		e := &r.Handicaps[i]
		for j, arm := range e.Arms {
			row := []string{e.Name, arm.Dir, arm.Run, fmt.Sprint(arm.Seed), Count(arm.Episodes)}
			if j == 0 {
				row = append(row, Count(e.Truncated), Count(e.Failed), Count(e.Distinct))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	if c := r.Control; c != nil {
		for i, s := range c.Data.Sources {
			row := []string{"unchanged rules", s.Dir, s.Run, fmt.Sprint(s.Seed), Count(s.Episodes)}
			if i == 0 {
				row = append(row, Count(c.Data.Truncated), Count(c.Data.Failed), Count(c.Data.Distinct))
			}
			t.Rows = append(t.Rows, row)
		}
		p.say(fmt.Sprintf("In games of the unchanged rules the first player, %s, scored %s, n = %s.", r.Players[0], shareCell(c.First), Count(c.First.N)))
	}
	p.add(t)
}
