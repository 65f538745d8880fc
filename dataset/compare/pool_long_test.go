//go:build long

package compare_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/env"
)

// A pool is many real games to draw arms from.
type pool struct {
	settings dataset.Settings
	games    []*dataset.Episode
}

func poolOf(t testing.TB, p *compare.Plan, first, second string, n int64, seed uint64) pool {
	t.Helper()
	s := arm(t, p, 0, first, second, n, seed)
	r := pool{settings: *s.Settings}
	for ep := range s.Episodes {
		r.games = append(r.games, ep)
	}
	return r
}

// draw returns an arm of the plan's agents with games drawn with replacement by pick.
func draw(p *compare.Plan, budget int, settings dataset.Settings, seed uint64, n int64, pick func(r *env.Rand) *dataset.Episode) balance.Source {
	settings.Seed = seed
	settings.Agents = [2]string{p.Budgets[budget].Agent, p.Budgets[budget].Agent}
	r := env.NewRand(seed)
	s := source(&settings, nil)
	s.Count = n
	s.Episodes = func(yield func(*dataset.Episode, error) bool) {
		for range n {
			if !yield(pick(r), nil) {
				return
			}
		}
	}
	return s
}
