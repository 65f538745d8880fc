package compare

import (
	"math"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

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
