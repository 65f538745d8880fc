package dataset

import (
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A Summary says what a set of episodes is like. Intervals are at
// stats.Level; in paired data they take the pairs for what they are.
type Summary struct {
	Episodes  int64         `json:"episodes,string"`
	Plies     int64         `json:"plies,string"`
	Truncated int64         `json:"truncated,string"` // by the limit of plies; in no Outcome
	First     Outcome       `json:"first_player"`     // the first player's view
	Agents    []AgentRecord `json:"agents"`           // of paired data, in order of appearance; else empty
	Reasons   []ReasonCount `json:"reasons"`          // by falling count
	// Forfeits are the games that an agent lost by its conduct, which count as
	// losses; resigned ones included.
	Forfeits []ForfeitCount `json:"forfeits"`
	// Resignation is nil where the resignation rule never held.
	Resignation *Resignation `json:"resignation,omitempty"`
	Length      Lengths      `json:"length"`
	Distinct    int64        `json:"distinct_games,string"` // by start and actions
	MeanLegal   float64      `json:"mean_legal_actions"`    // over all plies
}

// DistinctShare returns the share of distinct games, 0 of none.
func (s *Summary) DistinctShare() float64 {
	if s.Episodes == 0 {
		return 0
	}
	return float64(s.Distinct) / float64(s.Episodes)
}

// An Outcome is one side's results in the games that were not cut off.
type Outcome struct {
	Wins   int64          `json:"wins,string"`
	Draws  int64          `json:"draws,string"`
	Losses int64          `json:"losses,string"`
	Win    stats.Interval `json:"win"` // share of games
	Draw   stats.Interval `json:"draw"`
	Loss   stats.Interval `json:"loss"`
	Score  stats.Interval `json:"score"` // 1 won, ½ drawn, 0 lost, a game
}

// An AgentRecord is an agent's results in both seats.
type AgentRecord struct {
	Agent   string  `json:"agent"`
	Outcome Outcome `json:"outcome"`
}

// A ReasonCount is how often games ended for a reason.
type ReasonCount struct {
	Reason   string         `json:"reason"`
	Episodes int64          `json:"episodes,string"`
	Share    stats.Interval `json:"share"` // of all games, the truncated ones included
}

// Lengths is the distribution of the number of plies of a game. A quantile is
// the least length that so many games do not exceed; all are 0 of no games.
type Lengths struct {
	Mean      stats.Interval `json:"mean"`
	Min       int            `json:"min"`
	P10       int            `json:"p10"`
	P25       int            `json:"p25"`
	Median    int            `json:"median"`
	P75       int            `json:"p75"`
	P90       int            `json:"p90"`
	Max       int            `json:"max"`
	Histogram []LengthCount  `json:"histogram"` // by rising length, lengths that occur
}

// A LengthCount is how many games had a length.
type LengthCount struct {
	Plies    int   `json:"plies"`
	Episodes int64 `json:"episodes,string"`
}
