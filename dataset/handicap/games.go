package handicap

import (
	"cmp"
	"context"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// games are those of a handicap, counted.
type games struct {
	seats              [2]seatGames // by the handicapped player
	episodes           int64
	missing            int64 // of the plan
	truncated, failed  int64
	distinct, openings int64 // different games, and positions after the opening
}

// seatGames are those in which one player was handicapped.
type seatGames struct {
	counts [3]int64 // lost, drawn and won by it
	score  stats.Clusters
}

// read counts the games of an arm.
func (g *games) read(ctx context.Context, arm *Arm) error {
	hasher, different, openings := dataset.NewGameHasher(), map[uint64]struct{}{}, map[uint64]struct{}{}
	wanted, before := cmp.Or(arm.Episodes, arm.Source.Count), g.episodes
	for ep, err := range arm.Source.First(wanted).Episodes {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		different[hasher.Hash(ep)] = struct{}{}
		openings[ep.Opened()] = struct{}{}
		g.add(ep, arm.Handicapped(ep.Number))
	}
	g.missing += wanted - (g.episodes - before)
	g.distinct += int64(len(different))
	g.openings += int64(len(openings))
	return nil
}

// add counts a game in which a player was handicapped.
func (g *games) add(ep *dataset.Episode, handicapped env.Player) {
	g.episodes++
	switch {
	case ep.Truncated:
		g.truncated++
	case !ep.Decided():
		g.failed++
	default:
		result := ep.Result.For(handicapped)
		seat := &g.seats[handicapped]
		seat.counts[result+1]++
		seat.score.Add(float64(result+1)/2, 1)
	}
}

func (s *seatGames) games() int64 { return s.counts[0] + s.counts[1] + s.counts[2] }

// decided is how many games have a result.
func (g *games) decided() int64 { return g.seats[0].games() + g.seats[1].games() }

// told reports whether both seats have games enough for an interval that says something.
func (g *games) told() bool { return g.seats[0].games() >= 2 && g.seats[1].games() >= 2 }

// score is the interval of the mean over both seats of what the handicapped side scored:
// that of nothing where a seat has no games.
func (g *games) score(level float64) stats.Interval {
	const method = "mean of both seats, "
	if g.seats[0].games() == 0 || g.seats[1].games() == 0 {
		var none stats.Clusters
		i := none.Interval(level)
		i.Method = method + i.Method
		return i
	}
	first := g.seats[0].score.Interval(level)
	i := first.Plus(g.seats[1].score.Interval(level))
	i.Estimate, i.Low, i.High, i.Method = i.Estimate/2, i.Low/2, i.High/2, method+first.Method
	return i
}

// perPair is the variance that the score would have of a pair of games, one with
// either side handicapped, and the number of such pairs that know as much: 0 where
// either seat has fewer than two games.
func (g *games) perPair() (variance float64, pairs int64) {
	if !g.told() {
		return 0, 0
	}
	_, first := g.seats[0].score.Mean()
	_, second := g.seats[1].score.Mean()
	pairs = min(g.seats[0].games(), g.seats[1].games())
	return float64(pairs) * (first + second) / 4, pairs
}
