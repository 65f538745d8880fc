package report

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// effectName names a handicap: "Colonel removed", "last Colonel removed", "attack house, one
// fewer", "Light Tank speed+1".
func effectName(e *handicap.Effect) string {
	switch {
	case e.Attribute != "":
		return fmt.Sprintf("%s %s%+d", e.Type, e.Attribute, e.By)
	case e.Last:
		return "last " + e.Type + " removed"
	case e.Counted:
		return e.Type + ", one fewer"
	}
	return e.Type + " removed"
}

// handicapped describes the side with a handicap.
func handicapped(e *handicap.Effect) string {
	switch {
	case e.Attribute != "":
		return fmt.Sprintf("a side with %s %s for every %s", e.Attribute, signedCount(e.By), e.Type)
	case e.Last:
		return fmt.Sprintf("a side without any %s, against a side with one,", e.Type)
	case e.Counted:
		return fmt.Sprintf("a side with one fewer in one %s", e.Type)
	}
	return fmt.Sprintf("a side without one %s", e.Type)
}

// signedCount formats an integer with its sign.
func signedCount(n int) string { return Decimal("%+.0f", float64(n)) }

// points formats a difference of shares in percentage points, each number by a verb.
func points(verb string, i stats.Interval) string {
	write := func(x float64) string { return Decimal(verb, 100*x) }
	return fmt.Sprintf("%s points (%s to %s)", write(i.Estimate), write(i.Low), write(i.High))
}

// negative returns −i.
func negative(i stats.Interval) stats.Interval {
	i.Estimate, i.Low, i.High = -i.Estimate, -i.High, -i.Low
	return i
}

// effectAnswer says what a handicap costs.
func effectAnswer(e *handicap.Effect) string {
	games := func(s *handicap.Seat) int64 { return s.Wins + s.Draws + s.Losses }
	first, second := &e.Seats[0], &e.Seats[1]
	side := handicapped(e)
	switch {
	case games(first)+games(second) == 0:
		return "No game has a result."
	case games(first) < 2 || games(second) < 2:
		return "Too few games of one seat have a result."
	case first.Draws == games(first) && second.Draws == games(second):
		return fmt.Sprintf("All %s games were drawn, so they do not show what the handicap costs; play another agent.", Count(games(first)+games(second)))
	case !significant(e.Adjusted):
		text := fmt.Sprintf("Too few games to tell: %s scores %s, and 50 %% is even.", side, Share(e.Score))
		if pairs, ok := pairsNeeded([]*handicap.Effect{e}); ok {
			text += fmt.Sprintf(" About %s pairs of games would show it.", Count(pairs))
		}
		if d := e.Detectable; d != nil {
			text += fmt.Sprintf(" The games find a loss of %.1f points with a probability of %s.", 100*d.Loss, percent(d.Power))
		}
		return text
	case e.Loss.Estimate > 0:
		return fmt.Sprintf("%s scores %s instead of 50 %%: it loses %s.", capital(side), Share(e.Score), points("%.1f", e.Loss))
	}
	return fmt.Sprintf("%s scores %s instead of 50 %%: it gains %s.", capital(side), Share(e.Score), points("%.1f", negative(e.Loss)))
}

// effectProblems say why a handicap has no value in units, and regressionProblems why
// there is nothing to compare a removal with.
var (
	effectProblems = map[handicap.Problem]string{ // constant
		handicap.NoUnit:        "no removal was played that could be the unit",
		handicap.UnitNotPlayed: "the removal of the unit, {unit}, was not played",
		handicap.UnitUncertain: "too few games to tell whether the unit, {unit}, costs anything; " +
			"choose another unit, or play more games",
		handicap.FewResults:     "too few games have a result",
		handicap.UnitFewResults: "too few games without the unit have a result",
		handicap.UnitHelps:      "removing the unit, {unit}, helps; choose another unit",
		handicap.Unbounded:      "one side won everything, so the ratio of odds has no bounds",
	}
	regressionProblems = map[handicap.Problem]string{ // constant
		handicap.NoControl:    "there are no games of the unchanged rules",
		handicap.FewResults:   "a seat has no game with a result",
		handicap.Unbounded:    "counting does not bound the score",
		handicap.NoRegression: "the count has no such type",
	}
)

func effectProblem(e *handicap.Effect, unit string) string {
	return phrase(effectProblems, e.Problem, "{unit}", unit)
}

func regressionProblem(c *handicap.Comparison) string {
	if c.Problem == handicap.NoRegression && !c.Missing.None() {
		return uncapital(strings.TrimSuffix(phaseAnswer(c.Missing), "."))
	}
	return phrase(regressionProblems, c.Problem)
}

