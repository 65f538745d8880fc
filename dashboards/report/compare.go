package report

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Compare makes the page of a comparison of rule variants.
func Compare(r *compare.Report) *Page {
	p := &comparePage{Page: &Page{Title: compareTitle(r)}, report: r, labels: map[string]string{}}
	for i, v := range r.Plan.Variants {
		p.labels[v.Name] = letter(i) + " " + short(v.Name)
	}
	p.summary()
	p.checks()
	p.outcomes()
	p.against()
	p.interaction()
	p.values()
	p.feel()
	p.skill()
	p.health()
	p.provenance()
	p.method(compareMethods(looks(r), r.Metrics))
	return p.Page
}

func compareTitle(r *compare.Report) string {
	first := r.Plan.Variants[0].Name
	switch others := len(r.Plan.Variants) - 1; others {
	case 0:
		return "How " + first + " plays"
	case 1:
		return fmt.Sprintf("%s against %s", r.Plan.Variants[1].Name, first)
	default:
		return fmt.Sprintf("%d variants against %s", others, first)
	}
}

// A comparePage is a page that is being made of a comparison.
type comparePage struct {
	*Page
	report *compare.Report
	labels map[string]string // of variants by name
}

// letter numbers variants: A is the baseline.
func letter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return fmt.Sprintf("V%d", i+1)
}

// short cuts the changed rules off a variant's name.
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

// arm names a variant with a budget.
func (p *comparePage) arm(variant string, nodes int64) string {
	return p.labels[variant] + p.budget(nodes)
}

// brief names a variant with a budget by its letter, where there is little room.
func (p *comparePage) brief(variant string, nodes int64) string {
	letter, _, _ := strings.Cut(p.labels[variant], " ")
	return letter + p.budget(nodes)
}

// budget is a budget behind the name of a variant: nothing of agents that do not search.
func (p *comparePage) budget(nodes int64) string {
	if nodes == 0 {
		return ""
	}
	return fmt.Sprintf(", %s", number(nodes, "node"))
}

func (p *comparePage) summary() {
	r := p.report
	for _, text := range p.story() {
		p.say(text)
	}
	t := Table{
		Columns: []string{"", "variant", "rules"},
		Caption: "A is the baseline, with which the others are compared. Below the letters stand for the variants; what differs in their rules is at the end.",
	}
	for i, v := range r.Provenance.Variants {
		t.Rows = append(t.Rows, []string{letter(i), v.Name, changes(&v)})
	}
	p.add(t)
	if s := r.Sequential; s != nil {
		p.say(s.Answer)
	}
	p.explain(fmt.Sprintf("Numbers are estimates, with the interval in brackets that would hold the truth in %s of such comparisons; n is what a number rests on. "+
		"An interval that holds no difference does not show that there is none: equivalent is what lies within the margin that the plan called too small to matter. "+
		"All of it holds for these agents, with this much thinking: not for people, and not for perfect play.", percent(stats.Level)))
}

// changes says how the rules of a variant differ from the baseline's: in full where
// that is short, for all of it is at the end of the page.
func changes(v *compare.VariantData) string {
	var parts []string
	for _, c := range v.Changes {
		parts = append(parts, fmt.Sprintf("%s: %s instead of %s", c.Field, rule(c.To), rule(c.From)))
	}
	const most = 150
	if text := strings.Join(parts, "; "); text != "" && len(text) <= most {
		return text
	}
	return v.Answer
}

// percent writes a share without decimals that it does not need.
func percent(share float64) string { return fmt.Sprintf("%.4g %%", 100*share) }

// checks tells how expectations came out.
func (p *comparePage) checks() {
	if len(p.report.Checks) == 0 {
		return
	}
	p.heading(2, "Expectations")
	t := Table{
		Columns: []string{"expected", "of", "result", "found"},
		Caption: "Passed where the whole interval is as expected, failed where the whole interval is not, else undecided: more games may decide it.",
	}
	for i := range p.report.Checks {
		c := &p.report.Checks[i]
		found := c.Answer
		if c.Interval != nil {
			found = p.metric(c.Metric, *c.Interval)
		}
		t.Rows = append(t.Rows, []string{c.Expectation, p.arm(c.Variant, c.Nodes), string(c.Result), found})
	}
	p.add(t)
}

// percentage reports whether a metric is a share or a score, which people read in per cent.
func (p *comparePage) percentage(name string) bool {
	for i := range p.report.Metrics {
		if m := &p.report.Metrics[i]; m.Name == name {
			return strings.HasPrefix(m.Unit, "share") || strings.HasPrefix(m.Unit, "points") || m.Unit == "probability"
		}
	}
	return false
}

// metric writes an estimate of a metric.
func (p *comparePage) metric(name string, i stats.Interval) string {
	if p.percentage(name) {
		return shareCell(i)
	}
	return numberCell(i)
}

// difference writes a difference in a metric, of shares in percentage points.
func (p *comparePage) difference(name string, i stats.Interval) string {
	return differenceCell(i, p.percentage(name))
}

// size writes how great a difference is that is neither more nor less.
func (p *comparePage) size(name string, x float64) string {
	if p.percentage(name) {
		return fmt.Sprintf("%.1f points", 100*x)
	}
	return figure(x)
}
