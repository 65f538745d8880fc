package stats

// Meetings and Rate let tests compare ratings of independent games with published ones.
type Meetings = meetings

// Rate returns the ratings of independent games.
func Rate(players int, games []Meetings, prior, level float64) Ratings {
	return rate(players, games, nil, prior, level)
}
