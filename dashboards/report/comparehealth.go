package report

import (
	"fmt"
	"strings"
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
	t := Table{
		Columns: []string{"variant", "games", "missing", "cut off", "forfeited", "distinct games", "distinct openings"},
		Caption: "Games that were cut off have no result, and results exclude them. If they differ from the others, results are biased. Repeated games add no information.",
	}
	for i := range h.Arms {
		a := &h.Arms[i]
		t.Rows = append(t.Rows, []string{
			p.arm(a.Variant, a.Nodes), Count(a.Games), Count(a.Missing), shareCell(a.Truncated), shareCell(a.Forfeited), percent1(a.Distinct), percent1(a.Openings),
		})
	}
	if len(t.Rows) > 0 {
		p.add(t)
	}
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
		t := Table{Columns: []string{"rule", "in " + p.labels[r.Plan.Variants[0].Name], "in " + p.labels[v.Name]}}
		for _, c := range v.Changes {
			t.Rows = append(t.Rows, []string{c.Field, rule(c.From), rule(c.To)})
		}
		p.add(t)
	}
	for _, b := range r.Plan.Budgets {
		p.say("agent: " + b.Agent)
		if r.Plan.LadderPairs > 0 {
			p.say("opponent on the ladder: " + b.Double)
		}
	}
	t := Table{
		Columns: []string{"arm", "seed", "run", "planned", "played", "cut off", "resigned", "failed", "distinct", "openings"},
		Caption: fmt.Sprintf("Self-play is counted in games, the ladder in pairs. Every game or pair starts with %d random plies after which neither side is ahead, and has %s. "+
			"The seed of the plan is %d.", r.Plan.OpeningPlies, limit(r.Plan.MaxPlies), r.Plan.Seed),
	}
	for i := range r.Provenance.Arms {
		a := &r.Provenance.Arms[i]
		name := p.arm(a.Variant, a.Nodes)
		if a.Ladder {
			name += ", ladder"
		}
		t.Rows = append(t.Rows, []string{
			name, fmt.Sprint(a.Seed), a.Run, Count(a.Asked), Count(a.Played), Count(a.Truncated), Count(a.Resigned), Count(a.Failed), Count(a.Distinct), Count(a.Openings),
		})
	}
	p.add(t)
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
