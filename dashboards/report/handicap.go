package report

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
)

// Handicap makes the page of an experiment with handicaps.
func Handicap(r *handicap.Report) *Page {
	p := &Page{Title: "Cost of handicaps in " + r.Variant, First: handicapFirst(r)}
	p.doubts(handicapNotes(r))
	if r.Until != nil {
		p.say(untilAnswer(r))
	}
	p.sure()
	if len(r.Handicaps) > 0 {
		handicapLosses(p, r)
		handicapSeats(p, r)
		handicapValues(p, r)
		worthTable(p, r)
		handicapRegression(p, r)
		strengthTable(p, r)
		handicapCurves(p, r)
		handicapData(p, r)
	}
	p.methods()
	return p
}

func handicapLosses(p *Page, r *handicap.Report) {
	p.section("What does each handicap cost?", handicapAnswer(r))
	p.explain("In half of the games the first player has the handicap, in the other half the second player. The same agent plays both sides. " +
		"Without the handicap a side scores 50 % on average over both seats, so the handicap causes the difference from 50 %.")
	t := Table{
		Columns: []string{"handicap", "n games", "score of the side that has it", "loss, points", "loss, Elo", "P", "adjusted P", "detectable"},
		Caption: "The loss is 50 % minus the score; it is negative if the handicap helps. P is the probability of a score at least as far from 50 % if the handicap has no effect. " +
			"Adjusted P is the probability of any such finding among all handicaps of this page; an effect is shown if it is at most 0.05. " +
			"Detectable is the least loss that the games find four times in five, after the adjustment. A greater loss than that may have been missed, and a smaller one may exist.",
	}
	var list []plot.Estimate
	for i := range r.Handicaps {
		e := &r.Handicaps[i]
		detectable := optional(e.Detectable, func(d handicap.Detectable) string { return fmt.Sprintf("%.1f", 100*d.Loss) })
		t.Rows = append(t.Rows, []string{effectName(e), Count(e.Games), shareCell(e.Score), pointsCell(e.Loss), eloCell(e.Elo), probability(e.None.P), probability(e.Adjusted), detectable})
		if e.Loss.N > 0 {
			list = append(list, plot.Estimate{Name: effectName(e), Interval: e.Loss.Times(100)})
		}
		p.say(effectAnswer(e))
	}
	p.add(t)
	p.estimates("Cost of handicaps, "+eachGames(r), "loss, points of 100", 0, list,
		"Losses of score with single 95 % confidence intervals. The broken line marks a loss of 0; handicaps to the right of it cost points. "+
			"Better players than this agent may handle the handicap differently.")
}

// eachGames formats the number of games of each handicap.
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
	p.heading(2, "Does it matter which side has the handicap?")
	t := Table{
		Columns: []string{"handicap", "side", "n", "won", "drawn", "lost", "score", "loss against the unchanged rules, points"},
		Caption: "A seat may have an advantage by itself; the mean of both seats cancels it. The loss of a seat is its score in games of the unchanged rules by the same agent from openings of the same kind, minus its score with the handicap.",
	}
	for i := range r.Handicaps {
		e := &r.Handicaps[i]
		for _, s := range e.Seats {
			loss := optional(s.Loss, pointsCell)
			t.Rows = append(t.Rows, []string{effectName(e), s.Player, Count(s.Score.N), Count(s.Wins), Count(s.Draws), Count(s.Losses), shareCell(s.Score), loss})
		}
	}
	p.add(t)
}

