package handicap

import (
	"encoding/json"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A Report shows what handicaps cost. Intervals are at stats.Level. The JSON has the
// numbers; package dashboards/report adds sentences, from the numbers and from the
// fields that the JSON leaves out.
type Report struct {
	Variant string `json:"variant"`
	Digest  string `json:"digest"`
	// Rules is the complete rule set; older reports lack it.
	Rules     json.RawMessage `json:"rules,omitempty"`
	Players   [2]string       `json:"players"`
	Agent     string          `json:"agent"`
	Unit      string          `json:"unit"` // the piece type whose removal is worth 1; empty without removals
	Handicaps []Effect        `json:"handicaps"`
	Curves    []Curve         `json:"curves"`
	Control   *Control        `json:"control"` // nil without games of the unchanged rules
	Worth     []Worth         `json:"worth"`   // of the types of which a piece was removed
	Until     *Until          `json:"until,omitempty"`
	Strength  *Strength       `json:"strength,omitempty"` // set by Compare
	Notes     []Note          `json:"-"`
}

// Control describes the games of the unchanged rules.
type Control struct {
	Data balance.Data `json:"data"`
	// First is the first player's score.
	First stats.Interval `json:"first_score"`
	// SameAgent says that the agent of the experiment played both sides in all games, and
	// SameOpenings that they began like the games of the experiment.
	SameAgent    bool `json:"same_agent"`
	SameOpenings bool `json:"same_openings"`
}

// A Problem is the reason why a number is missing.
type Problem string

const (
	NoProblem      Problem = ""
	NoUnit         Problem = "no_unit"          // no removal was played that could be the unit
	UnitNotPlayed  Problem = "unit_not_played"  // the removal of the unit was not played
	FewResults     Problem = "few_results"      // too few games have a result
	UnitFewResults Problem = "unit_few_results" // too few games of the unit have a result
	UnitHelps      Problem = "unit_helps"       // removing the unit helps
	UnitUncertain  Problem = "unit_uncertain"   // the unit's loss does not differ significantly from 0
	Unbounded      Problem = "unbounded"        // the number has no bounds
	NoControl      Problem = "no_control"       // there are no games of the unchanged rules
	NoRegression   Problem = "no_regression"    // the regression has no value for the type
)

// An Effect is what a handicap costs the side that has it.
type Effect struct {
	Type      string `json:"type"`
	Counted   bool   `json:"counted,omitempty"` // a piece of the type has a count, which is lowered by one
	Attribute string `json:"attribute,omitempty"`
	By        int    `json:"by,omitempty"`
	Last      bool   `json:"last,omitempty"` // the missing piece is the last of its type
	Arms      []Data `json:"arms"`
	Games     int64  `json:"games"`         // games with a result
	Truncated int64  `json:"truncated"`     // games cut off, without a result
	Failed    int64  `json:"failed"`        // games that a program lost by failing, without a result
	Distinct  int64  `json:"distinct"`      // distinct games, with or without a result
	Early     int64  `json:"decided_early"` // games that ended within two plies of the agents' taking over
	Openings  int64  `json:"openings"`      // distinct positions after the opening
	// Score is the score of the handicapped side, averaged over both seats. Loss is
	// ½ − Score; it is negative if the handicap helps.
	Score stats.Interval `json:"score"`
	Loss  stats.Interval `json:"loss"`
	// Elo and LogOdds are the loss on these scales, from the score of the other side.
	Elo     stats.Interval `json:"elo"`
	LogOdds stats.Interval `json:"log_odds"`
	Seats   [2]Seat        `json:"seats"` // by the handicapped player
	// None tests the hypothesis of no loss and no gain; Adjusted is its P value adjusted by
	// Holm's method over all handicaps of the report.
	None     stats.Test `json:"no_effect"`
	Adjusted float64    `json:"adjusted_p"`
	// Detectable is the loss that the games can detect; nil if results do not vary.
	Detectable *Detectable `json:"detectable"`
	// Needed is how many pairs would decide an undecided effect; nil if it is decided or if
	// results do not vary.
	Needed *Needed `json:"needed,omitempty"`
	// Value is the loss in units, by log odds; nil if there is a Problem.
	Value   *stats.Interval `json:"value"`
	Problem Problem         `json:"problem_code,omitempty"`
	// Regression compares a removal with the values of the control; nil for attributes.
	Regression *Comparison `json:"regression"`
}

// Data names a data set of an experiment.
type Data struct {
	Dir      string `json:"dir"`
	Variant  string `json:"variant"`
	Digest   string `json:"digest"`
	Run      string `json:"run"`
	Seed     uint64 `json:"seed,string"`
	Episodes int64  `json:"episodes"` // episodes used
}

// A Seat has the results of a player in the games in which it was handicapped.
type Seat struct {
	Player string         `json:"player"`
	Wins   int64          `json:"wins"`
	Draws  int64          `json:"draws"`
	Losses int64          `json:"losses"`
	Score  stats.Interval `json:"score"`
	// Loss is the score of the seat in the control minus Score; nil if the control is by
	// another agent or from other openings.
	Loss *stats.Interval `json:"loss"`
}

// Detectable is the least true loss that a number of pairs of games, one with either
// side handicapped, detects with a power, after the adjustment for a number of tests.
type Detectable struct {
	Loss  float64 `json:"loss"`
	Power float64 `json:"power"`
	Pairs int64   `json:"pairs"`
	Tests int     `json:"tests"`
}

// Needed is the number of pairs of games, one with either side handicapped, that detects a
// true loss with a power, after the adjustment for a number of tests.
type Needed struct {
	Loss  float64 `json:"loss"`
	Power float64 `json:"power"`
	Pairs int64   `json:"pairs"`
	Tests int     `json:"tests"`
}

// Until describes an experiment that ends for each handicap when its interval is narrow
// enough.
type Until struct {
	Precision
	// Open are the indices of the handicaps whose games ended before that, at the greatest
	// number of pairs.
	Open []int `json:"open"`
}

// A Worth is what one piece of a type is worth by experiment and by regression. Scores are
// those of the side that has one more piece of the type; values are in the unit of the
// report.
type Worth struct {
	Type    string `json:"type"`
	Counted bool   `json:"counted,omitempty"` // one seed of a house
	// Experiment is the worth of one piece with all its fellows on the board, from the start
	// of the game. Last is that of the last piece of the type, with its fellows gone from
	// both sides; nil if it was not played.
	Experiment Measured  `json:"experiment"`
	Last       *Measured `json:"last"`
	// Regression is the worth in games of the unchanged rules, and Phases are those of the
	// phases of these games. They have no Score without such games.
	Regression Measured     `json:"regression"`
	Phases     []PhaseWorth `json:"phases"`
	// Relation says how both relate.
	Relation Relation `json:"relation"`
}

// A Measured is a worth; a number is nil if it cannot be estimated.
type Measured struct {
	Score *stats.Interval `json:"score"`
	Value *stats.Interval `json:"value"`
}

// A PhaseWorth is the worth of a piece in a phase of the game, by regression.
type PhaseWorth struct {
	Phase string `json:"phase"`
	Measured
}

// A Relation says how the worths of a type by experiment and by regression relate.
type Relation string

const (
	Alone          Relation = "alone"           // there is no regression to compare with
	Agree          Relation = "agree"           // the scores differ by less than AgreeMargin
	RegressionMore Relation = "regression_more" // the regression's score is higher
	RegressionLess Relation = "regression_less" // the regression's score is lower
	Open           Relation = "open"            // too few games to tell
)

// AgreeMargin is the difference of scores within which experiment and regression agree.
const AgreeMargin = 0.05

// A Comparison compares the score of a side with one more piece of a type, by regression
// and by experiment.
type Comparison struct {
	Regression stats.Interval `json:"regression"` // of the side that is one ahead and otherwise even, in the control's games
	Causal     stats.Interval `json:"causal"`     // of the side whose opponent lacks one from the start
	// Difference is Regression − Causal, and Same tests the hypothesis that it is 0;
	// Adjusted is its P value adjusted by Holm's method over all comparisons. With a Problem
	// they are empty.
	Difference stats.Interval `json:"difference"`
	Same       stats.Test     `json:"same"`
	Adjusted   float64        `json:"adjusted_p"`
	// Needed is the number of pairs of games with which the experiment is precise enough to
	// show the difference or that both agree, as far as it depends on the experiment; 0 if
	// more pairs do not help or are not needed.
	Needed  int64   `json:"needed_pairs,omitempty"`
	Problem Problem `json:"problem_code,omitempty"`
	// Missing is the problem of the regression, with NoRegression.
	Missing balance.Problem `json:"-"`
}

// A Curve is the response to several changes of one attribute of a type: the score of the
// side with the change.
type Curve struct {
	Type      string  `json:"type"`
	Attribute string  `json:"attribute"`
	Points    []Point `json:"points"` // in ascending order of change, including the unchanged rules
	// Rise is the score at the greatest change minus that at the least, and None tests the
	// hypothesis that it is 0; Adjusted is its P value adjusted by Holm's method over all
	// curves.
	Rise     stats.Interval `json:"rise"`
	None     stats.Test     `json:"no_effect"`
	Adjusted float64        `json:"adjusted_p"`
}

// A Point is the score at a change. Without a change it is ½ by symmetry.
type Point struct {
	By    int            `json:"by"`
	Score stats.Interval `json:"score"`
}
