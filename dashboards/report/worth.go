package report

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// The two sentences that say how both ways of measuring a worth relate.
const (
	experimentRelates = "By experiment, one side starts without the piece and nothing else differs, so the number is what the piece itself is worth; " +
		"counting in ordinary games usually gives more."
	regressionRelates = "By counting in ordinary games, the number is how much more often the side wins that is one piece ahead; " +
		"such a side often stands better too, which an experiment excludes."
)

// worthTable adds the worth of each type by both ways of measuring, side by side.
func worthTable(p *Page, r *handicap.Report) {
	if len(r.Worth) == 0 {
		return
	}
	unit := r.Unit
	if unit == "" {
		unit = "the unit"
	}
	p.heading(2, "What is one piece worth, by both ways of measuring?")
	p.say(experimentRelates)
	p.say(regressionRelates)
	for i := range r.Worth {
		if text := relationAnswer(&r.Worth[i], r.Handicaps); text != "" {
			p.say(text)
		}
	}
	t := Table{
		Columns: []string{"piece", "how measured", "score of the side with it", "worth, in units of " + unit, "n"},
		Caption: "Experiment: games from the start in which one side lacks the piece. Last one: games in which one side has the last piece of the type, and all its fellows are gone from both sides. " +
			"Counting: the score of the side that is one ahead and otherwise even in games of the unchanged rules, in the whole game and in its phases.",
	}
	row := func(name, how string, m *handicap.Measured) {
		if m == nil || m.Score == nil {
			return
		}
		one := m.Value != nil && m.Value.Low == 1 && m.Value.High == 1
		t.Rows = append(t.Rows, []string{name, how, shareCell(*m.Score), valueCell(m.Value, one), Count(m.Score.N)})
	}
	for i := range r.Worth {
		w := &r.Worth[i]
		row(w.Type, "experiment", &w.Experiment)
		row(w.Type, "experiment, last one", w.Last)
		row(w.Type, "counting", &w.Regression)
		for k := range w.Phases {
			phase, _, _ := strings.Cut(w.Phases[k].Phase, ":")
			row(w.Type, "counting, "+phase, &w.Phases[k].Measured)
		}
	}
	p.add(t)
}

// relationAnswer says how both worths of a type relate, or "" without a regression.
func relationAnswer(w *handicap.Worth, effects []handicap.Effect) string {
	if w.Relation == handicap.Alone || w.Experiment.Score == nil || w.Regression.Score == nil {
		return ""
	}
	both := fmt.Sprintf("%s: %s by experiment, %s by counting", w.Type, Share(*w.Experiment.Score), Share(*w.Regression.Score))
	switch w.Relation {
	case handicap.Agree:
		return both + fmt.Sprintf("; they agree within %.0f points.", 100*handicap.AgreeMargin)
	case handicap.RegressionMore:
		return both + ". Counting gives more: part of it is that the side stands better, not the piece."
	case handicap.RegressionLess:
		return both + ". Counting gives less: the side gave up something for the piece, or the piece matters more at the start than later."
	}
	text := both + "; too few games to tell whether they differ."
	for i := range effects {
		e := &effects[i]
		if c := e.Regression; c != nil && e.Type == w.Type && c.Needed > 0 {
			text += fmt.Sprintf(" About %s pairs of games would show it.", Count(roundUp(c.Needed)))
		}
	}
	return text
}

// untilAnswer says how an experiment with a precision ended.
func untilAnswer(r *handicap.Report) string {
	what := r.Until.Precision.String()
	if r.Until.Points {
		what = fmt.Sprintf("±%.6g points of 100", 100*r.Until.Within)
	} else if r.Unit != "" {
		what += " of " + article(r.Unit)
	}
	text := fmt.Sprintf("The games of each handicap ended when its number was known to %s, or at the greatest number of games. The intervals allow for the looks in between.", what)
	if len(r.Until.Open) == 0 {
		return text + " All are known so well."
	}
	names := each(r.Until.Open, func(i *int) string { return effectName(&r.Handicaps[*i]) })
	return text + fmt.Sprintf(" Not known so well at the end: %s. More --pairs would help.", listed(names))
}

