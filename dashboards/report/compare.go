package report

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Compare makes the page of a comparison of rule variants.
func Compare(r *compare.Report) *Page {
	p := &comparePage{&Page{Title: compareTitle(r)}, compareText{report: r, labels: map[string]string{}}}
	for i, v := range r.Plan.Variants {
		p.labels[v.Name] = letter(i) + " " + short(v.Name)
	}
	p.First = p.first()
	p.health()
	p.sure()
	p.summary()
	p.checks()
	p.outcomes()
	p.against()
	p.interaction()
	p.ends()
	p.lengths(&r.Feel)
	p.values()
	p.feel()
	p.skill()
	p.provenance()
	p.methods()
	return p.Page
}

func compareTitle(r *compare.Report) string {
	first := r.Plan.Variants[0].Name
	switch others := len(r.Plan.Variants) - 1; others {
	case 0:
		return "Description of " + first
	case 1:
		return fmt.Sprintf("%s compared with %s", first, r.Plan.Variants[1].Name)
	default:
		return fmt.Sprintf("%s compared with %d variants", first, others)
	}
}

// A comparePage is an unfinished page of a comparison.
type comparePage struct {
	*Page
	compareText
}

// letter returns the letter of variant i; A is the baseline.
func letter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return fmt.Sprintf("V%d", i+1)
}

// short shortens the changed rules in a variant's name.
func short(name string) string {
	head, rest, changed := strings.Cut(name, "{")
	if !changed {
		return name
	}
	if at := strings.LastIndex(rest, "}"); at >= 0 {
		rest = rest[at+1:]
	}
	return head + "{…}" + rest
}

// brief names a variant with a budget by its letter, for narrow columns.
func (p *comparePage) brief(variant string, nodes int64) string {
	letter, _, _ := strings.Cut(p.labels[variant], " ")
	return letter + budget(nodes)
}

func (p *comparePage) summary() {
	p.heading(2, "What is compared?")
	for _, text := range p.story() {
		p.say(text)
	}
	t := Table{
		Columns: []string{"", "variant", "rules"},
		Caption: "The other variants are compared with A, the baseline. The letters stand for the variants below; “Which games are these?” lists all differences of their rules.",
	}
	for i := range p.report.Provenance.Variants {
		v := &p.report.Provenance.Variants[i]
		t.Rows = append(t.Rows, []string{letter(i), v.Name, p.changes(v)})
	}
	p.add(t)
	if p.report.Sequential != nil {
		p.say(p.sequentialAnswer())
	}
	if r := p.report; r.Level != stats.Level {
		p.say(fmt.Sprintf("Because of the looks, the intervals in brackets have level %s each.", percent(r.Level)))
	}
	p.say("All results hold for these agents with these budgets. They do not hold for people or for perfect play.")
}

// changes lists the differences of the rules of a variant from the baseline's, or counts
// them if the list is long.
func (c *compareText) changes(v *compare.VariantData) string {
	parts := each(v.Changes, func(c *compare.RuleChange) string {
		return fmt.Sprintf("%s: %s instead of %s", c.Field, rule(c.To), rule(c.From))
	})
	const most = 150
	if text := strings.Join(parts, "; "); text != "" && len(text) <= most {
		return text
	}
	return c.rulesAnswer(v)
}

// percent formats a share without superfluous decimals.
func percent(share float64) string { return fmt.Sprintf("%.4g %%", 100*share) }

// checks shows the results of expectations.
func (p *comparePage) checks() {
	if len(p.report.Checks) == 0 {
		return
	}
	p.heading(2, "Do the expectations hold?")
	p.add(Table{
		Columns: []string{"expectation", "variant", "result", "estimate"},
		Caption: "Passed: the whole interval satisfies the expectation. Failed: no number in it does. Undecided otherwise; more games may decide it.",
		Rows: each(p.report.Checks, func(c *compare.Check) []string {
			found := absence(c.Absence)
			if c.Interval != nil {
				found = metricCell(c.Metric, *c.Interval)
			}
			return []string{c.Expectation, p.arm(c.Variant, c.Nodes), string(c.Result), found}
		}),
	})
}

func (p *comparePage) health() {
	h := &p.report.Health
	p.heading(2, doubtsQuestion)
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
		Columns: []string{"variant", "games", "missing", "cut off", "forfeited", "distinct games", "decided early", "distinct openings"},
		Caption: "Games that were cut off have no result, and results exclude them. If they differ from the others, results are biased. Repeated games add no information. A game is decided early if it ends within two plies of the agents' taking over: the opening decided it.",
		Rows: each(h.Arms, func(a *compare.ArmHealth) []string {
			return []string{p.arm(a.Variant, a.Nodes), Count(a.Games), Count(a.Missing), shareCell(a.Truncated), shareCell(a.Forfeited), percent1(a.Distinct), shareCell(a.Early), percent1(a.Openings)}
		}),
	})
}

// percent1 formats a share with one decimal.
func percent1(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

func (p *comparePage) provenance() {
	r := p.report
	p.heading(2, "Which games are these?")
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
		name := "agent: "
		if r.Label != "" {
			name = "agent " + r.Label + ": "
		}
		p.say(name + b.Agent)
		if r.Plan.LadderPairs > 0 {
			p.say("opponent on the ladder: " + b.Double)
		}
	}
	p.add(Table{
		Columns: []string{"arm", "seed", "run", "planned", "played", "cut off", "resigned", "failed", "distinct", "decided early", "openings"},
		Caption: fmt.Sprintf("Self-play is counted in games, the ladder in pairs. Games begin from: %s. Each has %s. "+
			"The seed of the plan is %d.", Opening(r.Plan.OpeningPlies, r.Plan.OpeningPolicy, true, Starts(len(r.Plan.Variants[0].Starts))), limit(r.Plan.MaxPlies), r.Plan.Seed),
		Rows: each(r.Provenance.Arms, func(a *compare.ArmData) []string {
			name := p.arm(a.Variant, a.Nodes)
			if a.Ladder {
				name += ", ladder"
			}
			return []string{name, fmt.Sprint(a.Seed), a.Run, Count(a.Asked), Count(a.Played), Count(a.Truncated), Count(a.Resigned), Count(a.Failed), Count(a.Distinct), Count(a.Early), Count(a.Openings)}
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
