package arena

import (
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

// A Report is the outcome of a match from the first agent's view. Intervals are at
// stats.Level; those over both seats treat each pair as a unit.
type Report struct {
	Dir     string    `json:"dir"`
	Run     string    `json:"run"`
	Variant string    `json:"variant"`
	Digest  string    `json:"digest"`
	Agents  [2]string `json:"agents"`
	// Openings is where the pairs begin: "suite" for the positions of the variant's
	// stored suite, "starts" for other given positions, "start" for the start of the
	// variant. OpeningPlies plies follow, drawn by the OpeningPolicy; see
	// dataset.Settings.
	Openings      string                `json:"openings"`
	OpeningPlies  int                   `json:"opening_plies"`
	OpeningPolicy dataset.OpeningPolicy `json:"opening_policy,omitzero"`
	Starts        int                   `json:"starts"`
	MaxPlies      int                   `json:"max_plies"`
	Seed          uint64                `json:"seed,string"`

	Pairs            int64 `json:"pairs"` // that count; two games each
	Plies            int64 `json:"plies"`
	Truncated        int64 `json:"truncated"`         // games that reached MaxPlies, which count as draws
	DistinctOpenings int64 `json:"distinct_openings"` // by position
	// DistinctPairs is the number of pairs that do not repeat an earlier one. Agents that
	// make no random choices repeat a pair whenever its opening comes again. Intervals
	// and tests count repeats as new pairs.
	DistinctPairs int64 `json:"distinct_pairs"`
	// Forfeits counts the games that an agent forfeited. They count as losses.
	Forfeits []dataset.ForfeitCount `json:"forfeits"`
	// DecidedEarly is the number of games that ended within two plies of the agents' taking
	// over.
	DecidedEarly int64 `json:"decided_early"`

	All     dataset.Outcome `json:"all"`     // every game
	ToMove  dataset.Outcome `json:"to_move"` // games in which the first agent is to move when the agents take over
	Waiting dataset.Outcome `json:"waiting"` // the others

	Pentanomial stats.Pentanomial `json:"pentanomial"` // pairs by 0, ½, 1, 1½ and 2 points
	// PairResults counts the pairs by the first agent's result as the side to move, then by
	// its result as the other side.
	PairResults   stats.PairTable `json:"pair_results"`
	Elo           stats.Interval  `json:"elo"`
	NormalizedElo stats.Interval  `json:"normalized_elo"`
	LOS           float64         `json:"los"`         // likelihood of superiority: probability that the first agent is stronger
	Inferiority   float64         `json:"inferiority"` // 1 − LOS, exact where LOS rounds to 1

	// SideToMove is the mean score of the players who are to move when the agents take over.
	// After openings that were made level it says how level they are for these agents.
	SideToMove    stats.Interval `json:"side_to_move_score"`
	SideToMoveElo stats.Interval `json:"side_to_move_elo"`
	// FirstPlayer is the mean score of the players who move first by the rules; nil after
	// openings that favour one seat, see dataset.Settings.MeasuresFirstMove.
	FirstPlayer *stats.Interval `json:"first_player_score,omitempty"`

	Test *TestReport `json:"sprt,omitempty"`
}

// A TestReport is the state of a sequential test on normalized Elo.
type TestReport struct {
	stats.SPRT
	LLR     float64 `json:"llr"`
	Lower   float64 `json:"lower"` // LLR at which H0 is accepted
	Upper   float64 `json:"upper"` // LLR at which H1 is accepted
	Verdict string  `json:"verdict"`
}

func (r *referee) report(m *Match, settings *dataset.Settings) *Report {
	toMove := r.toMove.Interval(stats.Level)
	report := &Report{
		Dir: m.Dir, Run: settings.Run(), Variant: settings.Variant, Digest: settings.Digest, Agents: settings.Agents,
		Openings: openingsOf(settings), OpeningPlies: settings.OpeningPlies, OpeningPolicy: settings.OpeningPolicy, Starts: len(settings.Starts), MaxPlies: settings.MaxPlies, Seed: settings.Seed,
		Pairs: r.pairs(), Plies: r.plies, Truncated: r.truncated, DistinctOpenings: int64(len(r.openings)), DistinctPairs: int64(len(r.distinct)),
		Forfeits: r.forfeits.Counts(), DecidedEarly: r.early,
		All: r.outcome(), ToMove: r.sides[0].outcome(), Waiting: r.sides[1].outcome(),
		Pentanomial: r.pentanomial, PairResults: r.results, Elo: r.pentanomial.Elo(stats.Level),
		NormalizedElo: r.pentanomial.NormalizedElo(stats.Level), LOS: r.pentanomial.LOS(), Inferiority: r.pentanomial.Inferiority(),
		SideToMove: toMove, SideToMoveElo: toMove.Elo(),
	}
	if settings.MeasuresFirstMove() {
		first := r.first.Interval(stats.Level)
		report.FirstPlayer = &first
	}
	if r.test != nil {
		lower, upper := r.test.Bounds()
		report.Test = &TestReport{
			SPRT: *r.test, LLR: r.test.LLR(&r.pentanomial), Lower: lower, Upper: upper, Verdict: r.verdict.String(),
		}
	}
	return report
}

// outcome returns the outcome over both sides.
func (r *referee) outcome() dataset.Outcome {
	var both counts
	for i := range both {
		both[i] = r.sides[0][i] + r.sides[1][i]
	}
	return dataset.Outcome{
		Wins: both[2], Draws: both[1], Losses: both[0],
		Win: r.shares[2].Interval(stats.Level), Draw: r.shares[1].Interval(stats.Level), Loss: r.shares[0].Interval(stats.Level),
		Score: r.pentanomial.Score(stats.Level),
	}
}

// outcome returns the outcome as one side, in which all games are independent.
func (c counts) outcome() dataset.Outcome {
	games := c[0] + c[1] + c[2]
	var score stats.Clusters
	for result, n := range c {
		for range n {
			score.Add(float64(result)/2, 1)
		}
	}
	share := func(n int64) stats.Interval { return stats.Wilson(n, games, stats.Level) }
	return dataset.Outcome{
		Wins: c[2], Draws: c[1], Losses: c[0], Win: share(c[2]), Draw: share(c[1]), Loss: share(c[0]),
		Score: score.Interval(stats.Level),
	}
}

// openingsOf returns Report.Openings.
func openingsOf(s *dataset.Settings) string {
	stored, ok := openings.Stored(s.Digest)
	switch {
	case len(s.Starts) == 0:
		return "start"
	case ok && slices.Equal(slices.Sorted(slices.Values(s.Starts)), slices.Sorted(slices.Values(stored))):
		return "suite"
	}
	return "starts"
}
