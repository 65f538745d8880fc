package report

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
)

// mostDoubtful is the greatest share of games that repeat others, or are decided early, that
// needs no warning.
const mostDoubtful = 0.01

// GameDoubts returns warnings about a number of games, from how many of them are distinct,
// how many ended within two plies of the agents' taking over, and the scores by number of
// opening plies. Each says what to do.
func GameDoubts(games, distinct, early int64, scores []dataset.OpeningScore) []string {
	var doubts []string
	if doubt := parityDoubt(scores); doubt != "" {
		doubts = append(doubts, doubt)
	}
	if share := doubtful(early, games); share != "" {
		doubts = append(doubts, share+" of the games ended within two plies of the agents' taking over: the opening decided them. Use --openings start, --openings sampled:K, or fewer plies.")
	}
	if share := doubtful(games-distinct, games); share != "" {
		doubts = append(doubts, share+" of the games repeat others and add no information, so the true intervals are wider. Use --openings sampled:K, more plies, or an agent with noise.")
	}
	return doubts
}

// parityDoubt says that it matters who is to move after the opening; empty if it does not.
func parityDoubt(scores []dataset.OpeningScore) string {
	if !dataset.ParityMatters(scores) {
		return ""
	}
	even, odd := scores[0], scores[1]
	return fmt.Sprintf("The first player scores %.1f %% after openings of %d plies and %.1f %% after %d: it matters who is to move when the agents take over. "+
		"The first player's score is the mean of both. To measure moving first alone, use --openings start.", 100*even.First.Estimate, even.Plies, 100*odd.First.Estimate, odd.Plies)
}

// doubtful returns a share in words if it is too great.
func doubtful(n, games int64) string {
	if games == 0 || float64(n) <= mostDoubtful*float64(games) {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(games))
}
