package balance

import (
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A Report describes the balance of a game in numbers and codes. Intervals are at
// stats.Level. If a number is missing, a [Problem], [Verdict] or [Note] says why.
type Report struct {
	Variant   string     `json:"variant"`
	Digest    string     `json:"digest"`
	Players   [2]string  `json:"players"`
	Data      Data       `json:"data"`
	Seats     *Seats     `json:"seats"`
	Values    *Values    `json:"values"`
	Activity  *Activity  `json:"activity"`
	Placement *Placement `json:"placement"`
}

// Data describes the games of a report.
type Data struct {
	Sources   []SourceData `json:"sources"`
	Agents    []string     `json:"agents"` // by first appearance
	Episodes  int64        `json:"episodes,string"`
	Plies     int64        `json:"plies,string"`
	Truncated int64        `json:"truncated,string"` // games that reached the ply limit, without a result
	Failed    int64        `json:"failed,string"`    // games that a program forfeited other than by resigning; results exclude them
	Clusters  int64        `json:"clusters,string"`  // pairs of games, or games
	Paired    bool         `json:"paired"`
	Sampled   int64        `json:"sampled,string"`  // games of the sample
	Distinct  int64        `json:"distinct,string"` // distinct games among them
	// Openings is the number of distinct positions after the opening in the sample.
	Openings int64 `json:"openings,string,omitempty"`
}

// SourceData names a data set.
type SourceData struct {
	Dir      string `json:"dir"`
	Run      string `json:"run"`
	Seed     uint64 `json:"seed,string"`
	Episodes int64  `json:"episodes,string"`
}

func (s *sums) report(b *board, sources []Source, unit int, o *Options) (*Report, error) {
	settings := sources[0].Settings
	r := &Report{
		Variant: settings.Variant, Digest: settings.Digest, Players: b.spec.Players,
		Data: Data{
			Agents: s.agents, Episodes: s.games, Plies: s.plies, Truncated: s.truncated, Failed: s.failed,
			Clusters: s.clusters, Paired: s.paired, Sampled: s.sample.games, Distinct: int64(len(s.sample.different)), Openings: int64(len(s.sample.openings)),
		},
	}
	if r.Data.Agents == nil {
		r.Data.Agents = []string{}
	}
	for i := range sources {
		r.Data.Sources = append(r.Data.Sources, SourceData{
			Dir: sources[i].Name, Run: sources[i].Settings.Run(), Seed: sources[i].Settings.Seed, Episodes: sources[i].Count,
		})
	}
	r.Seats = s.seats(b, o.Against)
	v := newValuer(b, &s.sample, unit, o)
	var err error
	if r.Values, err = v.values(); err != nil {
		return nil, err
	}
	r.Activity = s.activity(b, v.weights)
	r.Placement = s.placement(b)
	return r, nil
}

// Seats describes the advantage of moving first.
type Seats struct {
	Games int64           `json:"games,string"` // with a result
	First dataset.Outcome `json:"first_player"`
	// Decisive is the share of games that either side won.
	Decisive stats.Interval `json:"decisive"`
	// Even tests whether the first player's score is ½.
	Even     stats.Test   `json:"even"`
	ByLength []ClassSeats `json:"by_length"` // nonempty classes of length, ascending
	ByReason []ClassSeats `json:"by_reason"` // in descending order of games
	Against  *Against     `json:"against"`   // compares with results from elsewhere; nil without any
}

// ClassSeats describes a class of the games with a result.
type ClassSeats struct {
	Class     string          `json:"class"` // "30 to 49 plies", "general"
	HouseRule bool            `json:"house_rule,omitempty"`
	Games     int64           `json:"games,string"`
	Share     stats.Interval  `json:"share"` // of all games with a result
	First     dataset.Outcome `json:"first_player"`
	Decisive  stats.Interval  `json:"decisive"`
}
