package handicap

import (
	"cmp"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// curves returns the curves of all attributes with two changes or more.
func curves(all []Played) []Curve {
	list := []Curve{}
	for i := range all {
		of := &all[i]
		same := func(p Played) bool { return p.Type == of.Type && p.Change.Attribute == of.Change.Attribute }
		if of.Change.Removal() || slices.IndexFunc(all, same) < i {
			continue
		}
		c := curve{Curve: Curve{Type: of.Type, Attribute: of.Change.Attribute}}
		c.add(0, func(level float64) stats.Interval {
			return stats.Interval{Estimate: 0.5, Low: 0.5, High: 0.5, Level: level, Method: "symmetry"}
		})
		for j := range all {
			if same(all[j]) && all[j].Measures.enough() {
				c.add(all[j].Change.By, all[j].Measures.score)
			}
		}
		if len(c.points) > 2 {
			list = append(list, c.finish())
		}
	}
	return list
}

// A curve is an unfinished Curve.
type curve struct {
	Curve
	points []curvePoint
}

type curvePoint struct {
	by    int
	score func(level float64) stats.Interval
}

func (c *curve) add(by int, score func(level float64) stats.Interval) {
	c.points = append(c.points, curvePoint{by, score})
}

func (c *curve) finish() Curve {
	slices.SortStableFunc(c.points, func(a, b curvePoint) int { return cmp.Compare(a.by, b.by) })
	for _, at := range c.points {
		c.Points = append(c.Points, Point{By: at.by, Score: at.score(stats.Level)})
	}
	first, last := c.points[0], c.points[len(c.points)-1]
	rise := func(level float64) stats.Interval {
		switch {
		case first.by == 0:
			return less(0, less(0.5, last.score(level)))
		case last.by == 0:
			return less(0.5, first.score(level))
		}
		return stats.Difference(last.score(level), first.score(level))
	}
	c.Rise, c.None = rise(stats.Level), stats.Significance(rise, 0)
	return c.Curve
}
