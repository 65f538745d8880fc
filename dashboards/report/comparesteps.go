package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/compare"
)

// openingWords returns the flag that gives the openings of a plan.
func openingWords(p *compare.Plan) []string {
	switch {
	case p.OpeningPolicy.Alternates():
		return []string{"--openings", p.OpeningPolicy.Text(p.OpeningPlies)}
	case p.OpeningPlies > 0:
		return []string{"--opening-plies", strconv.Itoa(p.OpeningPlies)}
	case !p.FromStart():
		return []string{"--openings", "suite"}
	}
	return nil
}

// steps adds what to try next.
func (c *compareText) steps(f *First) {
	r := c.report
	names := each(r.Plan.Variants, func(v *compare.Variant) string { return pasteable(v.Name, v.Digest) })
	more := c.strengthGames()
	if r.Against != nil {
		for i := range r.Against.Comparisons {
			if x := &r.Against.Comparisons[i]; x.Verdict == compare.Undecided {
				if games, ok := moreOfEach(x); ok {
					more = max(more, games)
				}
			}
		}
	}
	if more > 0 {
		words := append([]string{"sandtable", "compare"}, names...)
		words = append(words, "--games", strconv.FormatInt(roundUp(r.Plan.Games+more), 10))
		if agent := r.Plan.Budgets[0].Agent; !strings.Contains(agent, "sha256:") {
			words = append(words, "--agent", agent)
		}
		var nodes []string
		for _, b := range r.Plan.Budgets {
			nodes = append(nodes, strconv.FormatInt(b.Nodes, 10))
		}
		if nodes[0] == "0" {
			nodes[0] = "none"
		}
		words = append(words, "--budgets", strings.Join(nodes, ","))
		words = append(words, openingWords(r.Plan)...)
		f.step("Play enough games to answer the open questions", words...)
	}
	f.step("Measure what each piece is worth", "sandtable", "balance", "--handicap", names[len(names)-1])
	if changed, what := tweak(names[0], r.Plan.Variants[0].Digest); changed != "" && !slices.Contains(names, changed) {
		f.step("Try a change of the rules"+inBrackets(what), "sandtable", "compare", names[0], changed)
	} else {
		f.step("List the rules that can be changed", "sandtable", "rules", names[0])
	}
	if other := sibling(r.Plan.Variants[0].Name); len(names) < 3 && other != "" && !slices.Contains(names, other) {
		f.step("Try another rule set", "sandtable", "compare", names[0], other)
	}
}

// matters returns the size of a difference that a comparison is advised to look for: the
// difference that was seen or, if that is smaller, the margin.
func matters(x *compare.Comparison) float64 {
	margin := x.Margin
	switch {
	case margin > 0:
	case textOf(x.Metric).percent:
		margin = 0.02
	default:
		margin = 0.05 * math.Abs(x.Baseline.Estimate)
	}
	return math.Max(margin, math.Abs(x.Difference.Estimate))
}

// moreOfEach returns how many more games of each variant a comparison needs.
func moreOfEach(x *compare.Comparison) (games int64, ok bool) {
	more, ok := moreGames(x.Difference, matters(x))
	return roundUp((more + 1) / 2), ok
}
