package compare

import (
	"math"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/stats"
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
	moverScore
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
	{Name: "mover_score", Family: Outcome, Unit: "points per game", Range: "0 to 1", quantity: moverScore},
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

// interval returns the estimate of a quantity of self-play. Shares and scores have the
// interval of Clusters. Shares per game that are often near 0 or 1 have the exact
// interval, counts that are often 0 that of rates, and other means Student's; if all
// games agree, Student's has no bounds, and the interval of rates takes its place.
func (m *Measures) interval(q quantity, level float64) stats.Interval {
	switch {
	case q == openingDiversity:
		counts := make([]int64, 0, len(m.firsts))
		for _, n := range m.firsts {
			counts = append(counts, n)
		}
		return stats.Diversity(counts, level)
	case q == drama || q == repetition || q == coverage:
		return m.means[q].ExactInterval(level)
	case q == leadChanges || m.means[q].PerCluster() == 0 && !q.bounded():
		return m.means[q].RateInterval(level)
	case q.bounded():
		return m.means[q].Interval(level)
	}
	return m.means[q].StudentInterval(level)
}

// difference returns a quantity of m minus the same quantity of another.
func (m *Measures) difference(q quantity, other *Measures, level float64) stats.Interval {
	if (q == length || q == branching) && m.means[q].PerCluster()+other.means[q].PerCluster() > 0 {
		return stats.MeanDifference(&m.means[q], &other.means[q], level)
	}
	return stats.Difference(m.interval(q, level), other.interval(q, level))
}

// An Absence is the reason why a metric has no estimate.
type Absence string

const (
	Present        Absence = ""                 // the metric has an estimate
	NoGames        Absence = "no_games"         // no game was played
	NoResults      Absence = "no_results"       // no game has a result
	NoWins         Absence = "no_wins"          // no game was won
	NoSearchValues Absence = "no_search_values" // the agent reports no search values
	NoEvents       Absence = "no_events"        // the game reports no events
	NoFirstActions Absence = "no_first_actions" // fewer than two games have a first action of an agent
)

// absence returns the reason why a quantity has no estimate.
func (m *Measures) absence(q quantity) Absence {
	switch {
	case m.played == 0:
		return NoGames
	case q.byValue() && m.valued == 0:
		return NoSearchValues
	case q == coverage && !m.eventful:
		return NoEvents
	case q == openingDiversity:
		if m.choosers() < 2 {
			return NoFirstActions
		}
	case m.means[q].Len() > 0:
	case q == drama || q == decidedAt:
		return NoWins
	default:
		return NoResults
	}
	return Present
}

// choosers returns the number of games with a first action of an agent.
func (m *Measures) choosers() int64 {
	n := int64(0)
	for _, k := range m.firsts {
		n += k
	}
	return n
}

// perGame returns the variance that the estimate of a quantity would have from one
// game, and the number of games that the estimate is made from.
func (m *Measures) perGame(q quantity) (variance float64, games int64) {
	if q != openingDiversity {
		return m.means[q].PerCluster(), m.means[q].Len()
	}
	// The level of an interval of one standard error on either side.
	const one = 0.6826894921370859
	i, n := m.interval(q, one), m.choosers()
	return math.Pow((i.High-i.Low)/2, 2) * float64(n), n
}

// estimates returns the estimates of a family of metrics.
func (m *Measures) estimates(family Family, level float64) []Estimate {
	var list []Estimate
	for _, metric := range selected(func(m *Metric) bool { return m.Family == family }) {
		e := Estimate{Metric: metric.Name, Absence: m.absence(metric.quantity)}
		if e.Absence == Present {
			i := m.interval(metric.quantity, level)
			e.Interval = &i
		}
		list = append(list, e)
	}
	return list
}
