package arena

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/record"
)

// A Tournament plays a match between every two agents. The order of the agents does not
// affect play.
type Tournament struct {
	Games   selfplay.Config // its Agents are ignored
	Agents  []agent.Spec
	Pairs   int64 // of each match
	Workers int
	// Dir returns the folder of a match, given its settings. A match that is already
	// there is not played again.
	Dir func(*dataset.Settings) string
	// Forfeited is the Forfeited of the plans; see selfplay.Plan.
	Forfeited func(ep *dataset.Episode, detail string)
	// Progress, unless nil, is called with the number of games and plies that this call
	// has played so far.
	Progress func(games, plies int64)
}

// Standings are the ratings of a tournament. Intervals are at stats.Level.
type Standings struct {
	Variant string  `json:"variant"`
	Digest  string  `json:"digest"`
	Seed    uint64  `json:"seed,string"`
	Games   int64   `json:"games"`
	Agents  []Rated `json:"agents"` // in descending order of rating
	// SideToMove is the advantage of being to move when the agents take over in Elo, Draws
	// the share of draws between equals. See stats.RatePairs.
	SideToMove stats.Interval `json:"side_to_move_elo"`
	Draws      stats.Interval `json:"draws_between_equals"`
	Matches    []*Report      `json:"matches"`
}

// A Rated is an agent with its rating and its results in all its matches.
type Rated struct {
	Agent  string         `json:"agent"`
	Elo    stats.Interval `json:"elo"`
	Wins   int64          `json:"wins"`
	Draws  int64          `json:"draws"`
	Losses int64          `json:"losses"`
	Score  stats.Interval `json:"score"`
}

// matches returns the agent strings in ascending order and the matches, in which the
// agent with the lesser string is the first.
func (t *Tournament) matches() (agents []string, matches []Match, err error) {
	if len(t.Agents) < 2 {
		return nil, nil, fmt.Errorf("there are %d agents, must be 2 or more", len(t.Agents))
	}
	specs := slices.SortedFunc(slices.Values(t.Agents), func(a, b agent.Spec) int { return cmp.Compare(a.String(), b.String()) })
	for i, a := range specs {
		agents = append(agents, a.String())
		if i > 0 && agents[i] == agents[i-1] {
			return nil, nil, fmt.Errorf("agent %s is given twice", a)
		}
	}
	for i, a := range specs {
		for _, b := range specs[i+1:] {
			games := t.Games
			games.Agents = [2]agent.Spec{a, b}
			plan, err := selfplay.NewPlan(games)
			if err != nil {
				return nil, nil, err
			}
			plan.Forfeited = t.Forfeited
			settings := record.Settings(plan)
			match := Match{Dir: t.Dir(&settings), Plan: plan, Pairs: t.Pairs, Workers: t.Workers}
			if err := match.Validate(); err != nil {
				return nil, nil, err
			}
			matches = append(matches, match)
		}
	}
	return agents, matches, nil
}

// Missing checks the tournament, but not what is in its folders, and returns how many of
// its games are not there.
func (t *Tournament) Missing() (int64, error) {
	_, matches, err := t.matches()
	var games int64
	for i := range matches {
		games += matches[i].Missing()
	}
	return games, err
}

// Play plays the missing games of all matches and rates the agents. See [Play] for its
// errors.
func (t *Tournament) Play(ctx context.Context) (*Standings, error) {
	agents, matches, err := t.matches()
	if err != nil {
		return nil, err
	}
	s := &Standings{Variant: t.Games.Variant.Name, Digest: t.Games.Variant.Digest, Seed: t.Games.Seed}
	var before, played [2]int64 // games and plies
	for i := range matches {
		if t.Progress != nil {
			matches[i].Progress = func(games, plies int64) {
				played = [2]int64{before[0] + games, before[1] + plies}
				t.Progress(played[0], played[1])
			}
		}
		report, err := Play(ctx, matches[i])
		if err != nil {
			return nil, err
		}
		before = played
		s.Matches = append(s.Matches, report)
	}
	s.rate(agents)
	return s, nil
}

// rate sets the ratings from the matches.
func (s *Standings) rate(agents []string) {
	var pairings []stats.Pairing
	results := make([]stats.Pentanomial, len(agents))
	s.Agents = make([]Rated, len(agents))
	for _, m := range s.Matches {
		a, b := slices.Index(agents, m.Agents[0]), slices.Index(agents, m.Agents[1])
		pairings = append(pairings, stats.Pairing{First: a, Second: b, Pairs: m.PairResults})
		for k, n := range m.Pentanomial {
			results[a][k] += n
			results[b][len(m.Pentanomial)-1-k] += n
		}
		s.Games += 2 * m.Pairs
		s.Agents[a].add(m.All.Wins, m.All.Draws, m.All.Losses)
		s.Agents[b].add(m.All.Losses, m.All.Draws, m.All.Wins)
	}
	ratings := stats.RatePairs(len(agents), pairings, stats.RatingPrior, stats.Level)
	s.SideToMove, s.Draws = ratings.FirstMove, ratings.Draws
	for i := range s.Agents {
		s.Agents[i].Agent, s.Agents[i].Elo, s.Agents[i].Score = agents[i], ratings.Players[i], results[i].Score(stats.Level)
	}
	slices.SortStableFunc(s.Agents, func(a, b Rated) int {
		return cmp.Or(cmp.Compare(b.Elo.Estimate, a.Elo.Estimate), cmp.Compare(b.Score.Estimate, a.Score.Estimate))
	})
}

func (r *Rated) add(wins, draws, losses int64) {
	r.Wins, r.Draws, r.Losses = r.Wins+wins, r.Draws+draws, r.Losses+losses
}
