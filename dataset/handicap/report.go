package handicap

import (
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A Report is what an experiment says. Intervals are at stats.Level. Where nothing can
// be told of something, an answer says why in words.
type Report struct {
	Variant   string    `json:"variant"`
	Digest    string    `json:"digest"`
	Players   [2]string `json:"players"`
	Agent     string    `json:"agent"`
	Unit      string    `json:"unit"` // the piece type whose removal is worth 1; empty for none
	Handicaps []Effect  `json:"handicaps"`
	Curves    []Curve   `json:"curves"`
	Control   *Control  `json:"control"` // nil without games of the unchanged rules
	Answer    string    `json:"answer"`
	// Notes are what a reader must know before believing any of it.
	Notes []string `json:"notes"`
}

// Control says what games of the unchanged rules the report rests on.
type Control struct {
	Data balance.Data `json:"data"`
	// First is the first player's score.
	First stats.Interval `json:"first_score"`
	// SameAgent says that the agent of the experiment played both sides in all games, and
	// SameOpenings that they began as its games do.
	SameAgent    bool `json:"same_agent"`
	SameOpenings bool `json:"same_openings"`
}

// An Effect is what a handicap does to the side that has it.
type Effect struct {
	Name      string `json:"name"` // "Colonel removed", "Light Tank speed+1", "attack house, one less in it"
	Type      string `json:"type"`
	Counted   bool   `json:"counted,omitempty"` // such a piece can be more than one: one of it was removed
	Attribute string `json:"attribute,omitempty"`
	By        int    `json:"by,omitempty"`
	Arms      []Data `json:"arms"`
	Games     int64  `json:"games,string"`     // with a result
	Truncated int64  `json:"truncated,string"` // games cut off: without a result
	Failed    int64  `json:"failed,string"`    // games that a program lost by conduct other than giving up
	Distinct  int64  `json:"distinct,string"`  // different games of all, those without a result included
	Openings  int64  `json:"openings,string"`  // different positions after the opening
	// Score is the handicapped side's, on average over both seats. ½ less it is Loss, below
	// 0 where the handicap helps.
	Score stats.Interval `json:"score"`
	Loss  stats.Interval `json:"loss"`
	// Elo and LogOdds are the loss on these scales: what the score of the other side is.
	Elo     stats.Interval `json:"elo"`
	LogOdds stats.Interval `json:"log_odds"`
	Seats   [2]Seat        `json:"seats"` // by the handicapped player
	// None tests whether there is no loss and no gain; Adjusted is its P by Holm's method
	// over all handicaps of the report.
	None     stats.Test `json:"no_effect"`
	Adjusted float64    `json:"adjusted_p"`
	// Detectable is what the games could show; nil where they do not vary.
	Detectable *Detectable `json:"detectable"`
	// Value is the loss in units, by log odds; nil where Problem says why.
	Value   *stats.Interval `json:"value"`
	Problem string          `json:"problem"`
	// Regression compares a removal with what the control's counts say; nil of others.
	Regression *Comparison `json:"regression"`
	Answer     string      `json:"answer"`
}

// Data names a data set of an experiment.
type Data struct {
	Dir      string `json:"dir"`
	Variant  string `json:"variant"`
	Digest   string `json:"digest"`
	Run      string `json:"run"`
	Seed     uint64 `json:"seed,string"`
	Episodes int64  `json:"episodes,string"` // that are taken
}

// A Seat is what a player scored when it was the handicapped one.
type Seat struct {
	Player string         `json:"player"`
	Wins   int64          `json:"wins,string"`
	Draws  int64          `json:"draws,string"`
	Losses int64          `json:"losses,string"`
	Score  stats.Interval `json:"score"`
	// Loss is what the seat scores in the control less Score; nil where the control is
	// not of the same agent and openings.
	Loss *stats.Interval `json:"loss"`
}

// Detectable is the least true loss that so many pairs of games, one with either side
// handicapped, show with a power, after the adjustment for so many tests.
type Detectable struct {
	Loss  float64 `json:"loss"`
	Power float64 `json:"power"`
	Pairs int64   `json:"pairs,string"`
	Tests int     `json:"tests"`
}

// A Comparison puts the experiment's score beside the regression's. Both are of who has
// one piece of the type more.
type Comparison struct {
	Regression stats.Interval `json:"regression"` // of who is one ahead and otherwise even, in the control's games
	Causal     stats.Interval `json:"causal"`     // of whose enemy lacks one from the start
	// Difference is the regression's less the causal one, and Same tests whether there is
	// none; Adjusted is its P by Holm's method over all comparisons. Without a value of the
	// regression they are of nothing, and Problem says why.
	Difference stats.Interval `json:"difference"`
	Same       stats.Test     `json:"same"`
	Adjusted   float64        `json:"adjusted_p"`
	Problem    string         `json:"problem"`
	Answer     string         `json:"answer"`
}

// A Curve is the response to several changes of one attribute of a type: what the side
// scores that has the change, over by how much.
type Curve struct {
	Type      string  `json:"type"`
	Attribute string  `json:"attribute"`
	Points    []Point `json:"points"` // by rising change, the unchanged rules among them
	// Rise is the score at the greatest change less that at the least one, and None tests
	// whether there is no difference; Adjusted is its P by Holm's method over all curves.
	Rise     stats.Interval `json:"rise"`
	None     stats.Test     `json:"no_effect"`
	Adjusted float64        `json:"adjusted_p"`
	Answer   string         `json:"answer"`
}

// A Point is the score at a change. With none it is ½ by symmetry, and known.
type Point struct {
	By    int            `json:"by"`
	Score stats.Interval `json:"score"`
}
