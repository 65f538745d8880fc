package balance

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A Report describes the balance of a game in numbers and codes. Intervals are at
// stats.Level. If a number is missing, a [Problem], [Verdict] or [Note] says why.
type Report struct {
	Variant string `json:"variant"`
	Digest  string `json:"digest"`
	// Rules is the complete rule set; older reports lack it.
	Rules     json.RawMessage `json:"rules,omitempty"`
	Players   [2]string       `json:"players"`
	Data      Data            `json:"data"`
	Seats     *Seats          `json:"seats"`
	Values    *Values         `json:"values"`
	Activity  *Activity       `json:"activity"`
	Placement *Placement      `json:"placement"`
}

// Data describes the games of a report.
type Data struct {
	Sources   []SourceData `json:"sources"`
	Agents    []string     `json:"agents"` // by first appearance
	Episodes  int64        `json:"episodes"`
	Plies     int64        `json:"plies"`
	Truncated int64        `json:"truncated"` // games that reached the ply limit, without a result
	Failed    int64        `json:"failed"`    // games that a program forfeited other than by resigning; results exclude them
	Clusters  int64        `json:"clusters"`  // pairs of games, or games
	Paired    bool         `json:"paired"`
	Sampled   int64        `json:"sampled"`  // games of the sample
	Distinct  int64        `json:"distinct"` // distinct games among them
	// Openings is the number of distinct positions after the opening in the sample.
	Openings int64 `json:"openings,omitempty"`
	// FromStart says that the agents played all games from the start of the rules, so that
	// the first player is the side that moves first.
	FromStart bool `json:"from_start"`
	// Alternating says that all openings from the start of the rules have K and K+1 plies in
	// turn, so that each player is the side to move equally often.
	Alternating bool `json:"alternating_openings,omitempty"`
	// ByOpening is like that of dataset.Summary.
	ByOpening []dataset.OpeningScore `json:"by_opening,omitempty"`
	// DecidedEarly is the number of games that ended within two plies of the agents' taking
	// over.
	DecidedEarly int64 `json:"decided_early"`
}

// MeasuresFirstMove reports whether the results of the first player show what moving first
// is worth; see dataset.Settings.
func (d *Data) MeasuresFirstMove() bool { return d.FromStart || d.Alternating }

// SourceData names a data set.
type SourceData struct {
	Dir      string `json:"dir"`
	Run      string `json:"run"`
	Seed     uint64 `json:"seed,string"`
	Episodes int64  `json:"episodes"`
}

func (s *sums) report(b *board, sources []Source, unit int, o *Options) *Report {
	settings := sources[0].Settings
	r := &Report{
		Variant: settings.Variant, Digest: settings.Digest, Rules: settings.Rules, Players: b.spec.Players,
		Data: Data{
			Agents: s.agents, Episodes: s.games, Plies: s.plies, Truncated: s.truncated, Failed: s.failed, DecidedEarly: s.early,
			Clusters: s.clusters, Paired: s.paired, Sampled: s.sample.games, Distinct: int64(len(s.sample.different)), Openings: int64(len(s.sample.openings)),
		},
	}
	if r.Data.Agents == nil {
		r.Data.Agents = []string{}
	}
	r.Data.FromStart = !slices.ContainsFunc(sources, func(s Source) bool { return !s.Settings.FromStart() })
	r.Data.Alternating = !r.Data.FromStart && !slices.ContainsFunc(sources, func(s Source) bool { return !s.Settings.MeasuresFirstMove() })
	if len(s.opened) > 1 {
		for _, plies := range slices.Sorted(maps.Keys(s.opened)) {
			r.Data.ByOpening = append(r.Data.ByOpening, dataset.OpeningScore{Plies: plies, First: s.opened[plies].score.Interval(stats.Level)})
		}
	}
	for i := range sources {
		r.Data.Sources = append(r.Data.Sources, SourceData{
			Dir: sources[i].Name, Run: sources[i].Settings.Run(), Seed: sources[i].Settings.Seed, Episodes: sources[i].Count,
		})
	}
	r.Seats = s.seats(b, o.Against)
	v := newValuer(b, &s.sample, unit, o)
	r.Values = v.values()
	r.Activity = s.activity(b, v.weights)
	r.Placement = s.placement(b)
	return r
}

// Seats describes the advantage of moving first.
type Seats struct {
	Games int64           `json:"games"` // with a result
	First dataset.Outcome `json:"first_player"`
	// SideToMove is from the point of view of the player to move when the agents take over.
	SideToMove dataset.Outcome `json:"side_to_move"`
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
	Games     int64           `json:"games"`
	Share     stats.Interval  `json:"share"` // of all games with a result
	First     dataset.Outcome `json:"first_player"`
	Decisive  stats.Interval  `json:"decisive"`
}

// Placement is where the pieces of both players stand, kill and die, in the frame of the
// owner: the first square is the left end of the owner's first row, and rows follow
// towards the enemy.
type Placement struct {
	Width  int        `json:"width"`
	Height int        `json:"height"`
	Types  []TypeMaps `json:"types"`
}

// TypeMaps are the maps of a type.
type TypeMaps struct {
	Type string `json:"type"`
	// Presence is how often a player has a piece of the type on a square, at the plies of
	// sampled games after the opening.
	Presence Map `json:"presence"`
	Kills    Map `json:"kills"`  // share of its victims by square, in its owner's frame
	Deaths   Map `json:"deaths"` // share of its losses by square
}

// A Map holds the interval of a share for each square, row by row. It is empty without
// observations.
type Map struct {
	N        int64     `json:"n"` // positions of both players, kills, losses
	Estimate []float64 `json:"estimate"`
	Low      []float64 `json:"low"`
	High     []float64 `json:"high"`
	Level    float64   `json:"level"`
	Method   string    `json:"method"`
}

func (s *sums) placement(b *board) *Placement {
	p := &Placement{Width: b.spec.Width, Height: b.spec.Height, Types: []TypeMaps{}}
	for t := range s.types {
		p.Types = append(p.Types, TypeMaps{
			Type: b.spec.Pieces[t].Name, Presence: heat(s.types[t].standAt), Kills: heat(s.types[t].killAt), Deaths: heat(s.types[t].deathAt),
		})
	}
	return p
}

// heat returns the map of clusters by square.
func heat(squares []stats.Clusters) Map {
	m := Map{Estimate: []float64{}, Low: []float64{}, High: []float64{}, Level: stats.Level}
	for i := range squares {
		share := squares[i].ExactInterval(stats.Level)
		if m.N, m.Method = share.N, share.Method; m.N == 0 {
			break
		}
		m.Estimate, m.Low, m.High = append(m.Estimate, share.Estimate), append(m.Low, share.Low), append(m.High, share.High)
	}
	return m
}
