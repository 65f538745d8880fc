package compare

import (
	"slices"
	"strings"
)

// A Metric is a number that describes a variant in play.
type Metric struct {
	Name   string `json:"name"`
	Family Family `json:"family"`
	// Variants are compared in primary metrics first.
	Primary bool   `json:"primary"`
	Unit    string `json:"unit"`
	Range   string `json:"range"`
	// Margin is the default of the greatest difference that does not matter: a number in
	// the metric's unit, or, if Relative, a share of the baseline's estimate. 0 means that
	// there is no margin.
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

// A quantity is a number that games are counted for.
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
	openingDiversity // of all games together; the quantities above are means over games
	doublingScore    // on the ladder
)

// bounded reports whether a quantity lies between 0 and 1.
func (q quantity) bounded() bool { return q != length && q != branching && q != leadChanges }

// byValue reports whether a quantity is computed from search values.
func (q quantity) byValue() bool { return q == leadChanges || q == drama || q == decidedAt }

// leadBand is the value, from −1 to 1, above which a side leads when changes of the lead
// are counted: 0.1 is an expected score of 55 %.
const leadBand = 0.1

// metrics lists the metrics in the order of reports.
var metrics = [...]Metric{
	{Name: "first_score", Family: Outcome, Primary: true, Unit: "points per game", Range: "0 to 1", Margin: 0.05, quantity: firstScore},
	{Name: "draws", Family: Outcome, Primary: true, Unit: "share of games", Range: "0 to 1", Margin: 0.05, quantity: draws},
	{Name: "length", Family: Outcome, Primary: true, Unit: "plies", Range: "0 or more", Margin: 0.1, Relative: true, quantity: length},
	{Name: "decisive", Family: Outcome, Unit: "share of games", Range: "0 to 1", quantity: decisive},
	{Name: "first_wins", Family: Outcome, Unit: "share of games", Range: "0 to 1", quantity: firstWins},
	{Name: "second_wins", Family: Outcome, Unit: "share of games", Range: "0 to 1", quantity: secondWins},
	{Name: "branching", Family: Feel, Unit: "actions", Range: "1 or more", quantity: branching},
	{Name: "lead_changes", Family: Feel, Unit: "changes per game", Range: "0 or more", quantity: leadChanges},
	{Name: "drama", Family: Feel, Unit: "search value", Range: "0 to 1", quantity: drama},
	{Name: "decided_at", Family: Feel, Unit: "share of the game", Range: "0 to 1", quantity: decidedAt},
	{Name: "repetition", Family: Feel, Unit: "share of positions", Range: "0 to 1", quantity: repetition},
	{Name: "completion", Family: Feel, Unit: "share of games", Range: "0 to 1", quantity: completion},
	{Name: "coverage", Family: Feel, Unit: "share of squares", Range: "0 to 1", quantity: coverage},
	{Name: "opening_diversity", Family: Feel, Unit: "probability", Range: "0 to 1", quantity: openingDiversity},
	{Name: "doubling_score", Family: Skill, Unit: "points per game", Range: "0 to 1", quantity: doublingScore},
}

// Metrics returns all metrics in the order of reports.
func Metrics() []Metric { return slices.Clone(metrics[:]) }

func lookup(name string) (*Metric, bool) {
	list := selected(func(m *Metric) bool { return m.Name == name })
	if len(list) == 0 {
		return nil, false
	}
	return list[0], true
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

// primary returns the metrics in which variants are compared first.
func primary() []*Metric { return selected(func(m *Metric) bool { return m.Primary }) }

// names lists the names of metrics.
func names(list []*Metric) string {
	text := make([]string, len(list))
	for i, m := range list {
		text[i] = m.Name
	}
	return strings.Join(text, ", ")
}
