package compare

import "slices"

// A Metric is a number that describes a variant in play.
type Metric struct {
	Name   string `json:"name"`
	Family Family `json:"family"`
	// Primary metrics are those in which variants are first of all compared.
	Primary   bool   `json:"primary"`
	What      string `json:"what"`
	Unit      string `json:"unit"`
	Range     string `json:"range"`
	Direction string `json:"direction"` // what more of it means
	// Margin is the greatest difference that does not matter unless a plan says
	// otherwise: a number of the metric's unit, or, where Relative, a share of the
	// baseline's estimate; 0: none.
	Margin   float64 `json:"margin,omitempty"`
	Relative bool    `json:"relative,omitempty"`

	quantity quantity
}

// A Family is a group of metrics.
type Family string

const (
	Outcome Family = "outcome"
	Feel    Family = "feel"
	Skill   Family = "skill"
)

// A quantity is what games are counted for.
type quantity int

const (
	firstScore quantity = iota
	draws
	length
	decisive
	firstWins
	secondWins
	branching
	leadChanges
	drama
	decidedAt
	repetition
	completion
	coverage
	openingDiversity // of all games together; those above are means over games
	doublingScore    // of the ladder
)

// bounded reports whether a quantity lies between 0 and 1.
func (q quantity) bounded() bool { return q != length && q != branching && q != leadChanges }

// byValue reports whether a quantity rests on what agents tell of their searches.
func (q quantity) byValue() bool { return q == leadChanges || q == drama || q == decidedAt }

// leadBand is beyond what value, from −1 to 1, a side leads where changes of the
// lead are counted: 0.1 is an expected score of 55 %.
const leadBand = 0.1

// The metrics in the order in which they are documented.
var metrics = [...]Metric{
	{
		Name: "first_score", Family: Outcome, Primary: true, Unit: "points a game", Range: "0 to 1", Margin: 0.05, quantity: firstScore,
		What:      "mean score of the first player, a draw being ½, in games with a result",
		Direction: "more is better for who moves first; 0.5 is even",
	},
	{
		Name: "draws", Family: Outcome, Primary: true, Unit: "share of games", Range: "0 to 1", Margin: 0.05, quantity: draws,
		What: "share of draws in games with a result", Direction: "more is fewer winners",
	},
	{
		Name: "length", Family: Outcome, Primary: true, Unit: "plies", Range: "0 or more", Margin: 0.1, Relative: true, quantity: length,
		What: "mean plies of a game, random opening included; a game that was cut off counts as far as it went", Direction: "more is longer",
	},
	{
		Name: "decisive", Family: Outcome, Unit: "share of games", Range: "0 to 1", quantity: decisive,
		What: "share of games with a result that either side won: 1 − draws", Direction: "more is more winners",
	},
	{
		Name: "first_wins", Family: Outcome, Unit: "share of games", Range: "0 to 1", quantity: firstWins,
		What: "share of games with a result that the first player won", Direction: "more is better for who moves first",
	},
	{
		Name: "second_wins", Family: Outcome, Unit: "share of games", Range: "0 to 1", quantity: secondWins,
		What: "share of games with a result that the second player won", Direction: "more is better for who moves second",
	},
	{
		Name: "branching", Family: Feel, Unit: "actions", Range: "1 or more", quantity: branching,
		What: "mean number of legal actions at the agents' plies, Σ legal / Σ plies over all games", Direction: "more is more choice",
	},
	{
		Name: "lead_changes", Family: Feel, Unit: "changes a game", Range: "0 or more", quantity: leadChanges,
		What: "how often a game's lead goes from one side to the other: who has a search value above 0.1 leads, " +
			"and keeps the lead while neither has (after Browne 2008, lead change)", Direction: "more is a game more open",
	},
	{
		Name: "drama", Family: Feel, Unit: "search value", Range: "0 to 1", quantity: drama,
		What: "how far the eventual winner is behind: the mean of −v over the agents' plies at which the search value v, from the winner's view, " +
			"is below 0, and 0 of games without such a ply; mean over won games (after Browne 2008, drama)", Direction: "more is greater comebacks",
	},
	{
		Name: "decided_at", Family: Feel, Unit: "share of the game", Range: "0 to 1", quantity: decidedAt,
		What: "share of a game's agents' plies up to the last one at which the eventual winner's search value is not above 0: " +
			"from then on the lead never ends; mean over won games (after Browne 2008, decisiveness)", Direction: "more is decided later",
	},
	{
		Name: "repetition", Family: Feel, Unit: "share of positions", Range: "0 to 1", quantity: repetition,
		What: "share of the positions after the random opening that occurred before in their game, counters apart", Direction: "more is going round in circles",
	},
	{
		Name: "completion", Family: Feel, Unit: "share of games", Range: "0 to 1", quantity: completion,
		What: "share of games that end under the rules, before the limit of plies (Browne 2008, completion)", Direction: "more is fewer games without end",
	},
	{
		Name: "coverage", Family: Feel, Unit: "share of squares", Range: "0 to 1", quantity: coverage,
		What: "share of the board's squares to which a piece moved, at which one fired or on which one was taken, or houses that seeds were sown from and to, " +
			"in the agents' plies of a game, from a sample of games", Direction: "more is more of the board in use",
	},
	{
		Name: "opening_diversity", Family: Feel, Unit: "probability", Range: "0 to 1", quantity: openingDiversity,
		What: "probability that the agents' first actions of two games differ, each after random plies of its own, " +
			"1 − Σ n(n−1)/(N(N−1)) over actions played n times in N games (Gini 1912; Simpson 1949)", Direction: "more is more ways to begin",
	},
	{
		Name: "doubling_score", Family: Skill, Unit: "points a game", Range: "0 to 1", quantity: doublingScore,
		What:      "score of an agent with twice the nodes against the same one with once, in colour-swapped pairs, a draw or a game that was cut off being ½",
		Direction: "more is more reward for thinking; 0.5 is none",
	},
}

// Metrics returns what variants are described by, in the order of reports.
func Metrics() []Metric { return slices.Clone(metrics[:]) }

func lookup(name string) (*Metric, bool) {
	for _, m := range metrics {
		if m.Name == name {
			return &m, true
		}
	}
	return nil, false
}

// selected returns the metrics for which want is true.
func selected(want func(*Metric) bool) []*Metric {
	var list []*Metric
	for _, m := range metrics {
		if want(&m) {
			list = append(list, &m)
		}
	}
	return list
}

// names are those of the metrics for which want is true.
func names(want func(*Metric) bool) []string {
	var list []string
	for _, m := range selected(want) {
		list = append(list, m.Name)
	}
	return list
}
