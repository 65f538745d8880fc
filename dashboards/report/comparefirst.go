package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

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
			f.About = append(f.About, fmt.Sprintf("A is %s, played by the agent %s against itself.", short(v.Name), c.agent()))
		}
	}
	f.About = append(f.About, c.gamesText())
	f.Answers = append(c.checkAnswers(), c.firstAnswers()...)
	top := c.topArms()
	for i := range top[:min(len(top), mostRows)] {
		f.Lights = append(f.Lights, c.armLights(&top[i])...)
	}
	f.Lights = append(f.Lights, doubtsLight(each(r.Health.Warnings, func(w *compare.Warning) compare.Problem { return w.Problem })))
	c.firstTable(&f)
	c.firstFigure(&f, top[:min(len(top), mostRows)])
	c.steps(&f)
	return f
}

// checkAnswers says which expectations hold.
func (c *compareText) checkAnswers() []string {
	passed := 0
	var others []string
	for i := range c.report.Checks {
		if x := &c.report.Checks[i]; x.Result == compare.Passed {
			passed++
		} else {
			others = append(others, CheckText(x))
		}
	}
	if len(c.report.Checks) == 0 {
		return nil
	}
	text := fmt.Sprintf("Expectations: %d of %d passed.", passed, len(c.report.Checks))
	if len(others) > mostNamed {
		others = append(others[:mostNamed], fmt.Sprintf("%d more did not pass", len(others)-mostNamed))
	}
	return append([]string{text}, others...)
}

// agent names the agent without its budget, which the games name.
func (c *compareText) agent() string {
	if c.budgets() == "" {
		return agentName(c.report.Plan.Budgets[0].Agent)
	}
	return agentName(c.report.Plan.Budgets[0].Agent, "nodes")
}