func handicapValues(p *Page, r *handicap.Report) {
	if r.Unit == "" {
		return
	}
	unit := r.Unit + " removed"
	if i := slices.IndexFunc(r.Handicaps, func(e handicap.Effect) bool { return e.Type == r.Unit && e.Attribute == "" && !e.Last }); i >= 0 {
		unit = effectName(&r.Handicaps[i])
	}
	p.heading(2, "What is each handicap worth in units of "+unit+"?")
	p.explain("The worth of a handicap is its cost relative to that of the unit; sandtable methods says how costs are compared. For a changed attribute it is the worth of the change to all pieces of the type, for a removal that of one piece.")
	t := Table{Columns: []string{"handicap", "worth", "n games", ""}, Caption: "A negative worth means that the handicap helps. A worth is estimated from the games of the handicap and from those of the unit."}
	var list []plot.Estimate
	for i := range r.Handicaps {
		e := &r.Handicaps[i]
		one := e.Value != nil && e.Value.Low == 1 && e.Value.High == 1
		if e.Value != nil && !one {
			list = append(list, plot.Estimate{Name: effectName(e), Interval: *e.Value})
		}
		t.Rows = append(t.Rows, []string{effectName(e), valueCell(e.Value, one), Count(e.Games), effectProblem(e, r.Unit)})
	}
	p.add(t)
	p.estimates("Worth by experiment, "+eachGames(r), "worth, in units of "+unit, 1, list,
		"Worths with 95 % confidence intervals. The broken line is the unit. Overlapping intervals do not show that two worths are equal.")
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
		row := []string{e.Type, shareCell(c.Causal), shareCell(c.Regression), "-", "-", "-", regressionProblem(c)}
		if c.Problem == handicap.NoProblem {
			row[3], row[4], row[5] = pointsCell(c.Difference), probability(c.Same.P), probability(c.Adjusted)
			list, positions = append(list, plot.Estimate{Name: e.Type, Interval: c.Difference.Times(100)}), max(positions, c.Regression.N)
		}
		t.Rows = append(t.Rows, row)
		answers = append(answers, e.Type+": "+regressionAnswer(c))
	}
	if len(t.Rows) == 0 {
		return
	}
	p.heading(2, "Does counting pieces in ordinary games agree?")
	p.explain("Worths by counting are associations: the advantage of a side that is one piece ahead at any time of a game, with all other counts equal. " +
		"The experiment shows the effect of one more piece from the start. Both are given as the score of the side with one more. " +
		"They may differ for good reasons. A side that is ahead is often ahead in other ways too. In games won on points, the capture of the piece scored points too, and a piece that was never there gives none. " +
		"A piece may be worth more early or late. Players may also give up a piece for something better.")
	for _, answer := range answers {
		p.say(answer)
	}
	t.Columns = []string{"one more", "by experiment", "by counting", "difference, points", "P", "adjusted P", ""}
	t.Caption = "The difference is the score by counting minus that by experiment. P is the probability of a difference at least as great if both are equal; it is adjusted for all types. " +
		"The two use independent games. The test does not show why they differ; the count also assumes that the worths of pieces add up."
	p.add(t)
	p.estimates(fmt.Sprintf("Counting, n = %s, minus experiment, %s", number(positions, "position"), eachGames(r)), "difference of the score of the side with one more, points of 100", 0, list,
		"The score by counting minus that by experiment, with 95 % confidence intervals. At the broken line both agree. An interval that includes 0 does not show that they do.")
}

func handicapCurves(p *Page, r *handicap.Report) {
	if len(r.Curves) == 0 {
		return
	}
	p.heading(2, "How does the score follow a change of an attribute?")
	var drawn []string
	for i := range r.Curves {
		c := &r.Curves[i]
		p.say(fmt.Sprintf("%s: %s P adjusted for all curves is %s.", c.Type, curveAnswer(c), probability(c.Adjusted)))
		if !slices.Contains(drawn, c.Attribute) {
			drawn = append(drawn, c.Attribute)
		}
	}
	for _, attribute := range drawn {
		f := curves{
			title: fmt.Sprintf("Response to %s, %s", attribute, eachGames(r)), x: "change of " + attribute, y: "score of the side that has it",
			columns: []string{"type", "change", "score", "n games"},
		}
		for _, c := range r.Curves {
			if c.Attribute != attribute {
				continue
			}
			f.begin(c.Type)
			for _, at := range c.Points {
				score := shareCell(at.Score)
				if at.By == 0 {
					score = "50.0 %, by symmetry"
				}
				f.point(at.By, at.Score, c.Type, signedCount(at.By), score)
			}
		}
		p.curves(&f, fmt.Sprintf("The score of a side with a changed %s of all its pieces of a type, with 95 %% confidence intervals (%s). Without a change it is 50 %% by symmetry. "+
			"No games were played between the points.", attribute, eachGames(r)))
	}
}

func handicapData(p *Page, r *handicap.Report) {
	p.heading(2, "Which games are these?")
	p.say("agent: " + r.Agent)
	p.say("rules: " + r.Variant + ", " + r.Digest)
	t := Table{
		Columns: []string{"games of", "folder", "run", "seed", "episodes", "cut off", "failed", "distinct"},
		Caption: "sandtable dataset info, show and verify read each folder. Scores exclude games that were cut off and games that a program lost by failing.",
	}
	row := func(games, dir, run string, seed uint64, episodes int64, counts ...int64) {
		cells := []string{games, dir, run, fmt.Sprint(seed), Count(episodes)}
		t.Rows = append(t.Rows, append(cells, each(counts, func(n *int64) string { return Count(*n) })...))
	}
	for i := range r.Handicaps {
		e := &r.Handicaps[i]
		counts := []int64{e.Truncated, e.Failed, e.Distinct} // in the first row of a handicap
		for _, arm := range e.Arms {
			row(effectName(e), arm.Dir, arm.Run, arm.Seed, arm.Episodes, counts...)
			counts = nil
		}
	}
	if c := r.Control; c != nil {
		counts := []int64{c.Data.Truncated, c.Data.Failed, c.Data.Distinct}
		for _, s := range c.Data.Sources {
			row("unchanged rules", s.Dir, s.Run, s.Seed, s.Episodes, counts...)
			counts = nil
		}
		p.say(fmt.Sprintf("In games of the unchanged rules %s, the first player, scores %s, n = %s.", r.Players[0], shareCell(c.First), Count(c.First.N)))
	}
	p.add(t)
}
