package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// handicapFirst returns the first screen of a report on handicaps.
func handicapFirst(r *handicap.Report) First {
	var f First
	f.draw(r.Variant, variantOf(r.Variant, r.Digest, r.Rules))
	games, draws := int64(0), int64(0)
	for i := range r.Handicaps {
		e := &r.Handicaps[i]
		games, draws = games+e.Games, draws+e.Seats[0].Draws+e.Seats[1].Draws
	}
	f.About = []string{fmt.Sprintf("%s played %s of %s against itself. In each game one side begins with a handicap, either player equally often.",
		agentNames([]string{r.Agent})[0], number(games, "game"), r.Variant)}
	f.Answers = handicapAnswers(r)
	if c := r.Control; c != nil && c.First.N > 0 {
		light := firstMoveLight(c.First, c.Data.MeasuresFirstMove())
		f.Lights = append(f.Lights, light)
	}
	f.Lights = append(f.Lights, drawsLight(stats.Wilson(draws, games, stats.Level)))
	f.Lights = append(f.Lights, doubtsLight(each(r.Notes, func(n *handicap.Note) handicap.NoteKind { return n.Kind })))
	f.openDoubts()
	f.handicapLosses(r)
	f.handicapSteps(r)
	return f
}

// byLoss lists the handicaps, the greatest loss first.
func byLoss(r *handicap.Report) []*handicap.Effect {
	order := make([]*handicap.Effect, len(r.Handicaps))
	for i := range order {
		order[i] = &r.Handicaps[i]
	}
	slices.SortStableFunc(order, func(a, b *handicap.Effect) int { return cmp.Compare(b.Loss.Estimate, a.Loss.Estimate) })
	return order
}

// handicapAnswers says what the handicaps cost.
func handicapAnswers(r *handicap.Report) []string {
	var costs, open []*handicap.Effect
	var answers []string
	order := byLoss(r)
	slices.SortStableFunc(order, func(a, b *handicap.Effect) int {
		return cmp.Compare(math.Abs(b.Loss.Estimate), math.Abs(a.Loss.Estimate))
	})
	for _, e := range order {
		switch {
		case e.Games == 0:
		case !significant(e.Adjusted):
			open = append(open, e)
		default:
			costs = append(costs, e)
		}
	}
	for i, e := range costs {
		if i == mostSentences {
			answers = append(answers, fmt.Sprintf("%s more: see the questions below.", number(int64(len(costs)-i), "handicap")))
			break
		}
		answers = append(answers, costSentence(e, r.Unit))
	}
	if len(open) > 0 {
		answers = append(answers, undecidedSentence(open))
	}
	if len(answers) == 0 {
		answers = append(answers, "No game with a handicap has a result.")
	}
	return append(answers, ordinarySentence(r)...)
}

// ordinarySentence says for which types counts of pieces in ordinary games give another
// worth, and why.
func ordinarySentence(r *handicap.Report) []string {
	var more, less []string
	compared := 0
	for i := range r.Handicaps {
		e := &r.Handicaps[i]
		c := e.Regression
		if c == nil || c.Problem != handicap.NoProblem {
			continue
		}
		compared++
		switch {
		case !significant(c.Adjusted):
		case c.Difference.Estimate > 0:
			more = append(more, e.Type)
		default:
			less = append(less, e.Type)
		}
	}
	var parts []string
	if len(more) > 0 {
		parts = append(parts, "greater for "+listed(more))
	}
	if len(less) > 0 {
		parts = append(parts, "smaller for "+listed(less))
	}
	switch {
	case compared == 0:
		return nil
	case len(parts) == 0:
		return []string{"Counts of pieces in ordinary games do not contradict these numbers."}
	}
	return []string{fmt.Sprintf("Counts of ordinary games give a worth that is %s: they include all that goes with being ahead.", listed(parts))}
}

// costSentence says what a handicap costs or gains.
func costSentence(e *handicap.Effect, unit string) string {
	verb, by := "loses", 100*e.Loss.Estimate
	if by < 0 {
		verb, by = "gains", -by
	}
	text := fmt.Sprintf("%s scores %s instead of 50 %%: it %s %.1f points of 100.", capital(handicapped(e)), probably(e.Score), verb, by)
	switch v := e.Value; {
	case e.Attribute != "" || e.Last:
	case e.Loss.Estimate < 0:
		text += " This shows a weakness of the agent rather than of the piece."
	case v != nil && v.Estimate > 0 && e.Type != unit && valueCell(v, false) != "no bounds":
		text += fmt.Sprintf(" %s is worth about as much as %s.", capital(oneMore(e.Type, e.Counted)), times(v.Estimate, unit, e.Counted))
	}
	return text
}

