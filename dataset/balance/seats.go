package balance

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

func (s *sums) seats(b *board, others *Results) *Seats {
	seats := &Seats{
		Games: s.first.games(), First: s.first.outcome(), Decisive: s.first.won.Interval(stats.Level),
		Even: stats.Significance(s.first.score.Interval, 0.5), ByLength: []ClassSeats{}, ByReason: []ClassSeats{},
	}
	seats.Answer = s.seatAnswer(b, seats)
	seats.Against = s.against(b, others)
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

// seatAnswer says in a sentence what the seats are worth.
func (s *sums) seatAnswer(b *board, seats *Seats) string {
	first, second := b.spec.Players[env.First], b.spec.Players[env.Second]
	o, n := &seats.First, seats.Games
	switch {
	case n == 0:
		return "No game has a result: nothing can be told of the seats."
	case n == 1:
		return "Only one game has a result: it tells nothing of the seats."
	case o.Draws == n:
		return fmt.Sprintf("All %s games were drawn: neither seat shows an advantage, and games without a winner say nothing of pieces.", dataset.Count(n))
	case o.Wins == n || o.Losses == n:
		winner := first
		if o.Losses == n {
			winner = second
		}
		return fmt.Sprintf("%s won all %s games: the seat, or the agent in it, decides; %s.", winner, dataset.Count(n), dataset.Share(o.Score))
	case seats.Even.P >= 1-stats.Level:
		return fmt.Sprintf("No advantage of a seat is shown: %s, who moves first, scores %s, which holds 50 %%.", first, dataset.Share(o.Score))
	case o.Score.Estimate > 0.5:
		return fmt.Sprintf("%s, who moves first, is ahead: the score is %s.", first, dataset.Share(o.Score))
	}
	return fmt.Sprintf("%s, who moves second, is ahead: the score of %s is %s.", second, first, dataset.Share(o.Score))
}
