package report

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// story tells in a few paragraphs, for who reads nothing else, what was done and found.
func (p *comparePage) story() []string {
	r := p.report
	games := r.Plan.Games
	if r.Sequential != nil {
		games = r.Sequential.Games
	}
	played := fmt.Sprintf("%s of one agent against itself", number(games, "game"))
	if nodes := p.budgets(); nodes != "" {
		played += " with each budget, " + nodes
	}
	text := fmt.Sprintf("%s is described by %s.", r.Plan.Variants[0].Name, played)
	if r.Against == nil {
		return []string{text + " " + p.described() + p.doubts()}
	}
	told := []string{fmt.Sprintf("Each variant was played in %s.%s", played, p.doubts())}
	for i := range r.Plan.Variants[1:] {
		told = append(told, fmt.Sprintf("%s against %s: %s.", p.labels[r.Plan.Variants[i+1].Name], p.labels[r.Against.Baseline], p.findings(r.Against.Comparisons, r.Plan.Variants[i+1].Name, true)))
	}
	if r.Interaction != nil {
		told = append(told, r.Interaction.Answer)
	}
	return told
}

// budgets names the budgets of nodes, nothing of agents that do not search.
func (p *comparePage) budgets() string {
	var list []string
	for _, b := range p.report.Plan.Budgets {
		if b.Nodes > 0 {
			list = append(list, Count(b.Nodes))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, " and ") + " nodes a move"
}

// described tells the outcomes of a variant alone.
func (p *comparePage) described() string {
	var parts []string
	for i := range p.report.Outcomes {
		o := &p.report.Outcomes[i]
		if o.Games == 0 {
			return o.Answer
		}
		with := strings.TrimPrefix(p.budget(o.Nodes), ", ")
		if with != "" {
			with = "with " + with + " "
		}
		parts = append(parts, fmt.Sprintf("%sthe first player scores %s, and %s are drawn", with, p.estimateOf(o.Variant, o.Nodes, "first_score"), p.estimateOf(o.Variant, o.Nodes, "draws")))
	}
	return capital(strings.Join(parts, "; ")) + "."
}

// doubts says that there are warnings.
func (p *comparePage) doubts() string {
	if len(p.report.Health.Warnings) == 0 {
		return ""
	}
	return fmt.Sprintf(" There is cause for doubt, told below (%s).", number(int64(len(p.report.Health.Warnings)), "warning"))
}

// findings says what comparisons of a variant with the baseline have come to, by
// verdict and metric; of those that differ alone unless all are wanted.
func (p *comparePage) findings(list []compare.Comparison, variant string, all bool) string {
	var parts []string
	for _, kind := range []struct {
		verdict compare.Verdict
		says    string
		always  bool
	}{
		{compare.Differs, "%s differs", true},
		{compare.DiffersSlightly, "%s differs by less than matters", true},
		{compare.Equivalent, "%s is the same to within the margin", false},
		{compare.Undecided, "%s shows no difference that could not be chance", false},
	} {
		if !all && !kind.always {
			continue
		}
		for i := range p.report.Metrics {
			metric := p.report.Metrics[i].Name
			var found []string
			for j := range list {
				if c := &list[j]; c.Variant == variant && c.Metric == metric && c.Verdict == kind.verdict {
					found = append(found, p.instead(c))
				}
			}
			if len(found) > 0 {
				parts = append(parts, fmt.Sprintf(kind.says, the(metric))+", "+strings.Join(found, ", "))
			}
		}
	}
	if len(parts) == 0 && all {
		return "nothing can be told, for there are no games with results"
	}
	return strings.Join(parts, "; ")
}

// instead tells both numbers of a comparison.
func (p *comparePage) instead(c *compare.Comparison) string {
	write := func(i stats.Interval) string {
		if p.percentage(c.Metric) {
			return fmt.Sprintf("%.1f %%", 100*i.Estimate)
		}
		return figure(i.Estimate)
	}
	text := fmt.Sprintf("%s instead of %s", write(c.Estimate), write(c.Baseline))
	if c.Nodes > 0 {
		text += fmt.Sprintf(" with %s", number(c.Nodes, "node"))
	}
	return text
}

// words writes the name of a metric for people.
func words(metric string) string {
	switch metric {
	case "first_score":
		return "first player's score"
	case "first_wins":
		return "first player wins"
	case "second_wins":
		return "second player wins"
	case "draws":
		return "share of draws"
	case "decisive":
		return "share of games won"
	case "length":
		return "length of games"
	}
	return strings.ReplaceAll(metric, "_", " ")
}

// the writes a metric in a sentence.
func the(metric string) string {
	switch metric {
	case "first_score", "draws", "length", "decisive":
		return "the " + words(metric)
	case "lead_changes":
		return "the number of lead changes"
	case "decided_at":
		return "when games are decided"
	}
	return words(metric)
}