// gamesText says what was played.
func (c *compareText) gamesText() string {
	r := c.report
	games := r.Plan.Games
	if r.Sequential != nil {
		games = r.Sequential.Games
	}
	text := fmt.Sprintf("%s of each variant", number(games, "game"))
	if nodes := c.budgets(); nodes != "" {
		text += " with " + nodes
	}
	return text + "; " + startText(c.fromStart()) + "."
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

// letterOf returns the letter of a variant.
func (c *compareText) letterOf(variant string) string {
	return letter(slices.IndexFunc(c.report.Plan.Variants, func(v compare.Variant) bool { return v.Name == variant }))
}

// firstAnswers says what the other variants change with the highest budget.
func (c *compareText) firstAnswers() []string {
	r := c.report
	top := c.topArms()
	if len(top) == 0 || r.Against == nil {
		return c.ownAnswers(top)
	}
	var answers []string
	others := top[1:]
	for i := range others {
		o := &others[i]
		if i == mostSentences {
			answers = append(answers, fmt.Sprintf("%s more: see the questions below.", number(int64(len(others)-i), "variant")))
			break
		}
		var found []*compare.Comparison
		for j := range r.Against.Comparisons {
			if x := &r.Against.Comparisons[j]; x.Variant == o.Variant && x.Nodes == o.Nodes {
				found = append(found, x)
			}
		}
		answers = append(answers, c.changed(c.letterOf(o.Variant), found, len(others) == 1)...)
		uneven := func(x *compare.Comparison) bool { return x.Metric == "first_score" && x.Verdict == compare.Differs }
		if len(others) == 1 && slices.ContainsFunc(found, uneven) {
			answers = append(answers, c.evener(&top[0], o)...)
		}
	}
	if !c.firstMove() {
		answers = append(answers, "The first player's score after an opening is not the worth of moving first: it depends on whose turn it is when the opening ends.")
	}
	answers = append(answers, c.strengthAnswer()...)
	return append(answers, c.worthAnswer()...)
}

// worthAnswer says what the pieces of the first two variants are worth with the highest
// budget.
func (c *compareText) worthAnswer() []string {
	budgets := c.report.Values.Budgets
	if len(budgets) == 0 || len(budgets[len(budgets)-1].Units) == 0 {
		return nil
	}
	b := &budgets[len(budgets)-1]
	worth := func(v *compare.VariantValue) string {
		if v.Value == nil || v.Value.Low <= 0 || v.Value.High > 2*v.Value.Low {
			return "unknown"
		}
		return Decimal("%.1f", v.Value.Estimate)
	}
	var parts []string
	for i := range b.Types {
		t := &b.Types[i]
		if t.Type == b.Units[0] || len(t.Variants) == 0 || worth(&t.Variants[0]) == "unknown" || len(parts) == mostNamed {
			continue
		}
		part := t.Type + " " + worth(&t.Variants[0])
		if len(t.Variants) > 1 && !t.Variants[1].Absent {
			part += " in A and " + worth(&t.Variants[1]) + " in B"
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("The worth of one piece, where one %s is 1: %s.", b.Units[0], strings.Join(parts, "; "))}
}

// ownAnswers describes a single variant.
func (c *compareText) ownAnswers(top []compare.Outcomes) []string {
	if len(top) == 0 || top[0].Games == 0 {
		return []string{"No game has a result."}
	}
	o := &top[0]
	var answers []string
	if score := estimate(o.Estimates, "first_score").Interval; score != nil {
		shown := score.Low > 0.5 || score.High < 0.5
		if mover := estimate(o.Estimates, "mover_score").Interval; !c.firstMove() && mover != nil {
			answers = append(answers, moverSentence(*mover))
		} else {
			answers = append(answers, seatSentence(c.report.Provenance.Variants[0].Players[0]+", who moves first,", *score, shown))
		}
	}
	draws, length := estimate(o.Estimates, "draws").Interval, estimate(o.Estimates, "length").Interval
	if draws != nil && length != nil {
		answers = append(answers, drawsAndLength(draws.Estimate, length.Estimate))
	}
	answers = append(answers, c.worthAnswer()...)
	return append(answers, c.strengthAnswer()...)
}

// changed says what a variant changes, by its comparisons with one budget. numbers says that
// open questions have their numbers, and that it also names what stays the same.
func (c *compareText) changed(name string, list []*compare.Comparison, numbers bool) []string {
	var found, open []string
	more := int64(0)
	for _, x := range list {
		texts, ok := findingTexts[x.Metric]
		if !ok {
			the := textOf(x.Metric).the
			texts = [3]string{the + " is {x} instead of {y}", the + " is about the same ({x} and {y})", the}
		}
		write := func(text string) string {
			return strings.NewReplacer("{x}", plainNumber(x.Metric, x.Estimate), "{y}", plainNumber(x.Metric, x.Baseline)).Replace(text)
		}
		switch x.Verdict {
		case compare.Differs, compare.DiffersSlightly:
			found = append(found, write(texts[0]))
		case compare.Equivalent:
			if numbers {
				found = append(found, write(texts[1]))
			}
		default:
			question := texts[2]
			if numbers {
				question += write(" ({y} in A, {x} in " + name + ")")
			}
			open = append(open, question)
			if games, ok := moreOfEach(x); ok {
				more = max(more, games)
			}
		}
	}
	var texts []string
	switch {
	case len(list) == 0:
		return []string{fmt.Sprintf("%s cannot be compared, because no game has a result.", name)}
	case len(found)+len(open) == 0:
		return []string{fmt.Sprintf("%s changes nothing beyond the margins.", name)}
	case len(found) > 0:
		texts = append(texts, fmt.Sprintf("In %s %s.", name, listed(found)))
	}
	if len(open) > 0 {
		text := fmt.Sprintf("Too few games to tell whether %s changes %s.", name, listed(open))
		if more > 0 {
			text += fmt.Sprintf(" About %s more games of each variant would.", Count(more))
		}
		texts = append(texts, text)
	}
	return texts
}

// findingTexts are the words for a comparison in a main metric: a difference, agreement
// within the margin, and the name of the number. {x} and {y} stand for both numbers.
var findingTexts = map[string][3]string{ // constant
	"first_score": {"the first player scores {x} instead of {y}", "the first player scores about the same ({x} and {y})", "the first player's score"},
	"draws":       {"{x} of games are drawn instead of {y}", "about as many games are drawn ({x} and {y})", "the share of draws"},
	"length":      {"games take {x} plies instead of {y}", "games take about as long ({x} and {y} plies)", "the number of plies per game"},
}

func plainNumber(metric string, i stats.Interval) string {
	if textOf(metric).percent {
		return fmt.Sprintf("%.1f %%", 100*i.Estimate)
	}
	return figure(i.Estimate)
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

// evener says whom two variants favour, and which is more even.
func (c *compareText) evener(a, b *compare.Outcomes) []string {
	x, y := estimate(a.Estimates, "first_score").Interval, estimate(b.Estimates, "first_score").Interval
	if x == nil || y == nil {
		return nil
	}
	nearX, farX := offEven(*x)
	nearY, farY := offEven(*y)
	verdict := "Neither is clearly more even."
	switch {
	case farX < nearY:
		verdict = "A is more even."
	case farY < nearX:
		verdict = "B is more even."
	case firstMoveLight(*x, true).State == Good && firstMoveLight(*y, true).State == Good:
		verdict = "Both are even."
	}
	return []string{fmt.Sprintf("A favours %s, B %s. %s", favours(*x), favours(*y), verdict)}
}

// favours says which player a first player's score favours.
func favours(score stats.Interval) string {
	switch by := 100 * (score.Estimate - 0.5); {
	case by >= 0.05:
		return fmt.Sprintf("the first player by %.1f points of 100", by)
	case by <= -0.05:
		return fmt.Sprintf("the second player by %.1f points of 100", -by)
	}
	return "neither player"
}

// offEven returns the least and the greatest distance of an interval from ½.
func offEven(i stats.Interval) (near, far float64) {
	return math.Max(0, math.Max(i.Low-0.5, 0.5-i.High)), math.Max(math.Abs(i.Low-0.5), math.Abs(i.High-0.5))
}

// strengthAnswer says whether the results depend on the budget.
func (c *compareText) strengthAnswer() []string {
	x := c.report.Interaction
	if x == nil {
		return nil
	}
	list, what := x.Against, "What the rules change"
	if c.report.Against == nil {
		list, what = x.ByVariant, "The game"
	}
	var depends []string
	for i := range list {
		if significant(list[i].AdjustedP) {
			depends = append(depends, textOf(list[i].Metric).the)
		}
	}
	slices.Sort(depends)
	depends = slices.Compact(depends)
	switch {
	case len(list) == 0:
		return nil
	case len(depends) == 0:
		return []string{fmt.Sprintf("Too few games to tell whether this depends on how strong the players are (%s nodes per move, or %s).", Count(x.Low), Count(x.High))}
	}
	return []string{fmt.Sprintf("%s depends on how strong the players are: with %s nodes per move instead of %s it differs in %s.", what, Count(x.High), Count(x.Low), strings.Join(depends, " and "))}
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
		Table: Table{Caption: fmt.Sprintf("Shares of games that the first player won, that were drawn and that the second player won%s, n = %s games in all.", with(top[0].Nodes), Count(games))}}
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
	more := int64(0)
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
	f.step("Measure what each piece is worth by games in which one side lacks it", "sandtable", "balance", "--handicap", names[len(names)-1])
	if changed := tweak(names[0], r.Plan.Variants[0].Digest); changed != "" && !slices.Contains(names, changed) {
		f.step("Try a change of the rules; sandtable rules lists what can be changed", "sandtable", "compare", names[0], changed)
	} else {
		f.step("List the rules that can be changed", "sandtable", "rules", names[0])
	}
	if other := sibling(r.Plan.Variants[0].Name); other != "" && !slices.Contains(names, other) {
		f.step("Try another rule set", "sandtable", "compare", names[0], other)
	}
}
