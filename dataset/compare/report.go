package compare

import (
	"encoding/json"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Played is what the games of one variant with one budget show.
type Played struct {
	SelfPlay *Measures
	Ladder   *LadderMeasures // nil without a ladder
	Values   *balance.Values // nil if values were not analysed
}

// A Report shows how variants differ in play. Lists by variant and budget have all
// budgets of the first variant first. The JSON has the numbers; package
// dashboards/report adds sentences, from the numbers and from the fields that the JSON
// leaves out.
type Report struct {
	Plan *Plan `json:"plan"`
	// Label is the name that the user gives to the agent of the plan, or empty.
	Label string `json:"agent_label,omitempty"`
	// Level is the level of single intervals: 0.95, or, for a plan with looks, the level
	// at this look of intervals that hold at all looks together with 0.95.
	Level       float64      `json:"level"`
	Sequential  *Sequential  `json:"sequential,omitempty"`
	Provenance  Provenance   `json:"provenance"`
	Outcomes    []Outcomes   `json:"outcomes"` // by variant and budget
	Against     *Against     `json:"against_baseline"`
	Interaction *Interaction `json:"interaction"` // nil for a single budget
	Values      Values       `json:"values"`
	Feel        GameFeel     `json:"feel"`
	Skill       Ladder       `json:"skill"`
	Health      Health       `json:"health"`
	Checks      []Check      `json:"checks,omitempty"` // set by Expect
	Metrics     []Metric     `json:"metrics"`
}

// Sequential describes the look at which a comparison ended.
type Sequential struct {
	Look    int          `json:"look"`  // from 1
	Looks   []stats.Look `json:"looks"` // of single intervals, up to this look
	Games   int64        `json:"games"` // of each variant with each budget
	Planned int64        `json:"planned"`
	Decided bool         `json:"decided"` // every comparison is decided
	// Undecided of the Comparisons with the baseline are not decided at this look.
	Undecided   int `json:"-"`
	Comparisons int `json:"-"`
}

// Provenance names what was compared.
type Provenance struct {
	Variants []VariantData `json:"variants"`
	Arms     []ArmData     `json:"arms"` // by variant and budget, self-play before the ladder
	SameGame bool          `json:"same_game"`
}

// VariantData is a variant and the difference of its rules from the baseline's.
type VariantData struct {
	Name    string       `json:"name"`
	Digest  string       `json:"digest"`
	Game    string       `json:"game"`
	Players [2]string    `json:"players"`
	Changes []RuleChange `json:"changes"` // empty for the baseline and for another game
}

// A RuleChange is a field of the rules in which a variant differs from the baseline.
type RuleChange struct {
	Field string          `json:"field"`
	From  json.RawMessage `json:"from"` // null if the baseline lacks the field
	To    json.RawMessage `json:"to"`   // null if the variant lacks it
}

// ArmData describes the games of a variant with a budget. Self-play is counted in
// games, the ladder in pairs of games.
type ArmData struct {
	Variant   string    `json:"variant"`
	Nodes     int64     `json:"nodes"`
	Ladder    bool      `json:"ladder"`
	Agents    [2]string `json:"agents"`
	Run       string    `json:"run"`
	Seed      uint64    `json:"seed,string"`
	Asked     int64     `json:"asked"`         // games, or pairs
	Played    int64     `json:"played"`        // games, or pairs
	Truncated int64     `json:"truncated"`     // games cut off by the limit of plies
	Resigned  int64     `json:"resigned"`      // games that ended by resignation
	Failed    int64     `json:"failed"`        // games that a program lost by failing, which are left out
	Distinct  int64     `json:"distinct"`      // distinct games
	Early     int64     `json:"decided_early"` // games that ended within two plies of the agents' taking over
	Openings  int64     `json:"openings"`      // distinct positions after the opening
}

// An Estimate is a metric of a variant with a budget.
type Estimate struct {
	Metric   string          `json:"metric"`
	Interval *stats.Interval `json:"interval"`          // nil without an estimate
	Absence  Absence         `json:"absence,omitempty"` // why Interval is nil
}

// Outcomes are the results of the games of a variant with a budget.
type Outcomes struct {
	Variant   string     `json:"variant"`
	Nodes     int64      `json:"nodes"`
	Games     int64      `json:"games"`     // with a result
	Estimates []Estimate `json:"estimates"` // of the metrics of the family Outcome
	Reasons   []Reason   `json:"reasons"`   // in descending order of count
}

// A Reason counts the games with a result that ended for it.
type Reason struct {
	Reason     string         `json:"reason"`
	HouseRule  bool           `json:"house_rule,omitempty"`
	Games      int64          `json:"games"`
	Share      stats.Interval `json:"share"`
	Draws      int64          `json:"draws"`
	FirstScore stats.Interval `json:"first_score"` // of these games
}

// A Verdict is the result of a comparison.
type Verdict string

const (
	Differs         Verdict = "differs"
	DiffersSlightly Verdict = "differs slightly" // by less than the margin
	Equivalent      Verdict = "equivalent"       // within the margin
	Undecided       Verdict = "undecided"
)

// A Comparison is a variant against the baseline in one metric. The difference is the
// variant's number minus the baseline's.
type Comparison struct {
	Variant    string         `json:"variant"`
	Nodes      int64          `json:"nodes"`
	Metric     string         `json:"metric"`
	Baseline   stats.Interval `json:"baseline"`
	Estimate   stats.Interval `json:"estimate"`
	Difference stats.Interval `json:"difference"`
	Test       stats.Test     `json:"test"`       // of no difference
	AdjustedP  float64        `json:"adjusted_p"` // by Holm's method over the family
	// Margin is 0 for a metric without a margin; then there is no test of equivalence.
	Margin      float64     `json:"margin"`
	Equivalence *stats.Test `json:"equivalence"`
	// EquivalentP is the P value of Equivalence, adjusted by Holm's method over the family.
	EquivalentP *float64 `json:"equivalent_p"`
	// Detectable is the least difference that the planned number of games detects with
	// the plan's power and the error divided by the size of the family, given the
	// observed variance; nil if the games show no variance.
	Detectable *float64 `json:"minimum_detectable"`
	Verdict    Verdict  `json:"verdict"`
}

// Against compares all other variants with the baseline.
type Against struct {
	Baseline    string       `json:"baseline"`
	Family      int          `json:"family"` // number of comparisons that are adjusted together
	Power       float64      `json:"power"`
	Comparisons []Comparison `json:"comparisons"` // by variant, budget and metric
}

// Interaction shows whether results depend on the budget.
type Interaction struct {
	Low  int64 `json:"low"` // the lowest budget, in nodes
	High int64 `json:"high"`
	// ByVariant is the change of a primary metric of a variant from Low to High.
	ByVariant []Change `json:"by_variant"`
	// Against is the change of the difference to the baseline: the variant's change
	// minus the baseline's.
	Against []Change `json:"against_baseline"`
}

// A Change is the change of a number from the lowest budget to the highest.
type Change struct {
	Variant   string         `json:"variant"`
	Metric    string         `json:"metric"`
	Low       stats.Interval `json:"low"`
	High      stats.Interval `json:"high"`
	Change    stats.Interval `json:"change"` // high minus low
	Test      stats.Test     `json:"test"`   // of no change
	AdjustedP float64        `json:"adjusted_p"`
}

// Values are the values of pieces in the variants, over whole games.
type Values struct {
	Budgets []BudgetValues  `json:"budgets"` // budgets with values
	Missing []MissingValues `json:"-"`       // variants without values, with the budgets that are not in Budgets
}

// MissingValues is a variant without values.
type MissingValues struct {
	Variant string
	Problem balance.Problem
}

// BudgetValues are values in games with one budget.
type BudgetValues struct {
	Nodes   int64           `json:"nodes"`
	Units   []string        `json:"units"` // the type that is worth 1, by variant
	Missing []MissingValues `json:"-"`     // variants without values
	Types   []TypeValue     `json:"types"` // by first appearance
}

// TypeValue is a piece type, by name, in all variants.
type TypeValue struct {
	Type     string         `json:"type"`
	Variants []VariantValue `json:"variants"` // by variant
}

// VariantValue is the value of a type in a variant.
type VariantValue struct {
	Variant string          `json:"variant"`
	Absent  bool            `json:"absent,omitempty"` // the variant has no such type
	Value   *stats.Interval `json:"value"`            // in units
	Score   *stats.Interval `json:"score"`            // expected score of the side that is one ahead
	// ValueDifference and ScoreDifference are differences to the baseline with single
	// intervals; nil for the baseline and if there is no difference to estimate.
	ValueDifference *stats.Interval `json:"value_difference"`
	ScoreDifference *stats.Interval `json:"score_difference"`
	Problem         balance.Problem `json:"problem_code,omitzero"` // why Value is nil
}

// GameFeel compares how variants feel to play.
type GameFeel struct {
	Arms    []ArmFeel          `json:"arms"` // by variant and budget
	Family  int                `json:"family"`
	Against []Comparison       `json:"against_baseline"`
	Lengths []LengthComparison `json:"lengths_against_baseline"`
}

// ArmFeel describes how a variant with a budget feels to play.
type ArmFeel struct {
	Variant   string     `json:"variant"`
	Nodes     int64      `json:"nodes"`
	Estimates []Estimate `json:"estimates"` // of the metrics of the family Feel
	Lengths   Lengths    `json:"lengths"`
}

// Lengths is the distribution of plies per game. A game that was cut off counts with the
// plies that were played.
type Lengths struct {
	Quantiles []Quantile            `json:"quantiles"`
	Longer    []LongerThan          `json:"longer"`    // the curve at even steps
	Histogram []dataset.LengthCount `json:"histogram"` // in ascending order of length
}

// A Quantile is the least length that a share of the games does not exceed.
type Quantile struct {
	Share float64        `json:"share"`
	Plies stats.Interval `json:"plies"`
}

// LongerThan is the share of games with more plies.
type LongerThan struct {
	Plies int            `json:"plies"`
	Share stats.Interval `json:"share"`
}

// A LengthComparison is the distribution of lengths of a variant against the baseline's.
type LengthComparison struct {
	Variant string `json:"variant"`
	Nodes   int64  `json:"nodes"`
	// Longer is Cliff's delta: the probability that a game of the variant is longer
	// than one of the baseline minus the probability that it is shorter.
	Longer    stats.Interval `json:"longer"`
	Test      stats.Test     `json:"test"`       // of equal distributions
	AdjustedP float64        `json:"adjusted_p"` // with the other comparisons of feel
}

// Ladder shows how much twice the nodes gain.
type Ladder struct {
	Arms     []ArmLadder     `json:"arms"`             // by variant and budget; empty without a ladder
	Variants []VariantLadder `json:"variants"`         // by variant; empty without a ladder
	Against  []Comparison    `json:"against_baseline"` // of doubling_score, by variant and budget
}

// ArmLadder is a match of twice the nodes against once, for a variant with a budget.
type ArmLadder struct {
	Variant     string            `json:"variant"`
	Nodes       int64             `json:"nodes"` // of the weaker side
	Pairs       int64             `json:"pairs"`
	Pentanomial stats.Pentanomial `json:"pentanomial"`
	Score       stats.Interval    `json:"score"`
	Elo         stats.Interval    `json:"elo"`
}

// VariantLadder is the slope of the ladder of a variant.
type VariantLadder struct {
	Variant string `json:"variant"`
	// Slope is the Elo gain of a doubling, the mean over budgets; nil if one side won
	// everything with some budget, or no pair counts.
	Slope *stats.Interval `json:"slope"`
	// Difference is the difference to the baseline's slope; nil for the baseline and if
	// either slope is nil.
	Difference *stats.Interval `json:"difference"`
	Test       *stats.Test     `json:"test"` // of no difference
	AdjustedP  *float64        `json:"adjusted_p"`
}

// Health counts the reasons for doubt.
type Health struct {
	Arms     []ArmHealth `json:"arms"` // self-play by variant and budget
	Warnings []Warning   `json:"-"`
}

// ArmHealth has shares of the self-play games of a variant with a budget.
type ArmHealth struct {
	Variant   string         `json:"variant"`
	Nodes     int64          `json:"nodes"`
	Games     int64          `json:"games"`
	Missing   int64          `json:"missing"` // of the games planned up to this look
	Truncated stats.Interval `json:"truncated"`
	Forfeited stats.Interval `json:"forfeited"`     // resigned games included
	Distinct  float64        `json:"distinct"`      // distinct games per game
	Early     stats.Interval `json:"decided_early"` // within two plies of the agents' taking over
	Openings  float64        `json:"openings"`      // distinct openings per game
}
