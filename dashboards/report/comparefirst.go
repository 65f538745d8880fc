package report

import (
	"fmt"
	"io"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// mostArms is the greatest number of variants with budgets that the first screen shows one
// by one.
const mostArms = 4

// first returns the first screen of a comparison.
func (c *compareText) first() First {
	r := c.report
	var f First
	base := &r.Plan.Variants[0]
	f.draw(short(base.Name), variantOf(base.Name, base.Digest, base.Rules))
	for i := range r.Provenance.Variants {
		if v := &r.Provenance.Variants[i]; i > 0 && i < mostRows {
			f.About = append(f.About, fmt.Sprintf("%s is %s: %s.", letter(i), short(v.Name), c.changes(v)))
		} else if i == 0 {
			f.About = append(f.About, fmt.Sprintf("A is %s, played by %s against itself.", short(v.Name), c.agent()))
		}
	}
	f.About = append(f.About, c.gamesText())
	f.Answers = append(c.checkAnswers(), c.firstAnswers()...)
	top := c.topArms()
	for i := range top[:min(len(top), mostRows)] {
		f.Lights = append(f.Lights, c.armLights(&top[i])...)
	}
	f.Lights = append(f.Lights, doubtsLight(each(r.Health.Warnings, func(w *compare.Warning) compare.Problem { return w.Problem })))
	f.openDoubts()
	c.firstTable(&f)
	c.firstFigure(&f, top[:min(len(top), mostRows)])
	c.steps(&f)
	return f
}

// agent names the agent without its settings.
func (c *compareText) agent() string { return agentNames([]string{c.report.Plan.Budgets[0].Agent})[0] }

// gamesText says what was played.
func (c *compareText) gamesText() string {
	r := c.report
	games := r.Plan.Games
	if r.Sequential != nil {
		games = r.Sequential.Games
	}
	text := fmt.Sprintf("%s of each variant", number(games, "game"))
	if nodes := c.budgets(); nodes != "" {
		if len(c.report.Plan.Budgets) > 1 {
			nodes = "each of " + nodes
		}
		text += " with " + nodes
	}
	text += ", " + startText(c.fromStart()) + "."
	if c.budgets() != "" {
		text += " (A node is one position that the agent looks at.)"
	}
	return text
}

func (c *compareText) fromStart() bool { return c.report.Plan.FromStart() }

// firstMove reports whether the first player's score shows what moving first is worth.
func (c *compareText) firstMove() bool { return c.report.Plan.MeasuresFirstMove() }

// topArms returns the outcomes of each variant with the highest budget.
func (c *compareText) topArms() []compare.Outcomes {
	budgets := len(c.report.Plan.Budgets)
	var top []compare.Outcomes
	for i := budgets - 1; i < len(c.report.Outcomes); i += budgets {
		top = append(top, c.report.Outcomes[i])
	}
	return top
}

// armLights rates a variant with a budget.
func (c *compareText) armLights(o *compare.Outcomes) []Light {
	of := func(metric string) stats.Interval {
		if i := estimate(o.Estimates, metric).Interval; i != nil {
			return *i
		}
		return stats.Interval{}
	}
	lights := []Light{firstMoveLight(of("first_score"), c.firstMove()), drawsLight(of("draws")), {Subject: "Length", State: Unknown, Text: "no game was played"}}
	for _, a := range c.report.Provenance.Arms {
		if a.Variant == o.Variant && a.Nodes == o.Nodes && !a.Ladder {
			lights[2] = lengthLight(of("length").Estimate, a.Truncated, a.Played)
		}
	}
	if len(c.report.Plan.Variants) > 1 {
		for i := range lights {
			lights[i].Variant = c.letterOf(o.Variant)
		}
	}
	return lights
}

// firstTable sets the table of the first screen: all arms, or those with the highest budget
// if there are many.
func (c *compareText) firstTable(f *First) {
	list := c.report.Outcomes
	if len(list) > mostArms {
		list = c.topArms()
	}
	rest := len(list) - mostRows
	list = list[:min(len(list), mostRows)]
	f.Table.Columns = []string{"variant", "first player's score", "draws", "plies per game", "n games"}
	f.Table.Caption = bracketsText(c.report.Level)
	for i := range list {
		o := &list[i]
		cell := func(metric string) string { return estimateCell(estimate(o.Estimates, metric)) }
		f.Table.Rows = append(f.Table.Rows, []string{c.letterOf(o.Variant) + budget(o.Nodes), cell("first_score"), cell("draws"), cell("length"), Count(o.Games)})
	}
	if rest > 0 {
		f.Table.Rows = append(f.Table.Rows, []string{fmt.Sprintf("%d more, folded below", rest)})
	}
}

// firstFigure sets the figure of the first screen.
func (c *compareText) firstFigure(f *First, top []compare.Outcomes) {
	results, games := c.results(top)
	if len(results) == 0 {
		return
	}
	title := fmt.Sprintf("Who wins, n = %s games", Count(games))
	f.Figure = Figure{Known: true, Draw: func(w io.Writer) error { return plot.Results(w, title, results) },
		Table: Table{Caption: fmt.Sprintf("Games that the first player won, that were drawn and that the second player won%s, n = %s games.", with(top[0].Nodes), Count(games))}}
}

// results returns the shares of results of arms that have them, and the number of games.
func (c *compareText) results(list []compare.Outcomes) (results []plot.Result, games int64) {
	for i := range list {
		o := &list[i]
		of := func(metric string) *stats.Interval { return estimate(o.Estimates, metric).Interval }
		if first, drawn, second := of("first_wins"), of("draws"), of("second_wins"); first != nil && drawn != nil && second != nil {
			results = append(results, plot.Result{Name: c.letterOf(o.Variant) + budget(o.Nodes), Won: first.Estimate, Drawn: drawn.Estimate, Lost: second.Estimate})
			games += o.Games
		}
	}
	return results, games
}
