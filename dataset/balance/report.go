package balance

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A Report is what games tell of the balance of a game. Intervals are at
// stats.Level. Where nothing can be told of something, an answer says why in words.
type Report struct {
	Variant   string     `json:"variant"`
	Digest    string     `json:"digest"`
	Players   [2]string  `json:"players"`
	Data      Data       `json:"data"`
	Seats     *Seats     `json:"seats"`
	Values    *Values    `json:"values"`
	Activity  *Activity  `json:"activity"`
	Placement *Placement `json:"placement"`
	// Notes are what a reader must know before believing any of it.
	Notes []string `json:"notes"`
}

// Data says what a report rests on.
type Data struct {
	Sources   []SourceData `json:"sources"`
	Agents    []string     `json:"agents"` // by first appearance
	Episodes  int64        `json:"episodes,string"`
	Plies     int64        `json:"plies,string"`
	Truncated int64        `json:"truncated,string"` // games cut off: without a result
	Failed    int64        `json:"failed,string"`    // games that a program lost by conduct other than giving up: left out of results
	Clusters  int64        `json:"clusters,string"`  // pairs of games, or games
	Paired    bool         `json:"paired"`
	Sampled   int64        `json:"sampled,string"`  // games of the sample
	Distinct  int64        `json:"distinct,string"` // different games among them
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
			Clusters: s.clusters, Paired: s.paired, Sampled: s.sample.games, Distinct: int64(len(s.sample.different)),
		},
		Notes: []string{},
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
	s.notes(r)
	return r, nil
}

// fewClusters is below how many clusters intervals are not to be relied on.
const fewClusters = 50

// notes tells what a reader must know.
func (s *sums) notes(r *Report) {
	note := func(format string, args ...any) { r.Notes = append(r.Notes, fmt.Sprintf(format, args...)) }
	d := &r.Data
	if d.Episodes == 0 {
		note("There are no games: nothing can be told.")
		return
	}
	switch {
	case d.Clusters == 1:
		note("There is only one independent game or pair: intervals say nothing.")
	case d.Clusters < fewClusters:
		note("There are only %d independent games or pairs: intervals are rough, below %d.", d.Clusters, fewClusters)
	}
	if d.Truncated > 0 {
		note("%s of %s games were cut off by the limit of plies and have no result: if such games differ from the others, results and values are biased.", dataset.Count(d.Truncated), dataset.Count(d.Episodes))
	}
	if d.Failed > 0 {
		note("%s of %s games were lost by a program that crashed, was late or played what is illegal: they are left out of results and values.", dataset.Count(d.Failed), dataset.Count(d.Episodes))
	}
	if 10*d.Distinct < 9*d.Sampled {
		note("Of %s sampled games only %s are different ones: games that repeat others tell nothing new, so intervals are too narrow.", dataset.Count(d.Sampled), dataset.Count(d.Distinct))
	}
	if d.Sampled < d.Episodes {
		note("Values, mobility, presence, lifetimes and first captures are of a sample of %s games, evenly spaced.", dataset.Count(d.Sampled))
	}
	if o := len(s.sample.openings); o > 1 && o < fewClusters {
		note("The games begin from %d positions: numbers are those of these openings, not of others.", o)
	}
	note("All of it describes how these agents play: %s.", strings.Join(d.Agents, "; "))
}

// Seats is what the first player's seat is worth.
type Seats struct {
	Games int64           `json:"games,string"` // with a result
	First dataset.Outcome `json:"first_player"`
	// Decisive is the share of games that either side won.
	Decisive stats.Interval `json:"decisive"`
	// Even tests whether the first player's score is ½.
	Even     stats.Test   `json:"even"`
	ByLength []ClassSeats `json:"by_length"` // classes of length that occur, rising
	ByReason []ClassSeats `json:"by_reason"` // by falling count
	Answer   string       `json:"answer"`
	Against  *Against     `json:"against"` // results from elsewhere; nil without any
}

// ClassSeats is a class of the games with a result.
type ClassSeats struct {
	Class     string          `json:"class"` // "30 to 49 plies", "general"
	HouseRule bool            `json:"house_rule,omitempty"`
	Games     int64           `json:"games,string"`
	Share     stats.Interval  `json:"share"` // of all games with a result
	First     dataset.Outcome `json:"first_player"`
	Decisive  stats.Interval  `json:"decisive"`
}
