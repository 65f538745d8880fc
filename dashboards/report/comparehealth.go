package report

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/compare"
)

func (p *comparePage) health() {
	h := &p.report.Health
	p.heading(2, "Warnings")
	if len(h.Warnings) == 0 {
		p.say("No warnings: enough games have a result, and few were cut off, forfeited, repeated or missing.")
	}
	for _, w := range p.warnings() {
		p.say(w)
	}
	if len(h.Arms) == 0 {
		return
	}
	p.add(Table{
		Columns: []string{"variant", "games", "missing", "cut off", "forfeited", "distinct games", "distinct openings"},
		Caption: "Games that were cut off have no result, and results exclude them. If they differ from the others, results are biased. Repeated games add no information.",
		Rows: each(h.Arms, func(a *compare.ArmHealth) []string {
			return []string{p.arm(a.Variant, a.Nodes), Count(a.Games), Count(a.Missing), shareCell(a.Truncated), shareCell(a.Forfeited), percent1(a.Distinct), percent1(a.Openings)}
		}),
	})
}

// percent1 formats a share with one decimal.
func percent1(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

func (p *comparePage) provenance() {
	r := p.report
	p.heading(2, "Data")
	for i, v := range r.Provenance.Variants {
		p.say(fmt.Sprintf("%s: %s, a variant of %s with rules %s", letter(i), v.Name, v.Game, v.Digest))
		if len(v.Changes) == 0 {
			continue
		}
		p.add(Table{
			Columns: []string{"rule", "in " + p.baseline(), "in " + p.labels[v.Name]},
			Rows:    each(v.Changes, func(c *compare.RuleChange) []string { return []string{c.Field, rule(c.From), rule(c.To)} }),
		})
	}
	for _, b := range r.Plan.Budgets {
		p.say("agent: " + b.Agent)
		if r.Plan.LadderPairs > 0 {
			p.say("opponent on the ladder: " + b.Double)
		}
	}
	p.add(Table{
		Columns: []string{"arm", "seed", "run", "planned", "played", "cut off", "resigned", "failed", "distinct", "openings"},
		Caption: fmt.Sprintf("Self-play is counted in games, the ladder in pairs. Every game or pair starts with %d random plies after which neither side is ahead, and has %s. "+
			"The seed of the plan is %d.", r.Plan.OpeningPlies, limit(r.Plan.MaxPlies), r.Plan.Seed),
		Rows: each(r.Provenance.Arms, func(a *compare.ArmData) []string {
			name := p.arm(a.Variant, a.Nodes)
			if a.Ladder {
				name += ", ladder"
			}
			return []string{name, fmt.Sprint(a.Seed), a.Run, Count(a.Asked), Count(a.Played), Count(a.Truncated), Count(a.Resigned), Count(a.Failed), Count(a.Distinct), Count(a.Openings)}
		}),
	})
}

func limit(plies int) string {
	if plies == 0 {
		return "no ply limit"
	}
	return fmt.Sprintf("a limit of %s plies", Count(int64(plies)))
}

// mostOfRule is the greatest length of a rule in a table.
const mostOfRule = 200

// rule formats the value of a field of the rules.
func rule(value []byte) string {
	// Spaces let a long list wrap.
	text := strings.ReplaceAll(strings.TrimSpace(string(value)), ",", ", ")
	switch {
	case text == "" || text == "null":
		return "none"
	case len(text) > mostOfRule:
		return strings.ToValidUTF8(text[:mostOfRule], "") + " …"
	}
	return text
}