// undecidedSentence names the handicaps whose effect is open, and how many games would
// show it.
func undecidedSentence(open []*handicap.Effect) string {
	names := each(open[:min(len(open), mostNamed)], func(e **handicap.Effect) string { return effectName(*e) })
	if len(open) > mostNamed {
		names = append(names, fmt.Sprintf("%d more", len(open)-mostNamed))
	}
	text := fmt.Sprintf("Too few games to tell what these cost: %s.", listed(names))
	if pairs, ok := pairsNeeded(open); ok {
		text += fmt.Sprintf(" About %s pairs of games each would show it.", Count(pairs))
	}
	return text
}

// pairsNeeded returns how many pairs of games in all decide each of some handicaps, in
// round numbers; ok is false if results do not show it.
func pairsNeeded(open []*handicap.Effect) (pairs int64, ok bool) {
	for _, e := range open {
		if e.Needed != nil {
			pairs, ok = max(pairs, roundUp(e.Needed.Pairs)), true
		}
	}
	return pairs, ok
}

// handicapLosses sets the figure and the table of the first screen.
func (f *First) handicapLosses(r *handicap.Report) {
	var list []plot.Estimate
	f.Table.Columns = []string{"handicap", "loss, points of 100", "worth", "n games"}
	if r.Unit != "" {
		f.Table.Columns[2] = "worth in units of " + r.Unit
	}
	rows := slices.DeleteFunc(byLoss(r), func(e *handicap.Effect) bool { return e.Loss.N == 0 })
	rest := max(0, len(rows)-mostRows)
	for range rest { // leave out those with the least effect
		least := slices.MinFunc(rows, func(a, b *handicap.Effect) int {
			return cmp.Compare(math.Abs(a.Loss.Estimate), math.Abs(b.Loss.Estimate))
		})
		rows = slices.DeleteFunc(rows, func(e *handicap.Effect) bool { return e == least })
	}
	for _, e := range rows {
		list = append(list, plot.Estimate{Name: effectName(e), Interval: e.Loss.Times(100)})
		one := e.Value != nil && e.Value.Low == 1 && e.Value.High == 1
		worth := valueCell(e.Value, one)
		if e.Value == nil {
			worth = "unknown"
		}
		f.Table.Rows = append(f.Table.Rows, []string{effectName(e), pointsCell(e.Loss), worth, Count(e.Games)})
	}
	if rest > 0 {
		f.Table.Rows = append(f.Table.Rows, []string{fmt.Sprintf("%d more, folded below", rest)})
	}
	if len(list) > 0 {
		f.bars("Cost of handicaps, "+eachGames(r), "loss, points of 100", 0, list,
			"What each handicap costs, "+eachGames(r)+". The lines show where the true loss probably is; at the broken line the handicap costs nothing.")
	}
}

// handicapSteps adds what to try next.
func (f *First) handicapSteps(r *handicap.Report) {
	name := pasteable(r.Variant, r.Digest)
	var open []*handicap.Effect
	for _, e := range byLoss(r) {
		if !significant(e.Adjusted) {
			open = append(open, e)
		}
	}
	types, changes := together(r, open)
	if pairs, ok := pairsNeeded(open); ok {
		words := []string{"sandtable", "balance", "--handicap", name, "--type", strings.Join(types, ","), "--change", strings.Join(changes, ","), "--pairs", fmt.Sprint(pairs)}
		if !strings.Contains(r.Agent, "sha256:") {
			words = append(words, "--agent", r.Agent)
		}
		f.step("Play enough games of the handicaps that are open", words...)
	}
	f.step("See whether a stronger player values the pieces alike", "sandtable", "balance", "--handicap", name, "--agent", "alphabeta:nodes=2000,noise=2")
	if other := sibling(r.Variant); other != "" {
		f.step("Compare the pieces of another rule set", "sandtable", "compare", name, other)
	}
}

// together returns types and changes that name handicaps, as the flags --type and --change
// do: each change of each type. If these include handicaps that were not played, it returns
// only those of the first.
func together(r *handicap.Report, list []*handicap.Effect) (types, changes []string) {
	change := func(e *handicap.Effect) string {
		return handicap.Change{Attribute: e.Attribute, By: e.By, Last: e.Last}.String()
	}
	for _, e := range list {
		if !slices.Contains(types, e.Type) {
			types = append(types, e.Type)
		}
		if !slices.Contains(changes, change(e)) {
			changes = append(changes, change(e))
		}
	}
	for _, kind := range types {
		for _, by := range changes {
			played := func(e handicap.Effect) bool { return e.Type == kind && change(&e) == by }
			if !slices.ContainsFunc(r.Handicaps, played) {
				return types[:1], changes[:1]
			}
		}
	}
	return types, changes
}
