package report

import (
	"fmt"
	"strings"
)

func (p *comparePage) health() {
	h := &p.report.Health
	p.heading(2, "What there is to doubt")
	if len(h.Warnings) == 0 {
		p.say("Nothing of what is checked gives cause for doubt: games cut off, given up, repeated or missing, and openings that repeat.")
	}
	for _, w := range h.Warnings {
		p.say(w)
	}
	t := Table{
		Columns: []string{"variant", "games", "missing", "cut off", "given up", "different games", "different openings"},
		Caption: "Games that were cut off have no result and are left out of results; if they differ from the others, results are biased. Games that repeat others tell nothing new.",
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

// percent1 writes a share with a decimal.
func percent1(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

func (p *comparePage) provenance() {
	r := p.report
	p.heading(2, "What was compared")
	for i, v := range r.Provenance.Variants {
		p.say(fmt.Sprintf("%s: %s, a game of %s; rules %s", letter(i), v.Name, v.Game, v.Digest))
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
		p.say("self-play of " + b.Agent)
		if r.Plan.LadderPairs > 0 {
			p.say("ladder of " + b.Double + " against it")
		}
	}
	t := Table{
		Columns: []string{"arm", "seed", "run", "asked for", "played", "cut off", "resigned", "failed", "different", "openings"},
		Caption: fmt.Sprintf("Games of self-play, pairs of the ladder. Every game or pair begins with %d random plies in which nobody gets ahead, and is cut off after %s. "+
			"The seed of all is %d.", r.Plan.OpeningPlies, limit(r.Plan.MaxPlies), r.Plan.Seed),
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
		return "no number of plies"
	}
	return Count(int64(plies)) + " plies"
}

// mostOfRule is how much of a rule a table shows.
const mostOfRule = 200

// rule writes the value of a field of the rules.
func rule(value []byte) string {
	// With blanks a list has places to break.
	text := strings.ReplaceAll(strings.TrimSpace(string(value)), ",", ", ")
	switch {
	case text == "" || text == "null":
		return "none"
	case len(text) > mostOfRule:
		return strings.ToValidUTF8(text[:mostOfRule], "") + " …"
	}
	return text
}
