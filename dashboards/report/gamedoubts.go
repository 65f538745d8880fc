package report

import "fmt"

// mostDoubtful is the greatest share of games that repeat others, or are decided early, that
// needs no warning.
const mostDoubtful = 0.01

// GameDoubts returns warnings about a number of games, from how many of them are distinct and
// how many ended within two plies of the agents' taking over. Each says what to do.
func GameDoubts(games, distinct, early int64) []string {
	var doubts []string
	if share := doubtful(early, games); share != "" {
		doubts = append(doubts, share+" of the games ended within two plies of the agents' taking over: the opening decided them. Use --openings start, --openings sampled:K, or fewer plies.")
	}
	if share := doubtful(games-distinct, games); share != "" {
		doubts = append(doubts, share+" of the games repeat others and add no information, so the true intervals are wider. Use --openings sampled:K, more plies, or an agent with noise.")
	}
	return doubts
}

// doubtful returns a share in words if it is too great.
func doubtful(n, games int64) string {
	if games == 0 || float64(n) <= mostDoubtful*float64(games) {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(games))
}