// uncapital returns the text with its first letter in lower case.
func uncapital(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// regressionAnswer says whether experiment and regression agree.
func regressionAnswer(c *handicap.Comparison) string {
	if c.Problem != handicap.NoProblem {
		return fmt.Sprintf("No comparison: %s.", regressionProblem(c))
	}
	both := fmt.Sprintf("A side that is one piece ahead scores %s by counting and %s by experiment: ", Share(c.Regression), Share(c.Causal))
	switch {
	case !significant(c.Adjusted):
		return both + "too few games to tell whether they differ."
	case c.Difference.Estimate > 0:
		return both + "the score by counting is higher."
	}
	return both + "the score by counting is lower."
}

// curveAnswer says whether an attribute matters.
func curveAnswer(c *handicap.Curve) string {
	from := fmt.Sprintf("from %s %s to %s", c.Attribute, signedCount(c.Points[0].By), signedCount(c.Points[len(c.Points)-1].By))
	switch {
	case !significant(c.Adjusted):
		return fmt.Sprintf("Too few games to tell whether the score of the side changes %s: the difference is %s.", from, points("%.1f", c.Rise))
	case c.Rise.Estimate > 0:
		return fmt.Sprintf("%s the score of the side rises by %s.", capital(from), points("%.1f", c.Rise))
	}
	return fmt.Sprintf("%s the score of the side falls by %s.", capital(from), points("%.1f", negative(c.Rise)))
}

// handicapAnswer lists the effects, the greatest loss first.
func handicapAnswer(r *handicap.Report) string {
	var costs, gains, open []string
	for _, e := range byLoss(r) {
		switch name := effectName(e); {
		case !significant(e.Adjusted):
			open = append(open, name)
		case e.Loss.Estimate > 0:
			costs = append(costs, fmt.Sprintf("%s (%.1f points)", name, 100*e.Loss.Estimate))
		default:
			gains = append(gains, fmt.Sprintf("%s (%.1f points)", name, -100*e.Loss.Estimate))
		}
	}
	var parts []string
	for _, part := range []struct {
		what string
		list []string
	}{
		{"The side with the handicap loses by", costs}, {"It gains by", gains}, {"Too few games to tell", open},
	} {
		if len(part.list) > 0 {
			parts = append(parts, part.what+": "+strings.Join(part.list, ", ")+".")
		}
	}
	if len(parts) == 0 {
		return "No game was played."
	}
	return strings.Join(parts, " ")
}

// handicapNoteTexts are the sentences of notes on an experiment.
var handicapNoteTexts = map[handicap.NoteKind]string{ // constant
	handicap.MissingGames:  "Missing games: {cases}.",
	handicap.CutOffGames:   "Games without a result because of the ply limit: {cases}. If they differ from the other games, scores are biased.",
	handicap.FailedGames:   "Games lost by a program that crashed, ran out of time or played an illegal move: {cases}. Scores exclude them.",
	handicap.FewSeatGames:  "Fewer than {few} games with a result for one seat: {cases}. Their intervals are unreliable.",
	handicap.RepeatedGames: "Distinct games: {cases}. Repeated games add no information, so intervals are too narrow. Use --openings sampled:K with more plies, or an agent with noise.",
	handicap.DecidedEarly:  "Games that ended within two plies of the agents' taking over: {cases}. The opening decided them. Use --openings start or --openings sampled:K, or fewer plies.",
	handicap.FewOpenings:   "Distinct openings: {cases}. The numbers hold for these openings, not for others.",
	handicap.Helped: "Removing a piece helped: {cases}. This may reflect the agent rather than the piece; " +
		"repeat the experiment with a stronger agent (more nodes per move).",
	handicap.OtherAgents: "Other agents played the games of the unchanged rules: {agents}. Differences from the experiment may be due to the agents.",
	handicap.OtherOpenings: "The games of the unchanged rules have another number of random plies than the experiment, or start from other positions. " +
		"Differences from the experiment may be due to this.",
}

// handicapNotes puts the notes of a report into sentences.
func handicapNotes(r *handicap.Report) []string {
	var list []string
	agents := ""
	if r.Control != nil {
		agents = strings.Join(r.Control.Data.Agents, "; ")
	}
	for _, n := range r.Notes {
		cases := each(n.Cases, func(c *handicap.Case) string {
			name := effectName(&r.Handicaps[c.Handicap])
			if c.Of > 0 {
				name += fmt.Sprintf(" (%s of %s)", Count(c.Count), Count(c.Of))
			}
			return name
		})
		list = append(list, phrase(handicapNoteTexts, n.Kind, "{cases}", strings.Join(cases, ", "), "{few}", fmt.Sprint(handicap.FewGames), "{agents}", agents))
	}
	return append(list, "All results hold for the agent that played both sides, and for pieces that are missing or changed from the start of the game.")
}
