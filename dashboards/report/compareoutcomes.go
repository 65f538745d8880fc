package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// estimate returns the estimate of a metric, which is empty if the list has none.
func estimate(list []compare.Estimate, metric string) *compare.Estimate {
	if i := slices.IndexFunc(list, func(e compare.Estimate) bool { return e.Metric == metric }); i >= 0 {
		return &list[i]
	}
	return &compare.Estimate{Metric: metric}
}

func (p *comparePage) outcomes() {
	p.heading(2, "Outcomes")
	list := p.report.Outcomes
	for i := range list {
		if list[i].Games == 0 {
			p.say(p.outcomeAnswer(&list[i]))
		}
	}
	if len(list) == 0 {
		return
	}
	p.add(Table{
		Columns: append([]string{"variant", "games"}, each(list[0].Estimates, func(e *compare.Estimate) string { return textOf(e.Metric).name })...),
		Caption: "Games with a result. A win scores 1 and a draw ½, so 50 % is even. Lengths are in plies, including the opening.",
		Rows: each(list, func(o *compare.Outcomes) []string {
			return append([]string{p.arm(o.Variant, o.Nodes), Count(o.Games)}, each(o.Estimates, estimateCell)...)
		}),
	})
	p.outcomeFigures(list)
	reasons := Table{
		Columns: []string{"variant", "end", "n", "share of its games", "first player's score"},
		Caption: "How games with a result ended. The score of the games with one end shows which seat wins in that way, not why.",
	}
	for i := range list {
		if len(reasons.Rows) > 0 {
			reasons.Rows = append(reasons.Rows, nil)
		}
		for _, r := range list[i].Reasons {
			reasons.Rows = append(reasons.Rows, []string{
				p.arm(list[i].Variant, list[i].Nodes), reasonName(r.Reason, r.HouseRule), Count(r.Games), shareCell(r.Share), scoreCell(r.FirstScore, r.Games, r.Draws),
			})
		}
	}
	if len(reasons.Rows) > 0 {
		p.add(reasons)
	}
}

func (p *comparePage) outcomeFigures(list []compare.Outcomes) {
	var scores []plot.Estimate
	var results []plot.Result
	games := int64(0)
	for i := range list {
		o := &list[i]
		name := p.arm(o.Variant, o.Nodes)
		of := func(metric string) *stats.Interval { return estimate(o.Estimates, metric).Interval }
		if score := of("first_score"); score != nil {
			scores = append(scores, plot.Estimate{Name: name, Interval: *score})
			games += o.Games
		}
		if first, drawn, second := of("first_wins"), of("draws"), of("second_wins"); first != nil && drawn != nil && second != nil {
			results = append(results, plot.Result{Name: name, Won: first.Estimate, Drawn: drawn.Estimate, Lost: second.Estimate})
		}
	}
	n := Count(games)
	p.nearScores(fmt.Sprintf("The first player's score, n = %s games", n), scores,
		fmt.Sprintf("The first player's score with its interval, n = %s games in all. The broken line is an even game. "+
			"Overlapping intervals do not show that two variants are equal; the differences below have their own intervals.", n))
	if len(results) > 0 {
		p.draw(fmt.Sprintf("Shares of games that the first player won, that were drawn and that the second player won, n = %s games in all. "+
			"The table has their intervals; a small part of a bar may be due to chance.", n),
			func(w io.Writer) error { return plot.Results(w, fmt.Sprintf("Results, n = %s games", n), results) })
	}
}
