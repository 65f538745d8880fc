package dataset

import (
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A Summary describes a set of episodes. Intervals are at stats.Level, and in paired data
// they account for the pairs.
type Summary struct {
	Episodes  int64 `json:"episodes"`
	Plies     int64 `json:"plies"`
	Truncated int64 `json:"truncated"` // by the ply limit; not in any Outcome
	// First is from the point of view of the first player, who moves first by the rules;
	// SideToMove from that of the player to move when the agents take over, after the
	// opening. They differ only in games with openings.
	First      Outcome `json:"first_player"`
	SideToMove Outcome `json:"side_to_move"`
	// ByOpening is by ascending number of plies of the opening; empty if all openings have as
	// many.
	ByOpening []OpeningScore `json:"by_opening,omitempty"`
	// DecidedEarly is the number of games that end within two plies of the agents' taking
	// over.
	DecidedEarly int64         `json:"decided_early"`
	Agents       []AgentRecord `json:"agents"`  // in order of appearance; empty for unpaired data
	Reasons      []ReasonCount `json:"reasons"` // in descending order of count
	// Forfeits are the forfeited games, resigned ones included. They count as losses.
	Forfeits []ForfeitCount `json:"forfeits"`
	// Resignation is nil if the resignation rule never applied.
	Resignation *Resignation `json:"resignation,omitempty"`
	Length      Lengths      `json:"length"`
	Distinct    int64        `json:"distinct_games"` // by start and actions
	// DistinctError is the relative error of Distinct, or 0 if it is exact.
	DistinctError float64 `json:"distinct_games_error,omitempty"`
	MeanLegal     float64 `json:"mean_legal_actions"` // over all plies
	// Workers are the worker processes that the episodes name, in order of name. Episodes of
	// unknown workers are not among them.
	Workers []WorkerCount `json:"workers,omitempty"`
}

// A WorkerCount is the number of games that a worker process played.
type WorkerCount struct {
	Worker   string `json:"worker"`
	Episodes int64  `json:"episodes"`
}

// DistinctShare returns the share of distinct games, or 0 if there are no games.
func (s *Summary) DistinctShare() float64 {
	if s.Episodes == 0 {
		return 0
	}
	return float64(s.Distinct) / float64(s.Episodes)
}

// An OpeningScore is the first player's score in the games whose openings have a number of
// plies.
type OpeningScore struct {
	Plies int            `json:"plies"`
	First stats.Interval `json:"first_player_score"`
}

// ParityMatters reports whether the first player's scores after openings of K and of K+1
// plies differ significantly: it then matters who is to move when the agents take over.
func ParityMatters(scores []OpeningScore) bool {
	if len(scores) != 2 || min(scores[0].First.N, scores[1].First.N) == 0 {
		return false
	}
	difference := stats.Difference(scores[0].First, scores[1].First)
	return difference.Low > 0 || difference.High < 0
}

// EarlyShare returns the share of games decided early, or 0 if there are no games.
func (s *Summary) EarlyShare() float64 {
	if s.Episodes == 0 {
		return 0
	}
	return float64(s.DecidedEarly) / float64(s.Episodes)
}

// An Outcome holds one side's results in the games that were not truncated.
type Outcome struct {
	Wins   int64          `json:"wins"`
	Draws  int64          `json:"draws"`
	Losses int64          `json:"losses"`
	Win    stats.Interval `json:"win"` // shares of games
	Draw   stats.Interval `json:"draw"`
	Loss   stats.Interval `json:"loss"`
	Score  stats.Interval `json:"score"` // mean points per game: 1 won, ½ drawn, 0 lost
}

// An AgentRecord holds an agent's results in both seats.
type AgentRecord struct {
	Agent   string  `json:"agent"`
	Outcome Outcome `json:"outcome"`
}

// A ReasonCount is the number of games that ended for a reason.
type ReasonCount struct {
	Reason   string         `json:"reason"`
	Episodes int64          `json:"episodes"`
	Share    stats.Interval `json:"share"` // of all games, including truncated ones
}

// Lengths is the distribution of the number of plies per game. P10 is the least length
// that at least 10 % of the games do not exceed, and likewise for the others. All are 0 if
// there are no games.
type Lengths struct {
	Mean      stats.Interval `json:"mean"`
	Min       int            `json:"min"`
	P10       int            `json:"p10"`
	P25       int            `json:"p25"`
	Median    int            `json:"median"`
	P75       int            `json:"p75"`
	P90       int            `json:"p90"`
	Max       int            `json:"max"`
	Histogram []LengthCount  `json:"histogram"` // lengths that occur, in ascending order
}

// A LengthCount is the number of games with a length.
type LengthCount struct {
	Plies    int   `json:"plies"`
	Episodes int64 `json:"episodes"`
}
