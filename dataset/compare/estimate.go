package compare

import (
	"math"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// interval returns the estimate of a quantity of self-play. Shares and scores have
// the interval of Clusters, those of a game that are often near 0 or 1 and skewed the
// exact one, counts that are often 0 that of rates, others Student's. That has no
// bounds where all games agree, and gives way to that of rates.
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

// difference returns the interval of a quantity of m less that of another.
func (m *Measures) difference(q quantity, other *Measures, level float64) stats.Interval {
	if (q == length || q == branching) && m.means[q].PerCluster()+other.means[q].PerCluster() > 0 {
		return stats.MeanDifference(&m.means[q], &other.means[q], level)
	}
	return stats.Difference(m.interval(q, level), other.interval(q, level))
}

// absence says why there is no estimate of a quantity, "" where there is one.
func (m *Measures) absence(q quantity) string {
	switch {
	case m.played == 0:
		return "no game was played"
	case q.byValue() && m.told == 0:
		return "the agent tells no value of its searches, which this is made of"
	case q == coverage && !m.eventful:
		return "the game tells no events, which this is made of"
	case q == openingDiversity:
		if m.choosers() < 2 {
			return "fewer than two games have a first action of an agent"
		}
	case m.means[q].Len() > 0:
	case q == drama || q == decidedAt:
		return "no game was won, which this is about"
	default:
		return "no game has a result"
	}
	return ""
}

// choosers is how many games have a first action of an agent.
func (m *Measures) choosers() int64 {
	n := int64(0)
	for _, k := range m.firsts {
		n += k
	}
	return n
}

// perGame returns the variance that the estimate of a quantity would have of one
// game, and how many games it is of.
func (m *Measures) perGame(q quantity) (variance float64, games int64) {
	if q != openingDiversity {
		return m.means[q].PerCluster(), m.means[q].Len()
	}
	// What the interval is of one standard error.
	const one = 0.6826894921370859
	i, n := m.interval(q, one), m.choosers()
	return math.Pow((i.High-i.Low)/2, 2) * float64(n), n
}

// estimates are those of a family of metrics.
func (m *Measures) estimates(family Family, level float64) []Estimate {
	var list []Estimate
	for _, metric := range selected(func(m *Metric) bool { return m.Family == family }) {
		e := Estimate{Metric: metric.Name, Answer: m.absence(metric.quantity)}
		if e.Answer == "" {
			i := m.interval(metric.quantity, level)
			e.Interval = &i
		}
		list = append(list, e)
	}
	return list
}
