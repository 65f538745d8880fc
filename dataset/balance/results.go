package balance

import (
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

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
