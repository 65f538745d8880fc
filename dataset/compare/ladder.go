package compare

import (
	"context"
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// LadderMeasures counts the pairs of games of an agent with twice the nodes against the
// same agent with once.
type LadderMeasures struct {
	settings *dataset.Settings

	pairs               stats.Pentanomial // pairs that count, from the first agent's view
	played              int64             // pairs
	truncated, resigned int64             // games
	failed              int64             // games, whose pairs do not count
	early               int64             // games that ended within two plies of the agents' taking over
	distinct, openings  int64
}

// MeasureLadder counts at most the given number of complete pairs from the start of a
// data set, from the view of the first agent of its settings. A game that was cut off
// is a draw. Pairs with a game that a program lost by failing are left out; resignation
// is not a failure. Errors are those of Measure, except that the error wraps
// balance.ErrSources if the games are self-play.
func MeasureLadder(ctx context.Context, source balance.Source, pairs int64) (*LadderMeasures, error) {
	if !source.Settings.Paired() {
		return nil, fmt.Errorf("%s: %w: games are self-play of %s, must be pairs of two agents", source.Name, balance.ErrSources, source.Settings.Agents[0])
	}
	m := &LadderMeasures{settings: source.Settings}
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
		m.early += pair.early
		distinct[pair.keys[0]], distinct[pair.keys[1]], openings[pair.opened] = struct{}{}, struct{}{}, struct{}{}
		if pair.failed == 0 {
			m.pairs[pair.points]++
		}
		pair = ladderPair{}
	}
	m.distinct, m.openings = int64(len(distinct)), int64(len(openings))
	return m, nil
}

// A ladderPair is a pair of games of which one or both have been read.
type ladderPair struct {
	number                      int64
	games                       int
	points                      int // half points of the first agent in its games
	truncated, resigned, failed int64
	early                       int64
	keys                        [2]uint64
	opened                      uint64
}

func (p *ladderPair) add(ep *dataset.Episode, agent string) {
	p.games++
	if ep.DecidedEarly() {
		p.early++
	}
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
