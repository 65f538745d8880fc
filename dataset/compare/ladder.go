package compare

import (
	"context"
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// LadderMeasures is what pairs of games of twice the nodes against once leave.
type LadderMeasures struct {
	settings *dataset.Settings
	asked    int64 // pairs

	pairs               stats.Pentanomial // that count, from the first agent's view
	played              int64             // pairs
	truncated, resigned int64             // games
	failed              int64             // games; their pairs do not count
	distinct, openings  int64
}

// MeasureLadder counts the first pairs of a data set, so many or as many as are
// whole, from the view of the first agent of its settings. Games that were cut off
// are draws; pairs with a game that a program lost by its conduct other than giving
// up are left out. Its errors are those of Measure, with balance.ErrSources where
// the data are not of pairs.
func MeasureLadder(ctx context.Context, source balance.Source, pairs int64) (*LadderMeasures, error) {
	if !source.Settings.Paired() {
		return nil, fmt.Errorf("%s: %w: it is self-play of %s, must be pairs of two agents", source.Name, balance.ErrSources, source.Settings.Agents[0])
	}
	m := &LadderMeasures{settings: source.Settings, asked: pairs}
	hasher, distinct, openings := dataset.NewGameHasher(), map[uint64]struct{}{}, map[uint64]struct{}{}
	var pair ladderPair
	for ep, err := range source.Episodes {
		if m.played >= pairs {
			break
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source.Name, err)
		}
		if pair.games == 0 || pair.number != ep.Pair {
			pair = ladderPair{number: ep.Pair}
		}
		pair.add(ep, source.Settings.Agents[0])
		pair.keys[pair.games-1], pair.opened = hasher.Hash(ep), ep.Opened()
		if pair.games < 2 {
			continue
		}
		m.played++
		m.truncated += pair.truncated
		m.resigned += pair.resigned
		m.failed += pair.failed
		distinct[pair.keys[0]], distinct[pair.keys[1]], openings[pair.opened] = struct{}{}, struct{}{}, struct{}{}
		if pair.failed == 0 {
			m.pairs[pair.points]++
		}
		pair = ladderPair{}
	}
	m.distinct, m.openings = int64(len(distinct)), int64(len(openings))
	return m, nil
}

// A ladderPair is a pair of games that has come in part.
type ladderPair struct {
	number                      int64
	games                       int
	points                      int // half points of the first agent in both games
	truncated, resigned, failed int64
	keys                        [2]uint64
	opened                      uint64
}

func (p *ladderPair) add(ep *dataset.Episode, agent string) {
	p.games++
	seat := env.First
	if ep.Agents[env.First] != agent {
		seat = env.Second
	}
	result := ep.Result.For(seat)
	switch {
	case ep.Truncated:
		result = 0
		p.truncated++
	case !ep.Decided():
		p.failed++
	case ep.Reason == env.Resigned:
		p.resigned++
	}
	p.points += result + 1
}