// BalanceWorth makes the page of a report on balance with the worth of the pieces by an
// experiment beside it.
func BalanceWorth(r *balance.Report, h *handicap.Report) *Page {
	p := Balance(r)
	rest := p.Blocks
	p.Blocks = nil
	worthTable(p, h)
	p.Blocks = append(p.Blocks, rest...)
	if len(h.Worth) > 0 {
		p.First.Answers = append(p.First.Answers, sideBySide(h))
	}
	return p
}

// BalanceWorthJSON returns both reports for encoding as JSON: that of BalanceJSON, with the
// worths under the key worth.
func BalanceWorthJSON(r *balance.Report, h *handicap.Report) any {
	return object{BalanceJSON(r), []member{
		{"worth", worthJSON(h)}, {"worth_unit", h.Unit}, {"worth_relation", []string{experimentRelates, regressionRelates}},
	}}
}

// worthJSON returns the worths of a report with the sentences of their relations.
func worthJSON(h *handicap.Report) []object {
	return answers(h.Worth, func(w *handicap.Worth) string { return relationAnswer(w, h.Handicaps) })
}

// sideBySide names the worths by experiment and by counting in one sentence.
func sideBySide(h *handicap.Report) string {
	var parts []string
	score := func(i *stats.Interval) string { return fmt.Sprintf("%.0f %%", 100*i.Estimate) }
	for i := range h.Worth {
		w := &h.Worth[i]
		if w.Experiment.Score == nil || w.Regression.Score == nil || len(parts) == mostNamed {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s by experiment and %s by counting", w.Type, score(w.Experiment.Score), score(w.Regression.Score)))
	}
	if len(parts) == 0 {
		return experimentRelates
	}
	return "The side with one more scores: " + listed(parts) + ". " + experimentRelates
}

// strengthTable adds how worths change with the strength of the agent.
func strengthTable(p *Page, r *handicap.Report) {
	s := r.Strength
	if s == nil {
		return
	}
	p.heading(2, "Do stronger players value the pieces alike?")
	t := Table{
		Columns: []string{"handicap", fmt.Sprintf("loss with %s nodes", Count(s.Nodes[0])), fmt.Sprintf("with %s", Count(s.Nodes[1])), "moved by, points", "adjusted P"},
		Caption: fmt.Sprintf("The same experiment with %s and with %s nodes per move. Moved by is the loss of the stronger agent minus that of the weaker one. P is adjusted for all handicaps.", Count(s.Nodes[0]), Count(s.Nodes[1])),
	}
	for i := range s.Moves {
		m := &s.Moves[i]
		p.say(moveAnswer(m, s))
		t.Rows = append(t.Rows, []string{m.Name, pointsCell(m.Loss[0]), pointsCell(m.Loss[1]), pointsCell(m.Moved), probability(m.Adjusted)})
	}
	p.add(t)
}

// moveAnswer says whether the loss of a handicap depends on the strength of the agent.
func moveAnswer(m *handicap.Move, s *handicap.Strength) string {
	name := m.Name
	switch {
	case !significant(m.Adjusted):
		text := fmt.Sprintf("%s: too few games to tell whether the loss changes from %s to %s nodes.", name, Count(s.Nodes[0]), Count(s.Nodes[1]))
		if m.Needed > 0 {
			text += fmt.Sprintf(" About %s pairs of games of each would show it.", Count(roundUp(m.Needed)))
		}
		return text
	case m.Moved.Estimate > 0:
		return fmt.Sprintf("%s: stronger players lose more by it, %s.", name, points("%.1f", m.Moved))
	}
	return fmt.Sprintf("%s: stronger players lose less by it, %s.", name, points("%.1f", negative(m.Moved)))
}
