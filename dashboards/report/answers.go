package report

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// MatchAnswer says in a sentence or two, in lines that fit a terminal, which of two agents is
// stronger. The score is that of the first one, by pairs of games.
func MatchAnswer(name, other string, score stats.Interval) string {
	scores := fmt.Sprintf("%s scores %s, and 50 %% would be even", name, probably(score))
	var text string
	switch {
	case score.N == 0:
		text = "No pair of games was played."
	case score.Low > 0.5:
		text = fmt.Sprintf("%s is stronger than %s: %s.", name, other, scores)
	case score.High < 0.5:
		text = fmt.Sprintf("%s is stronger than %s: %s.", other, name, scores)
	default:
		text = fmt.Sprintf("Too few games to tell which agent is stronger: %s.", scores)
		if more, ok := MorePairs(score); ok {
			text += fmt.Sprintf(" About %s more pairs would show it.", Count(more))
		}
	}
	return fitted(text)
}

// MorePairs returns how many more pairs of games would decide which of two agents is
// stronger; ok is false if the score decides it or does not show it. N of the score counts
// games.
func MorePairs(score stats.Interval) (pairs int64, ok bool) {
	if score.Low > 0.5 || score.High < 0.5 {
		return 0, false
	}
	games, ok := moreGames(score, evenScore)
	return roundUp((games + 1) / 2), ok
}

// SeatAnswer says, in lines that fit a terminal, what moving first is worth by the first
// player's score or, if that does not measure it, what the side to move scores.
func SeatAnswer(first, mover stats.Interval, measured bool) string {
	switch {
	case first.N == 0:
		return "No game has a result."
	case !measured:
		return fitted(moverSentence(mover))
	}
	return fitted(seatSentence("the first player", first, first.Low > 0.5 || first.High < 0.5))
}

// fitted cuts a text into lines of a terminal.
func fitted(text string) string {
	w := new(lines)
	w.wrapped("", "", text)
	return w.String()[:w.Len()-1]
}
