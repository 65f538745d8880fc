package report

import (
	"fmt"
	"io"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/compare"
)

// estimate returns the estimate of a metric, or nil.
func estimate(list []compare.Estimate, metric string) *compare.Estimate {
	for i := range list {
		if list[i].Metric == metric {
			return &list[i]
		}
	}
	return nil
}

func (p *comparePage) outcomes() {
	p.heading(2, "Outcomes")
	list := p.report.Outcomes
	for i := range list {
		if list[i].Games == 0 {
			p.say(p.outcomeAnswer(i))
		}
	}
	p.outcomeTable(list)
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

// outcomeTable adds a table with a row for each variant and budget.
func (p *comparePage) outcomeTable(list []compare.Outcomes) {
	if len(list) == 0 {
		return
	}
	t := Table{
		Columns: []string{"variant", "games"},
		Caption: "Games with a result. A win scores 1 and a draw ½, so 50 % is even. Lengths are in plies, including the opening.",
	}
	for _, e := range list[0].Estimates {
		t.Columns = append(t.Columns, textOf(e.Metric).name)
	}
	for i := range list {
		row := []string{p.arm(list[i].Variant, list[i].Nodes), Count(list[i].Games)}
		for j := range list[i].Estimates {
			row = append(row, estimateCell(&list[i].Estimates[j]))
		}
		t.Rows = append(t.Rows, row)
	}
	p.add(t)
}

func (p *comparePage) outcomeFigures(list []compare.Outcomes) {
	var scores []plot.Estimate
	var results []plot.Result
	games := int64(0)
	for i := range list {
		o := &list[i]
		name := p.arm(o.Variant, o.Nodes)
		if e := estimate(o.Estimates, "first_score"); e != nil && e.Interval != nil {
			scores = append(scores, plot.Estimate{Name: name, Interval: *e.Interval})
			games += o.Games
		}
		first, drawn, second := estimate(o.Estimates, "first_wins"), estimate(o.Estimates, "draws"), estimate(o.Estimates, "second_wins")
		if first != nil && drawn != nil && second != nil && first.Interval != nil && drawn.Interval != nil && second.Interval != nil {
			results = append(results, plot.Result{Name: name, Won: first.Interval.Estimate, Drawn: drawn.Interval.Estimate, Lost: second.Interval.Estimate})
		}
	}
	if len(scores) > 0 {
		p.add(Figure{
			Draw: func(w io.Writer) error {
				return plot.NearScores(w, fmt.Sprintf("The first player's score, n = %s games", Count(games)), scores)
			},
			Table: Table{Caption: fmt.Sprintf("The first player's score with its interval, n = %s games in all. The broken line is an even game. "+
				"Overlapping intervals do not show that two variants are equal; the differences below have their own intervals.", Count(games))},
			Known: true,
		})
	}
	if len(results) > 0 {
		p.add(Figure{
			Draw: func(w io.Writer) error {
				return plot.Results(w, fmt.Sprintf("Results, n = %s games", Count(games)), results)
			},
			Table: Table{Caption: fmt.Sprintf("Shares of games that the first player won, that were drawn and that the second player won, n = %s games in all. "+
				"The table has their intervals; a small part of a bar may be due to chance.", Count(games))},
			Known: true,
		})
	}
}
