package report

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// noteTexts are the sentences of notes on data.
var noteTexts = map[balance.Note]string{ // constant
	balance.NoGames:       "There are no games.",
	balance.OneCluster:    "There is only one independent game or pair, so the bounds in brackets mean nothing.",
	balance.FewClusters:   "There are only {clusters} independent games or pairs. With fewer than {enough}, the bounds in brackets are unreliable.",
	balance.CutOff:        "{truncated} of {games} reached the ply limit and have no result. If they differ from the other games, results and values are biased.",
	balance.Forfeited:     "{failed} of {games} were lost by a program that crashed, ran out of time or played an illegal move. Results and values exclude them.",
	balance.RepeatedGames: "Only {distinct} of {sampled} sampled games are distinct. Repeated games add no information, so the bounds in brackets are too narrow. Play with --openings sampled:K, or an agent with noise.",
	balance.SampleOnly:    "Values, mobility, presence, lifetimes and first captures come from an evenly spaced sample of {sample}.",
	balance.DecidedEarly:  "{early} of {games} ended within two plies of the agents' taking over: the opening decided them. Play from --openings start or --openings sampled:K, or with fewer plies.",
	balance.ParityMatters: "{parity}",
	balance.FewOpenings:   "The games start from {openings} positions. The numbers hold for these openings, not for others.",
}

func noteText(note balance.Note, d *balance.Data) string {
	return phrase(noteTexts, note, "{clusters}", Count(d.Clusters), "{enough}", fmt.Sprint(balance.EnoughClusters), "{truncated}", Count(d.Truncated), "{games}", number(d.Episodes, "game"),
		"{failed}", Count(d.Failed), "{early}", Count(d.DecidedEarly), "{parity}", parityDoubt(d.ByOpening), "{distinct}", Count(d.Distinct), "{sampled}", Count(d.Sampled), "{sample}", number(d.Sampled, "game"), "{openings}", Count(d.Openings))
}

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

// seatTexts are the sentences of verdicts on the seats.
var seatTexts = map[balance.Verdict]string{ // constant
	balance.NoResult:       "No game has a result, so the seats cannot be compared.",
	balance.OneResult:      "Only one game has a result, so the seats cannot be compared.",
	balance.AllDrawn:       "All {games} games were drawn: neither side shows an advantage, and values of pieces cannot be estimated.",
	balance.FirstWonAll:    "{first}, the first player, won all {games} games, and scores {score}. The seat, or the agent in it, decides the game.",
	balance.SecondWonAll:   "{second}, the second player, won all {games} games, and {first} scores {score}. The seat, or the agent in it, decides the game.",
	balance.NoneShown:      "Too few games to tell which side has the advantage: {first}, the first player, scores {score}, and the bounds lie on both sides of 50 %.",
	balance.FirstIsBetter:  "{first}, the first player, has the advantage and scores {score}.",
	balance.SecondIsBetter: "{second}, the second player, has the advantage: {first} scores {score}.",
}

// seatAnswer says which seat has the advantage.
func seatAnswer(s *balance.Seats, players [2]string) string {
	verdict := s.Verdict()
	if verdict == balance.NoneShown && firstMoveLight(s.First.Score, true).State == Good {
		return fmt.Sprintf("Neither side has an advantage of more than %s points: %s, the first player, scores %s.", whole(evenScore), players[0], Share(s.First.Score))
	}
	text := phrase(seatTexts, verdict, "{first}", players[0], "{second}", players[1], "{games}", Count(s.Games), "{score}", Share(s.First.Score))
	if verdict == balance.NoneShown {
		text += enough(s.First.Score, evenScore, "more games")
	}
	return text
}

// differs reports whether an interval of a difference excludes 0.
func differs(i stats.Interval) bool { return i.Low > 0 || i.High < 0 }

// againstAnswer says how the results differ from those of games from elsewhere.
func againstAnswer(s *balance.Seats, players [2]string) string {
	a := s.Against
	if s.Games == 0 {
		return fmt.Sprintf("No game here has a result to compare with those of %s.", a.Name)
	}
	text := fmt.Sprintf("%s, the first player, scores %s in the games of %s. ", players[0], Share(a.First.Score), a.Name)
	if differs(a.Score) {
		text += fmt.Sprintf("The score here differs by %s. ", points("%+.1f", a.Score))
	} else {
		text += fmt.Sprintf("Too few games to tell whether the score here differs: the difference is %s.", points("%+.1f", a.Score)) + enough(a.Score, evenScore, "more games") + " "
	}
	if differs(a.Draw) {
		text += fmt.Sprintf("The share of draws differs by %s. ", points("%+.1f", a.Draw))
	}
	if a.Same.P < 1-stats.Level {
		return text + "The shares of won, drawn and lost games differ."
	}
	return text + "Too few games to tell whether the shares of won, drawn and lost games differ."
}

// againstAssumptions are the assumptions of a comparison with games from elsewhere.
func againstAssumptions(name string) []string {
	return []string{
		fmt.Sprintf("The games of %s are assumed to be independent. If the same people played many of them, they are not, and intervals are too narrow.", name),
		"The two sets of games differ in more than the players: in strength, in thinking time, in how games start (here some plies may be random), and in which games were finished and counted. A difference reflects all of these together.",
		fmt.Sprintf("The counts of %s are used as given and cannot be checked.", name),
	}
}

// phaseTexts are the sentences of problems of a phase, and typeTexts the words for those of
// one type.
var (
	phaseTexts = map[balance.ProblemCode]string{ // constant
		balance.NoPositions:   "No sampled game with a result reached this phase.",
		balance.SameResults:   "All games have the same result, so values cannot be estimated.",
		balance.AgentDecides:  "The seat of {agent} predicts every result, so values cannot be estimated.",
		balance.UnitUncertain: "Too few games to tell whether the unit, {unit}, is worth anything, so values in this unit have no bounds. Choose another unit with --unit, or play more games.",
	}
	typeTexts = map[balance.ProblemCode]string{ // constant
		balance.UnitHarms:       "having more of the unit, {unit}, goes with worse results; choose another unit",
		balance.NeverVaries:     "both sides always have equally many",
		balance.Collinear:       "the counts of the other types determine its count",
		balance.NearlyCollinear: "the counts of the other types nearly determine its count",
		balance.Separated:       "it predicts every result: there are too few games, or it decides them",
		balance.TooFewClusters:  "fewer than {clusters} independent games",
	}
)

// phaseAnswer says why a phase has no values, or none with bounds. It is empty if there is
// no problem.
func phaseAnswer(p balance.Problem) string {
	if _, ok := phaseTexts[p.Code]; ok || p.Code == "" {
		return phrase(phaseTexts, p.Code, "{agent}", p.Agent, "{unit}", p.Unit)
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
	text := phrase(typeTexts, p.Code, "{unit}", p.Unit, "{clusters}", Count(p.Clusters))
	if p.Unit != "" && p.Code != balance.UnitHarms {
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
