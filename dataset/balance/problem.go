package balance

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A ProblemCode names the reason why a value is missing.
type ProblemCode string

const (
	NoPositions     ProblemCode = "no_positions"     // no sampled game with a result reached the phase
	SameResults     ProblemCode = "same_results"     // all games have the same result
	AgentDecides    ProblemCode = "agent_decides"    // the agent's seat predicts every result
	UnitUncertain   ProblemCode = "unit_uncertain"   // the interval of the unit's coefficient includes 0
	UnitHarms       ProblemCode = "unit_harms"       // having more of the unit goes with worse results
	NeverVaries     ProblemCode = "never_varies"     // both players always have equally many
	Collinear       ProblemCode = "collinear"        // the other types determine the count
	NearlyCollinear ProblemCode = "nearly_collinear" // the variance inflation is 10 or more
	Separated       ProblemCode = "separated"        // the count predicts every result
	TooFewClusters  ProblemCode = "too_few_clusters" // fewer than 10 clusters for each column
)

// A Problem says why a value is missing. The zero Problem means that it is not.
type Problem struct {
	Code ProblemCode `json:"code,omitempty"`
	// Unit is the name of the unit if the problem is that of the unit.
	Unit string `json:"unit,omitempty"`
	// Agent is the agent that decides, for AgentDecides.
	Agent string `json:"agent,omitempty"`
	// Clusters is the number of clusters needed, for TooFewClusters.
	Clusters int64 `json:"clusters,omitempty"`
}

// None reports whether there is no problem.
func (p Problem) None() bool { return p == Problem{} }

// String returns the code with its arguments, for logs and tests. Package report puts
// problems into words.
func (p Problem) String() string {
	text := string(p.Code)
	if p.Unit != "" {
		text = "unit " + p.Unit + ": " + text
	}
	if p.Agent != "" {
		text += " " + p.Agent
	}
	if p.Clusters != 0 {
		text = fmt.Sprintf("%s, %d needed", text, p.Clusters)
	}
	return text
}

// Problem returns the reason why there are no values, or why those of the whole game
// have no bounds.
func (v *Values) Problem() Problem {
	if len(v.Phases) == 0 {
		return Problem{Code: NoPositions}
	}
	return v.Phases[0].Problem
}

// A Note is a reason to read a report with care.
type Note string

const (
	NoGames       Note = "no_games"       // there are no games
	OneCluster    Note = "one_cluster"    // there is only one independent game or pair
	FewClusters   Note = "few_clusters"   // there are fewer than EnoughClusters of them
	CutOff        Note = "cut_off"        // some games reached the ply limit
	Forfeited     Note = "forfeited"      // programs lost some games by their conduct
	RepeatedGames Note = "repeated_games" // fewer than 99 % of the sampled games are distinct
	DecidedEarly  Note = "decided_early"  // more than 1 % of the games ended within two plies of the agents' taking over
	SampleOnly    Note = "sample_only"    // some numbers come from a sample of the games
	ParityMatters Note = "parity_matters" // the first player's score differs between openings of K and of K+1 plies
	FewOpenings   Note = "few_openings"   // the games start from 2 to EnoughClusters − 1 positions
)

// EnoughClusters is the number of clusters from which intervals are reliable.
const EnoughClusters = 50

// Notes returns the reasons to read a report on the data with care.
func (d *Data) Notes() []Note {
	if d.Episodes == 0 {
		return []Note{NoGames}
	}
	var notes []Note
	for _, n := range []struct {
		note    Note
		applies bool
	}{
		{OneCluster, d.Clusters == 1},
		{FewClusters, d.Clusters > 1 && d.Clusters < EnoughClusters},
		{CutOff, d.Truncated > 0},
		{Forfeited, d.Failed > 0},
		{RepeatedGames, 100*d.Distinct < 99*d.Sampled},
		{DecidedEarly, 100*d.DecidedEarly > d.Episodes},
		{SampleOnly, d.Sampled < d.Episodes},
		{ParityMatters, dataset.ParityMatters(d.ByOpening)},
		{FewOpenings, d.Openings > 1 && d.Openings < EnoughClusters},
	} {
		if n.applies {
			notes = append(notes, n.note)
		}
	}
	return notes
}

// A Verdict says which seat is better.
type Verdict string

const (
	NoResult       Verdict = "no_result"        // no game has a result
	OneResult      Verdict = "one_result"       // only one game has a result
	AllDrawn       Verdict = "all_drawn"        // every game was drawn
	FirstWonAll    Verdict = "first_won_all"    // the first player won every game
	SecondWonAll   Verdict = "second_won_all"   // the second player won every game
	NoneShown      Verdict = "none_shown"       // the interval of the score includes ½
	FirstIsBetter  Verdict = "first_is_better"  // the whole interval is above ½
	SecondIsBetter Verdict = "second_is_better" // the whole interval is below ½
)

// Verdict returns which seat is better.
func (s *Seats) Verdict() Verdict {
	switch o, n := &s.First, s.Games; {
	case n == 0:
		return NoResult
	case n == 1:
		return OneResult
	case o.Draws == n:
		return AllDrawn
	case o.Wins == n:
		return FirstWonAll
	case o.Losses == n:
		return SecondWonAll
	case s.Even.P >= 1-stats.Level:
		return NoneShown
	case o.Score.Estimate > 0.5:
		return FirstIsBetter
	}
	return SecondIsBetter
}
