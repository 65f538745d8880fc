package handicap

import (
	"cmp"
	"context"
	"math"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// Games is a data set of games in which one side was handicapped.
type Games struct {
	Source   balance.Source
	Episodes int64 // number of episodes to use, from the first; 0 for all
	// Handicapped returns the handicapped player of an episode.
	Handicapped func(episode int64) env.Player
}

// Measures counts the games of a handicap.
type Measures struct {
	seats              [2]seatGames // by the handicapped player
	episodes           int64
	missing            int64 // of the planned games
	truncated, failed  int64
	early              int64 // games that ended within two plies of the agents' taking over
	distinct, openings int64 // distinct games, and distinct positions after the opening
	data               []Data
}

// seatGames counts the games in which one player was handicapped.
type seatGames struct {
	counts [3]int64 // games that the player lost, drew and won
	score  stats.Clusters
}

// Measure counts the games of a handicap. Its errors are those of the sources, for
// damaged data a *dataset.Fault.
func Measure(ctx context.Context, data ...Games) (*Measures, error) {
	m := &Measures{data: []Data{}}
	for i := range data {
		if err := m.read(ctx, &data[i]); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *Measures) read(ctx context.Context, data *Games) error {
	hasher, different, openings := dataset.NewGameHasher(), map[uint64]struct{}{}, map[uint64]struct{}{}
	wanted, before := cmp.Or(data.Episodes, data.Source.Count), m.episodes
	for ep, err := range data.Source.First(wanted).Episodes {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		different[hasher.Hash(ep)] = struct{}{}
		openings[ep.Opened()] = struct{}{}
		m.add(ep, data.Handicapped(ep.Number))
	}
	m.missing += wanted - (m.episodes - before)
	m.distinct += int64(len(different))
	m.openings += int64(len(openings))
	s := data.Source.Settings
	m.data = append(m.data, Data{Dir: data.Source.Name, Variant: s.Variant, Digest: s.Digest, Run: s.Run(), Seed: s.Seed, Episodes: wanted})
	return nil
}

// add counts a game in which a player was handicapped.
func (m *Measures) add(ep *dataset.Episode, handicapped env.Player) {
	m.episodes++
	if ep.DecidedEarly() {
		m.early++
	}
	switch {
	case ep.Truncated:
		m.truncated++
	case !ep.Decided():
		m.failed++
	default:
		result := ep.Result.For(handicapped)
		seat := &m.seats[handicapped]
		seat.counts[result+1]++
		seat.score.Add(float64(result+1)/2, 1)
	}
}

func (s *seatGames) games() int64 { return s.counts[0] + s.counts[1] + s.counts[2] }

// decided returns the number of games with a result.
func (m *Measures) decided() int64 { return m.seats[0].games() + m.seats[1].games() }

// enough reports whether both seats have enough games for an interval.
func (m *Measures) enough() bool { return m.seats[0].games() >= 2 && m.seats[1].games() >= 2 }

// score returns the score of the handicapped side, averaged over both seats; if a seat
// has no games, the interval of no data.
func (m *Measures) score(level float64) stats.Interval {
	const method = "mean of both seats, "
	if m.seats[0].games() == 0 || m.seats[1].games() == 0 {
		var none stats.Clusters
		i := none.Interval(level)
		i.Method = method + i.Method
		return i
	}
	first := m.seats[0].score.Interval(level)
	i := first.Plus(m.seats[1].score.Interval(level))
	i.Estimate, i.Low, i.High, i.Method = i.Estimate/2, i.Low/2, i.High/2, method+first.Method
	return i
}

// perPair returns the variance of the score of a pair of games, one with either side
// handicapped, and the number of such pairs: 0 if a seat has fewer than two games.
func (m *Measures) perPair() (variance float64, pairs int64) {
	if !m.enough() {
		return 0, 0
	}
	_, first := m.seats[0].score.Mean()
	_, second := m.seats[1].score.Mean()
	pairs = min(m.seats[0].games(), m.seats[1].games())
	return float64(pairs) * (first + second) / 4, pairs
}

// Power is the power of detectable losses.
const Power = 0.8

// SmallLoss is the least loss of score for which the number of pairs is planned that an
// undecided handicap needs.
const SmallLoss = 0.02

// needed returns the number of pairs that find a loss as great as the observed one, or
// SmallLoss if that is greater. It returns nil if the results do not vary.
func (m *Measures) needed(loss float64, tests int) *Needed {
	variance, _ := m.perPair()
	n := &Needed{Loss: math.Max(SmallLoss, math.Abs(loss)), Power: Power, Tests: max(1, tests)}
	var err error
	if n.Pairs, err = trial(variance, tests).Units(n.Loss, Power); err != nil {
		return nil
	}
	return n
}

// agreed returns the number of pairs with which half the interval of the difference between
// regression and experiment is half of AgreeMargin, if the regression's stays as it is.
// It returns 0 if that alone is wider, or if there are as many pairs.
func (m *Measures) agreed(c *Comparison) int64 {
	const wanted = AgreeMargin / 2
	own := math.Max(c.Regression.High-c.Regression.Estimate, c.Regression.Estimate-c.Regression.Low)
	variance, pairs := m.perPair()
	if own >= wanted || variance == 0 {
		return 0
	}
	needed, err := stats.Trial{Level: stats.Level, Groups: 1, Variance: variance}.Precise(math.Sqrt(wanted*wanted - own*own))
	if err != nil || needed <= pairs {
		return 0
	}
	return needed
}

// trial plans a test of one of several handicaps, with Bonferroni's bound. Holm's method
// is never worse.
func trial(variance float64, tests int) stats.Trial {
	return stats.Trial{Level: 1 - significant/float64(max(1, tests)), Groups: 1, Variance: variance}
}

// mostVariance is the greatest possible variance of the mean score of two independent
// games: that of games without draws that both sides win equally often.
const mostVariance = 1.0 / 8

// Foresee returns the loss that a number of pairs of games for each handicap can detect,
// with one test for each handicap, whatever the results. With draws, or if one side wins
// most games, smaller losses are detectable too. It returns nil if the games are too few
// to detect any loss.
func Foresee(pairs int64, tests int) *Detectable { return detectable(mostVariance, pairs, tests) }

// detectable returns the loss that the games of a handicap can detect.
func (m *Measures) detectable(tests int) *Detectable {
	variance, pairs := m.perPair()
	return detectable(variance, pairs, tests)
}

func detectable(variance float64, pairs int64, tests int) *Detectable {
	loss, err := trial(variance, tests).Detectable(pairs, Power)
	if err != nil || loss > 0.5 {
		return nil
	}
	return &Detectable{Loss: loss, Power: Power, Pairs: pairs, Tests: max(1, tests)}
}
