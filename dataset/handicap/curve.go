package handicap

import (
	"cmp"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// curves are the attributes of types of which there are two changes or more.
func curves(handicaps []Handicap, all []*games) []Curve {
	list := []Curve{}
	for i := range handicaps {
		h := &handicaps[i]
		same := func(o Handicap) bool { return o.Type == h.Type && o.Attribute == h.Attribute }
		if h.Attribute == "" || slices.IndexFunc(handicaps, same) < i {
			continue
		}
		c := curve{Curve: Curve{Type: h.Type, Attribute: h.Attribute}}
		c.add(0, func(level float64) stats.Interval {
			return stats.Interval{Estimate: 0.5, Low: 0.5, High: 0.5, Level: level, Method: "symmetry"}
		})
		for j := range handicaps {
			if same(handicaps[j]) && all[j].told() {
				c.add(handicaps[j].By, all[j].score)
			}
		}
		if len(c.points) > 2 {
			list = append(list, c.finish())
		}
	}
	return list
}

// A curve is a Curve in the making.
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
