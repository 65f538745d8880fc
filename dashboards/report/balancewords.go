package report

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// balanceNotes puts the notes of a report into sentences.
func balanceNotes(d *balance.Data) []string {
	notes := []string{}
	for _, note := range d.Notes() {
		notes = append(notes, noteText(note, d))
	}
	if d.Episodes > 0 {
		notes = append(notes, fmt.Sprintf("All numbers describe how these agents play: %s.", strings.Join(d.Agents, "; ")))
	}
	return notes
}

func noteText(note balance.Note, d *balance.Data) string {
	switch note {
	case balance.NoGames:
		return "There are no games."
	case balance.OneCluster:
		return "There is only one independent game or pair, so confidence intervals are meaningless."
	case balance.FewClusters:
		return fmt.Sprintf("There are only %d independent games or pairs. With fewer than %d, confidence intervals are unreliable.", d.Clusters, balance.EnoughClusters)
	case balance.CutOff:
		return fmt.Sprintf("%s of %s reached the ply limit and have no result. If they differ from the other games, results and values are biased.", Count(d.Truncated), number(d.Episodes, "game"))
	case balance.Forfeited:
		return fmt.Sprintf("%s of %s were lost by a program that crashed, ran out of time or played an illegal move. Results and values exclude them.", Count(d.Failed), number(d.Episodes, "game"))
	case balance.RepeatedGames:
		return fmt.Sprintf("Only %s of %s sampled games are distinct. Repeated games add no information, so confidence intervals are too narrow.", Count(d.Distinct), Count(d.Sampled))
	case balance.SampleOnly:
		return fmt.Sprintf("Values, mobility, presence, lifetimes and first captures come from an evenly spaced sample of %s.", number(d.Sampled, "game"))
	case balance.FewOpenings:
		return fmt.Sprintf("The games start from %d positions. The numbers hold for these openings, not for others.", d.Openings)
	}
	return string(note)
}

// seatAnswer says which seat has the advantage.
func seatAnswer(s *balance.Seats, players [2]string) string {
	score := Share(s.First.Score)
	switch s.Verdict() {
	case balance.NoResult:
		return "No game has a result, so the seats cannot be compared."
	case balance.OneResult:
		return "Only one game has a result, so the seats cannot be compared."
	case balance.AllDrawn:
		return fmt.Sprintf("All %s games were drawn: neither seat shows an advantage, and values of pieces cannot be estimated.", Count(s.Games))
	case balance.FirstWonAll:
		return fmt.Sprintf("%s, the first player, won all %s games, and scores %s. The seat, or the agent in it, decides the game.", players[0], Count(s.Games), score)
	case balance.SecondWonAll:
		return fmt.Sprintf("%s, the second player, won all %s games, and %s scores %s. The seat, or the agent in it, decides the game.", players[1], Count(s.Games), players[0], score)
	case balance.NoneShown:
		return fmt.Sprintf("Neither seat shows an advantage: %s, the first player, scores %s, and the interval includes 50 %%.", players[0], score)
	case balance.FirstIsBetter:
		return fmt.Sprintf("%s, the first player, has the advantage and scores %s.", players[0], score)
	}
	return fmt.Sprintf("%s, the second player, has the advantage: %s scores %s.", players[1], players[0], score)
}

// differs reports whether an interval of a difference excludes 0.
func differs(i stats.Interval) bool { return i.Low > 0 || i.High < 0 }

// againstAnswer says how the results differ from those of games from elsewhere.
func againstAnswer(s *balance.Seats, players [2]string) string {
	a := s.Against
	if s.Games == 0 {
		return fmt.Sprintf("No game here has a result to compare with those of %s.", a.Name)
	}
	points := func(i stats.Interval) string {
		write := func(x float64) string { return Decimal("%+.1f", 100*x) }
		return fmt.Sprintf("%s points (%s to %s)", write(i.Estimate), write(i.Low), write(i.High))
	}
	text := fmt.Sprintf("%s, the first player, scores %s in the games of %s. ", players[0], Share(a.First.Score), a.Name)
	if differs(a.Score) {
		text += fmt.Sprintf("The score here differs by %s. ", points(a.Score))
	} else {
		text += fmt.Sprintf("The score here does not differ significantly: the difference is %s. ", points(a.Score))
	}
	if differs(a.Draw) {
		text += fmt.Sprintf("The share of draws differs by %s. ", points(a.Draw))
	}
	if a.Same.P < 1-stats.Level {
		return text + "The shares of won, drawn and lost games differ significantly."
	}
	return text + "The shares of won, drawn and lost games do not differ significantly, which does not show that they are equal."
}

// againstAssumptions are the assumptions of a comparison with games from elsewhere.
func againstAssumptions(name string) []string {
	return []string{
		fmt.Sprintf("The games of %s are assumed to be independent. If the same people played many of them, they are not, and intervals are too narrow.", name),
		"The two sets of games differ in more than the players: in strength, in thinking time, in how games start (here some plies may be random), and in which games were finished and counted. A difference reflects all of these together.",
		fmt.Sprintf("The counts of %s are used as given and cannot be checked.", name),
	}
}

// phaseAnswer says why a phase has no values, or none with bounds. It is empty if there is
// no problem.
func phaseAnswer(p balance.Problem) string {
	switch p.Code {
	case "":
		return ""
	case balance.NoPositions:
		return "No sampled game with a result reached this phase."
	case balance.SameResults:
		return "All games have the same result, so values cannot be estimated."
	case balance.AgentDecides:
		return fmt.Sprintf("Where %s plays predicts every result, so values cannot be estimated.", p.Agent)
	case balance.UnitUncertain:
		return fmt.Sprintf("The value of the unit, %s, does not differ significantly from 0, so values in this unit have no bounds. Choose another unit with --unit.", p.Unit)
	}
	return capital(problemText(p)) + "."
}

// valuesAnswer says why there are no values, or none with bounds.
func valuesAnswer(v *balance.Values) string {
	if len(v.Phases) == 0 {
		return "No sampled game has a result and a position after its opening, so values cannot be estimated."
	}
	return phaseAnswer(v.Problem())
}

// problemText says why one type has no value.
func problemText(p balance.Problem) string {
	text := string(p.Code)
	switch p.Code {
	case balance.UnitHarms:
		return fmt.Sprintf("more of the unit, %s, goes with worse results; choose another unit", p.Unit)
	case balance.NeverVaries:
		text = "the difference never varies"
	case balance.Collinear:
		text = "the other types determine its difference"
	case balance.NearlyCollinear:
		text = "the other types nearly determine its difference"
	case balance.Separated:
		text = "it predicts every result: there are too few games, or it decides them"
	case balance.TooFewClusters:
		text = fmt.Sprintf("fewer than %s independent games", Count(p.Clusters))
	}
	if p.Unit != "" {
		return fmt.Sprintf("the unit, %s, has no value: %s", p.Unit, text)
	}
	return text
}

// activityAnswer says why there is no activity.
func activityAnswer(a *balance.Activity) string {
	if a.Turns == 0 {
		return "No agent has made a move, so there is no activity to report."
	}
	return ""
}
