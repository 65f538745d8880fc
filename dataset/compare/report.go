package compare

import (
	"encoding/json"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Played is what was played of one variant with one budget.
type Played struct {
	SelfPlay *Measures
	Ladder   *LadderMeasures // nil: none
	Values   *balance.Values // nil: not told
}

// A Report says how variants differ in play. Where nothing can be told of something
// it is nil, or empty, and an answer says why in words. Lists by variant and budget
// have all budgets of the first variant first.
type Report struct {
	Plan    *Plan  `json:"plan"`
	Summary string `json:"summary"` // for who reads nothing else
	// Level is that of single intervals: 0.95, or, of a plan with looks, what holds
	// at all looks with that.
	Level       float64      `json:"level"`
	Sequential  *Sequential  `json:"sequential,omitempty"`
	Provenance  Provenance   `json:"provenance"`
	Outcomes    []Outcomes   `json:"outcomes"` // by variant and budget
	Against     *Against     `json:"against_baseline"`
	Interaction *Interaction `json:"interaction"` // nil with a single budget
	Values      Values       `json:"values"`
	Feel        GameFeel     `json:"feel"`
	Skill       Ladder       `json:"skill"`
	Health      Health       `json:"health"`
	Checks      []Check      `json:"checks,omitempty"` // of expectations, filled in by Expect
	Metrics     []Metric     `json:"metrics"`          // what the names of metrics mean
}

// Sequential says at which look a comparison ended.
type Sequential struct {
	Look    int          `json:"look"`         // from 1
	Looks   []stats.Look `json:"looks"`        // of intervals for themselves, up to this one
	Games   int64        `json:"games,string"` // of each variant with each budget
	Planned int64        `json:"planned,string"`
	Decided bool         `json:"decided"` // by every comparison; false at the last look where some is not
	Answer  string       `json:"answer"`
}

// Provenance says what was compared.
type Provenance struct {
	Variants []VariantData `json:"variants"`
	Arms     []ArmData     `json:"arms"` // by variant and budget, self-play before the ladder
	SameGame bool          `json:"same_game"`
}

// VariantData is a variant and how its rules differ from the baseline's.
type VariantData struct {
	Name    string       `json:"name"`
	Digest  string       `json:"digest"`
	Game    string       `json:"game"`
	Players [2]string    `json:"players"`
	Changes []RuleChange `json:"changes"` // none of the baseline, and of another game
	Answer  string       `json:"answer"`  // the changes in a sentence
}

// A RuleChange is a field of the rules in which a variant differs from the baseline.
type RuleChange struct {
	Field string          `json:"field"`
	From  json.RawMessage `json:"from"` // null where the baseline has no such field
	To    json.RawMessage `json:"to"`   // null where the variant has none
}

// ArmData is what was played of a variant with a budget. Self-play is counted in
// games, the ladder in pairs of them.
type ArmData struct {
	Variant   string    `json:"variant"`
	Nodes     int64     `json:"nodes,string"`
	Ladder    bool      `json:"ladder"`
	Agents    [2]string `json:"agents"`
	Run       string    `json:"run"`
	Seed      uint64    `json:"seed,string"`
	Asked     int64     `json:"asked,string"`     // games, or pairs
	Played    int64     `json:"played,string"`    // games, or pairs
	Truncated int64     `json:"truncated,string"` // games cut off by the limit of plies
	Resigned  int64     `json:"resigned,string"`  // games given up, which have a result
	Failed    int64     `json:"failed,string"`    // games that a program lost by other conduct: left out
	Distinct  int64     `json:"distinct,string"`  // different games
	Openings  int64     `json:"openings,string"`  // different positions after the random opening
}

// An Estimate is a metric of a variant with a budget.
type Estimate struct {
	Metric   string          `json:"metric"`
	Interval *stats.Interval `json:"interval"` // nil where the answer says why
	Answer   string          `json:"answer,omitempty"`
}

// Outcomes are the results of the games of a variant with a budget.
type Outcomes struct {
	Variant   string     `json:"variant"`
	Nodes     int64      `json:"nodes,string"`
	Games     int64      `json:"games,string"` // with a result
	Estimates []Estimate `json:"estimates"`    // of the metrics of Outcome
	Reasons   []Reason   `json:"reasons"`      // by falling count
	Answer    string     `json:"answer"`
}

// A Reason is how often games with a result ended for it.
type Reason struct {
	Reason     string         `json:"reason"`
	HouseRule  bool           `json:"house_rule,omitempty"`
	Games      int64          `json:"games,string"`
	Share      stats.Interval `json:"share"`
	Draws      int64          `json:"draws,string"`
	FirstScore stats.Interval `json:"first_score"` // of these games
}

// A Verdict is what a comparison has come to.
type Verdict string

const (
	Differs         Verdict = "differs"
	DiffersSlightly Verdict = "differs slightly" // by less than the margin
	Equivalent      Verdict = "equivalent"       // within the margin
	Undecided       Verdict = "undecided"
)

// A Comparison is a variant against the baseline in one metric. Differences are the
// variant's number less the baseline's.
type Comparison struct {
	Variant    string         `json:"variant"`
	Nodes      int64          `json:"nodes,string"`
	Metric     string         `json:"metric"`
	Baseline   stats.Interval `json:"baseline"`
	Estimate   stats.Interval `json:"estimate"`
	Difference stats.Interval `json:"difference"`
	Test       stats.Test     `json:"test"`       // that there is no difference
	AdjustedP  float64        `json:"adjusted_p"` // by Holm over the family
	// Margin is 0 where there is none; then there is no test of equivalence.
	Margin      float64     `json:"margin"`
	Equivalence *stats.Test `json:"equivalence"`
	// EquivalentP is that of Equivalence, adjusted by Holm over the family.
	EquivalentP *float64 `json:"equivalent_p"`
	// Detectable is the least difference that as many games as planned find with
	// the plan's power where the error is divided by the size of the family, from
	// the variance seen; nil where the games show none.
	Detectable *float64 `json:"minimum_detectable"`
	Verdict    Verdict  `json:"verdict"`
	Answer     string   `json:"answer"`

	variant int // in the plan, where several may have one name
}

// Against are all variants but the first against it.
type Against struct {
	Baseline    string       `json:"baseline"`
	Family      int          `json:"family"` // how many comparisons are adjusted together
	Power       float64      `json:"power"`
	Comparisons []Comparison `json:"comparisons"` // by variant, budget and metric
	Answers     []string     `json:"answers"`     // a sentence a variant
}

// Interaction says whether what was found depends on how much agents think.
type Interaction struct {
	Low  int64 `json:"low,string"` // the lowest budget, in nodes
	High int64 `json:"high,string"`
	// ByVariant is how a primary metric of a variant changes from Low to High.
	ByVariant []Change `json:"by_variant"`
	// Against is how the difference to the baseline changes: the variant's change
	// less the baseline's.
	Against []Change `json:"against_baseline"`
	Answer  string   `json:"answer"`
}

// A Change is how something changes from the lowest budget to the highest.
type Change struct {
	Variant   string         `json:"variant"`
	Metric    string         `json:"metric"`
	Low       stats.Interval `json:"low"`
	High      stats.Interval `json:"high"`
	Change    stats.Interval `json:"change"` // high less low
	Test      stats.Test     `json:"test"`   // that there is none
	AdjustedP float64        `json:"adjusted_p"`
	Answer    string         `json:"answer"`
}

// Values are what pieces are worth in the variants, in the whole of a game.
type Values struct {
	Budgets []BudgetValues `json:"budgets"` // by budget; empty where the answer says why
	Answer  string         `json:"answer"`
}

// BudgetValues are values in games with one budget.
type BudgetValues struct {
	Nodes int64       `json:"nodes,string"`
	Units []string    `json:"units"` // by variant: the type that is worth 1
	Notes []string    `json:"notes"` // why a variant has no values
	Types []TypeValue `json:"types"` // by first appearance
}

// TypeValue is a type of pieces, by name, in all variants that have it.
type TypeValue struct {
	Type     string         `json:"type"`
	Variants []VariantValue `json:"variants"` // by variant
}

// VariantValue is what a type is worth in a variant, as in balance.TypeValue.
type VariantValue struct {
	Variant string          `json:"variant"`
	Absent  bool            `json:"absent,omitempty"` // the variant has no such type
	Value   *stats.Interval `json:"value"`            // in units
	Score   *stats.Interval `json:"score"`            // expected score of who is one ahead
	// ValueDifference and ScoreDifference are to the baseline, each interval for
	// itself; nil of the baseline and where they cannot be told.
	ValueDifference *stats.Interval `json:"value_difference"`
	ScoreDifference *stats.Interval `json:"score_difference"`
	Problem         string          `json:"problem,omitempty"`
}

// GameFeel is how variants feel to play.
type GameFeel struct {
	Arms    []ArmFeel          `json:"arms"` // by variant and budget
	Family  int                `json:"family"`
	Against []Comparison       `json:"against_baseline"`
	Lengths []LengthComparison `json:"lengths_against_baseline"`
	Answers []string           `json:"answers"`
}

// ArmFeel is how a variant with a budget feels to play.
type ArmFeel struct {
	Variant   string     `json:"variant"`
	Nodes     int64      `json:"nodes,string"`
	Estimates []Estimate `json:"estimates"` // of the metrics of Feel
	Lengths   Lengths    `json:"lengths"`
}

// Lengths is the distribution of plies a game. Games that were cut off count as far
// as they went.
type Lengths struct {
	Quantiles []Quantile            `json:"quantiles"`
	Longer    []LongerThan          `json:"longer"`    // the curve at even steps
	Histogram []dataset.LengthCount `json:"histogram"` // by rising length, lengths that occur
}

// A Quantile is the least length that so many games do not exceed.
type Quantile struct {
	Share float64        `json:"share"`
	Plies stats.Interval `json:"plies"`
}

// LongerThan is the share of games of more plies.
type LongerThan struct {
	Plies int            `json:"plies"`
	Share stats.Interval `json:"share"`
}

// A LengthComparison is the distribution of lengths of a variant against the baseline's.
type LengthComparison struct {
	Variant string `json:"variant"`
	Nodes   int64  `json:"nodes,string"`
	// Longer is Cliff's delta: the probability that a game of the variant is longer
	// than one of the baseline less the probability that it is shorter.
	Longer    stats.Interval `json:"longer"`
	Test      stats.Test     `json:"test"`       // that the distributions are the same
	AdjustedP float64        `json:"adjusted_p"` // with the other comparisons of feel
	Answer    string         `json:"answer"`

	variant int // in the plan
}

// Ladder is how much more thinking is worth.
type Ladder struct {
	Arms     []ArmLadder     `json:"arms"`             // by variant and budget; empty without a ladder
	Variants []VariantLadder `json:"variants"`         // by variant; likewise
	Against  []Comparison    `json:"against_baseline"` // of doubling_score, by variant and budget
	Answer   string          `json:"answer"`
}

// ArmLadder is twice the nodes against once, of a variant with a budget.
type ArmLadder struct {
	Variant     string            `json:"variant"`
	Nodes       int64             `json:"nodes,string"` // of the weaker side
	Pairs       int64             `json:"pairs,string"`
	Pentanomial stats.Pentanomial `json:"pentanomial"`
	Score       stats.Interval    `json:"score"`
	Elo         stats.Interval    `json:"elo"`
	Answer      string            `json:"answer"`
}

// VariantLadder is the slope of the ladder of a variant.
type VariantLadder struct {
	Variant string `json:"variant"`
	// Slope is Elo for a doubling, the mean over budgets; nil where a side won all
	// of some budget, or nothing was played.
	Slope *stats.Interval `json:"slope"`
	// Difference is to the baseline's slope; nil of the baseline and where either is nil.
	Difference *stats.Interval `json:"difference"`
	Test       *stats.Test     `json:"test"` // that there is no difference
	AdjustedP  *float64        `json:"adjusted_p"`
	Answer     string          `json:"answer"`
}

// Health says what there is to doubt.
type Health struct {
	Arms     []ArmHealth `json:"arms"` // self-play by variant and budget
	Warnings []string    `json:"warnings"`
}

// ArmHealth are shares of the self-play games of a variant with a budget.
type ArmHealth struct {
	Variant   string         `json:"variant"`
	Nodes     int64          `json:"nodes,string"`
	Games     int64          `json:"games,string"`
	Missing   int64          `json:"missing,string"` // that were planned up to this look
	Truncated stats.Interval `json:"truncated"`
	Forfeited stats.Interval `json:"forfeited"` // resigned ones included
	Distinct  float64        `json:"distinct"`  // share of the games that are different
	Openings  float64        `json:"openings"`  // share of the games with an opening of their own
}
