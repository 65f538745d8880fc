package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

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
	stronger := ""
	if len(r.Plan.Budgets) > 1 {
		stronger = fmt.Sprintf("With %s per move (the stronger player), ", number(top[0].Nodes, "node"))
	}
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
		answers = append(answers, c.changed(stronger, c.letterOf(o.Variant), found, len(others) == 1)...)
		stronger = ""
		uneven := func(x *compare.Comparison) bool { return x.Metric == "first_score" && x.Verdict == compare.Differs }
		if at := slices.IndexFunc(found, uneven); len(others) == 1 && at >= 0 {
			answers = append(answers, c.evener(&top[0], o, found[at])...)
		}
	}
	answers = append(answers, c.weakerAnswer()...)
	if !c.firstMove() {
		answers = append(answers, "The first player's score after an opening is not the worth of moving first.")
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
	var parts, open []string
	for i := range b.Types {
		t := &b.Types[i]
		if t.Type == b.Units[0] || len(t.Variants) == 0 || len(parts) == mostNamed {
			continue
		}
		if worth(&t.Variants[0]) == "unknown" {
			if t.Variants[0].Value != nil {
				open = append(open, t.Type)
			}
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
	text := fmt.Sprintf("The worth of one piece, where one %s is 1: %s.", b.Units[0], strings.Join(parts, "; "))
	if len(open) > 0 {
		text += fmt.Sprintf(" T%s what %s is worth.", tooFew, listed(open))
	}
	return []string{text}
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

// changed says what a variant changes, by its comparisons with one budget, which before
// names in front of the first sentence. numbers says that
// open questions have their numbers, and that it also names what stays the same.
func (c *compareText) changed(before, name string, list []*compare.Comparison, numbers bool) []string {
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
		return []string{fmt.Sprintf("%s%s changes nothing beyond the margins.", before, name)}
	case len(found) > 0:
		texts = append(texts, capital(fmt.Sprintf("%sin %s %s.", before, name, listed(found))))
		before = ""
	}
	if len(open) > 0 {
		text := capital(fmt.Sprintf("%stoo few games to tell whether %s changes %s.", before, name, listed(open)))
		if more > 0 {
			text += fmt.Sprintf(" About %s more games of each variant would show it.", Count(more))
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

// evener says whom two variants favour, and which is more even. between compares their first
// players' scores.
func (c *compareText) evener(a, b *compare.Outcomes, between *compare.Comparison) []string {
	x, y := estimate(a.Estimates, "first_score").Interval, estimate(b.Estimates, "first_score").Interval
	if x == nil || y == nil {
		return nil
	}
	nearX, farX := offEven(*x)
	nearY, farY := offEven(*y)
	verdict := ""
	switch {
	case farX < nearY:
		verdict = " A is more even."
	case farY < nearX:
		verdict = " B is more even."
	case farX <= evenScore && farY <= evenScore:
	default:
		apart := math.Abs(math.Abs(x.Estimate-0.5) - math.Abs(y.Estimate-0.5))
		if more, ok := moreGames(between.Difference, math.Max(apart, evenScore)); ok {
			verdict = fmt.Sprintf(" About %s more games of each variant would show which is more even.", Count(roundUp((more+1)/2)))
		}
	}
	return []string{favours("A", *x, a.Games) + " " + favours("B", *y, b.Games) + verdict}
}

// favours says which player a variant favours, as far as the first player's score shows.
func favours(name string, score stats.Interval, games int64) string {
	scores := fmt.Sprintf("(first player %.1f %%, probably %.1f to %.1f, n = %s)", 100*score.Estimate, 100*score.Low, 100*score.High, Count(games))
	_, far := offEven(score)
	switch {
	case far <= evenScore:
		return fmt.Sprintf("%s is even within %s points of 100 %s.", name, whole(evenScore), scores)
	case score.Low > 0.5:
		return fmt.Sprintf("%s favours the first player %s.", name, scores)
	case score.High < 0.5:
		return fmt.Sprintf("%s favours the second player %s.", name, scores)
	}
	return fmt.Sprintf("%s may be even %s: %s cannot exclude an advantage of %.1f points of 100.", name, scores, number(games, "game"), 100*far)
}

// weakerAnswer says how the first two variants score with the smallest budget, if there are
// several.
func (c *compareText) weakerAnswer() []string {
	budgets := len(c.report.Plan.Budgets)
	if budgets < 2 || len(c.report.Outcomes) != 2*budgets {
		return nil
	}
	var parts []string
	for i := 0; i < len(c.report.Outcomes); i += budgets {
		o := &c.report.Outcomes[i]
		score, draws := estimate(o.Estimates, "first_score").Interval, estimate(o.Estimates, "draws").Interval
		if score == nil || draws == nil {
			return nil
		}
		parts = append(parts, fmt.Sprintf("in %s the first player scores %s and %s of games are drawn", c.letterOf(o.Variant), Share(*score), Share(*draws)))
	}
	return []string{capital(fmt.Sprintf("%s, %s.", strings.TrimPrefix(with(c.report.Outcomes[0].Nodes)+" per move (the weaker player)", " "), listed(parts)))}
}

// offEven returns the least and the greatest distance of an interval from ½.
func offEven(i stats.Interval) (near, far float64) {
	return math.Max(0, math.Max(i.Low-0.5, 0.5-i.High)), math.Max(math.Abs(i.Low-0.5), math.Abs(i.High-0.5))
}

// strengthChanges lists what the first screen says of the dependence on the budget: the
// changes of the differences or, for a single variant, of its numbers.
func (c *compareText) strengthChanges() []compare.Change {
	switch x := c.report.Interaction; {
	case x == nil:
		return nil
	case c.report.Against == nil:
		return x.ByVariant
	default:
		return x.Against
	}
}

// strengthGames returns how many more games of each variant with each budget show whether
// results depend on the budget; 0 if they do, or if the games do not show it.
func (c *compareText) strengthGames() (games int64) {
	list := c.strengthChanges()
	for i := range list {
		x := &list[i]
		if significant(x.AdjustedP) {
			return 0
		}
		if more, ok := moreGames(x.Change, math.Max(math.Abs(x.Change.Estimate), evenScore)); ok && textOf(x.Metric).percent {
			games = max(games, roundUp(more/int64(len(c.report.Plan.Budgets))))
		}
	}
	return games
}

// strengthAnswer says whether the results depend on the budget.
func (c *compareText) strengthAnswer() []string {
	x := c.report.Interaction
	if x == nil {
		return nil
	}
	list := c.strengthChanges()
	subject, plural, differs := "the difference between A and B", "s", "it differs"
	switch {
	case c.report.Against == nil:
		subject = "the result"
	case len(c.report.Plan.Variants) > 2:
		subject, plural, differs = "the differences from A", "", "they differ"
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
		text := fmt.Sprintf("Too few games to tell whether %s on how strong the players are (%s nodes per move, or %s).", subject+" depend"+plural, Count(x.Low), Count(x.High))
		if games := c.strengthGames(); games > 0 {
			text += fmt.Sprintf(" About %s more games with each budget would show it.", Count(games))
		}
		return []string{text}
	}
	return []string{fmt.Sprintf("%s depend%s on how strong the players are: with %s nodes per move instead of %s %s in %s.", capital(subject), plural, Count(x.High), Count(x.Low), differs, strings.Join(depends, " and "))}
}
