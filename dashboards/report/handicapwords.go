package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// effectName names a handicap: "Colonel removed", "attack house, one fewer", "Light Tank
// speed+1".
func effectName(e *handicap.Effect) string {
	switch {
	case e.Attribute != "":
		return fmt.Sprintf("%s %s%+d", e.Type, e.Attribute, e.By)
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
	case e.Counted:
		return fmt.Sprintf("a side with one fewer in one %s", e.Type)
	}
	return fmt.Sprintf("a side without one %s", e.Type)
}

// signedCount formats an integer with its sign.
func signedCount(n int) string { return Decimal("%+.0f", float64(n)) }

// points formats a difference of scores in percentage points.
func points(i stats.Interval) string {
	write := func(x float64) string { return Decimal("%.1f", 100*x) }
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
		return fmt.Sprintf("All %s games were drawn, so they show no effect.", Count(games(first)+games(second)))
	case !significant(e.Adjusted):
		text := fmt.Sprintf("No significant effect: %s scores %s, and 50 %% is even.", side, Share(e.Score))
		if d := e.Detectable; d != nil {
			text += fmt.Sprintf(" The games find a loss of %.1f points with a probability of %s.", 100*d.Loss, percent(d.Power))
		}
		return text
	case e.Loss.Estimate > 0:
		return fmt.Sprintf("%s scores %s instead of 50 %%: it loses %s.", capital(side), Share(e.Score), points(e.Loss))
	}
	return fmt.Sprintf("%s scores %s instead of 50 %%: it gains %s.", capital(side), Share(e.Score), points(negative(e.Loss)))
}

// effectProblem says why a handicap has no value in units.
func effectProblem(e *handicap.Effect, unit string) string {
	switch e.Problem {
	case handicap.NoUnit:
		return "no removal was played that could be the unit"
	case handicap.UnitNotPlayed:
		return fmt.Sprintf("the removal of the unit, %s, was not played", unit)
	case handicap.FewResults:
		return "too few games have a result"
	case handicap.UnitFewResults:
		return "too few games without the unit have a result"
	case handicap.UnitHelps:
		return fmt.Sprintf("removing the unit, %s, helps; choose another unit", unit)
	case handicap.UnitUncertain:
		return fmt.Sprintf("the loss of the unit, %s, does not differ significantly from zero; choose another unit, or play more games", unit)
	case handicap.Unbounded:
		return "one side won everything, so the ratio of odds has no bounds"
	}
	return string(e.Problem)
}

// regressionProblem says why there is nothing to compare a removal with.
func regressionProblem(c *handicap.Comparison) string {
	switch c.Problem {
	case handicap.NoControl:
		return "there are no games of the unchanged rules"
	case handicap.FewResults:
		return "a seat has no game with a result"
	case handicap.Unbounded:
		return "the regression does not bound the score"
	case handicap.NoRegression:
		if c.Missing.None() {
			return "the regression has no such type"
		}
		return uncapital(strings.TrimSuffix(phaseAnswer(c.Missing), "."))
	}
	return string(c.Problem)
}

// uncapital returns the text with its first letter in lower case.
func uncapital(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// regressionAnswer says whether experiment and regression agree.
func regressionAnswer(c *handicap.Comparison) string {
	if c.Problem != handicap.NoProblem {
		return fmt.Sprintf("No comparison: %s.", regressionProblem(c))
	}
	both := fmt.Sprintf("A side that is one piece ahead scores %s by regression and %s by experiment: ", Share(c.Regression), Share(c.Causal))
	switch {
	case !significant(c.Adjusted):
		return both + "no significant difference."
	case c.Difference.Estimate > 0:
		return both + "the regression's score is significantly higher."
	}
	return both + "the regression's score is significantly lower."
}

// curveAnswer says whether an attribute matters.
func curveAnswer(c *handicap.Curve) string {
	from := fmt.Sprintf("from %s %s to %s", c.Attribute, signedCount(c.Points[0].By), signedCount(c.Points[len(c.Points)-1].By))
	switch {
	case !significant(c.Adjusted):
		return fmt.Sprintf("The score of the side does not change significantly %s: the difference is %s.", from, points(c.Rise))
	case c.Rise.Estimate > 0:
		return fmt.Sprintf("%s the score of the side rises by %s.", capital(from), points(c.Rise))
	}
	return fmt.Sprintf("%s the score of the side falls by %s.", capital(from), points(negative(c.Rise)))
}

// handicapAnswer lists the effects, the greatest loss first.
func handicapAnswer(r *handicap.Report) string {
	var costs, gains, open []string
	order := make([]*handicap.Effect, len(r.Handicaps))
	for i := range order {
		order[i] = &r.Handicaps[i]
	}
	slices.SortStableFunc(order, func(a, b *handicap.Effect) int { return cmp.Compare(b.Loss.Estimate, a.Loss.Estimate) })
	for _, e := range order {
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
		{"Significant losses of the side with the handicap", costs}, {"Significant gains", gains}, {"No significant effect", open},
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

// handicapNotes puts the notes of a report into sentences.
func handicapNotes(r *handicap.Report) []string {
	var list []string
	for _, n := range r.Notes {
		list = append(list, handicapNote(r, n))
	}
	return append(list, "All results hold for the agent that played both sides, and for pieces that are missing or changed from the start of the game.")
}

func handicapNote(r *handicap.Report, n handicap.Note) string {
	var names []string
	for _, c := range n.Cases {
		name := effectName(&r.Handicaps[c.Handicap])
		if c.Of > 0 {
			name += fmt.Sprintf(" (%s of %s)", Count(c.Count), Count(c.Of))
		}
		names = append(names, name)
	}
	of := strings.Join(names, ", ")
	switch n.Kind {
	case handicap.MissingGames:
		return fmt.Sprintf("Missing games: %s.", of)
	case handicap.CutOffGames:
		return fmt.Sprintf("Games without a result because of the ply limit: %s. If they differ from the other games, scores are biased.", of)
	case handicap.FailedGames:
		return fmt.Sprintf("Games lost by a program that crashed, ran out of time or played an illegal move: %s. Scores exclude them.", of)
	case handicap.FewSeatGames:
		return fmt.Sprintf("Fewer than %d games with a result for one seat: %s. Their intervals are unreliable.", handicap.FewGames, of)
	case handicap.RepeatedGames:
		return fmt.Sprintf("Distinct games: %s. Repeated games add no information, so intervals are too narrow. More random plies or an agent with noise would help.", of)
	case handicap.FewOpenings:
		return fmt.Sprintf("Distinct openings: %s. The numbers hold for these openings, not for others.", of)
	case handicap.Helped:
		return fmt.Sprintf("Removing a piece helped: %s. This may reflect the agent rather than the piece; repeat the experiment with a stronger agent (more nodes per move).", of)
	case handicap.OtherAgents:
		return fmt.Sprintf("Other agents played the games of the unchanged rules: %s. Differences from the experiment may be due to the agents.", strings.Join(r.Control.Data.Agents, "; "))
	case handicap.OtherOpenings:
		return "The games of the unchanged rules have another number of random plies than the experiment, or start from other positions. Differences from the experiment may be due to this."
	}
	return string(n.Kind)
}
