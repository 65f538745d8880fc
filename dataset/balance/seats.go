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
		Games: s.first.games(), First: s.first.outcome(), SideToMove: s.mover.outcome(), Decisive: s.first.won.Interval(stats.Level),
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

// results counts the results of the first player.
type results struct {
	counts [3]int64 // losses, draws, wins
	open   [3]int64 // of the cluster that is not closed yet
	shares [3]stats.Clusters
	score  stats.Clusters
	won    stats.Clusters // by either side
	among  stats.Clusters // share of this class in the games with a result
}

func (r *results) add(result env.Result) { r.open[int(result)+1]++ }

// close ends a cluster. The cluster has all games with a result, of this class and others.
func (r *results) close(all int64) {
	lost, drawn, won := r.open[0], r.open[1], r.open[2]
	n := lost + drawn + won
	r.among.Add(float64(n), all)
	for i, k := range r.open {
		r.counts[i] += k
		r.shares[i].Add(float64(k), n)
	}
	r.score.Add(float64(won)+float64(drawn)/2, n)
	r.won.Add(float64(won+lost), n)
	r.open = [3]int64{}
}

// addTimes adds the results of o, as many times as given.
func (r *results) addTimes(o *results, times int64) {
	for i := range r.counts {
		r.counts[i] += times * o.counts[i]
		r.shares[i].MergeTimes(&o.shares[i], times)
	}
	r.score.MergeTimes(&o.score, times)
	r.won.MergeTimes(&o.won, times)
}

func (r *results) merge(o *results) {
	for i := range r.counts {
		r.counts[i] += o.counts[i]
		r.shares[i].Merge(&o.shares[i])
	}
	r.score.Merge(&o.score)
	r.won.Merge(&o.won)
	r.among.Merge(&o.among)
}

// pending returns the number of games with a result in the open cluster.
func (r *results) pending() int64 { return r.open[0] + r.open[1] + r.open[2] }

func (r *results) games() int64 { return r.counts[0] + r.counts[1] + r.counts[2] }

func (r *results) outcome() dataset.Outcome {
	share := func(result int) stats.Interval { return r.shares[result+1].Interval(stats.Level) }
	return dataset.Outcome{
		Wins: r.counts[2], Draws: r.counts[1], Losses: r.counts[0],
		Win: share(1), Draw: share(0), Loss: share(-1), Score: r.score.Interval(stats.Level),
	}
}
