package balance

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

func (s *sums) seats(b *board, others *Results) *Seats {
	seats := &Seats{
		Games: s.first.games(), First: s.first.outcome(), Decisive: s.first.won.Interval(stats.Level),
		Even: stats.Significance(s.first.score.Interval, 0.5), ByLength: []ClassSeats{}, ByReason: []ClassSeats{},
	}
	seats.Against = s.against(others)
	class := func(name string, r *results) ClassSeats {
		return ClassSeats{
			Class: name, Games: r.games(), Share: r.among.Interval(stats.Level),
			First: r.outcome(), Decisive: r.won.Interval(stats.Level),
		}
	}
	for i := range s.lengths {
		if s.lengths[i].games() == 0 {
			continue
		}
		name := fmt.Sprintf("%d plies or more", lengthEdges[i])
		if i+1 < len(lengthEdges) {
			name = fmt.Sprintf("%d to %d plies", lengthEdges[i], lengthEdges[i+1]-1)
		}
		seats.ByLength = append(seats.ByLength, class(name, &s.lengths[i]))
	}
	for i := range s.reasons {
		if s.reasons[i].games() == 0 {
			continue
		}
		reason := env.Reason(i)
		c := class(reason.String(), &s.reasons[i])
		c.HouseRule = slices.ContainsFunc(b.spec.Ends, func(e env.End) bool { return e.Reason == reason && e.HouseRule })
		seats.ByReason = append(seats.ByReason, c)
	}
	slices.SortFunc(seats.ByReason, func(a, b ClassSeats) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Class, b.Class))
	})
	return seats
}
