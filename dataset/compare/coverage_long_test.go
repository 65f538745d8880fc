//go:build long

package compare_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// All intervals of a report are to hold what they estimate, which here is what the
// pools hold that the games are drawn from: 200 games of self-play and 60 pairs on the
// ladder of each of two "variants" with two budgets, which differ in nodes alone.
func TestIntervalsOfAReportHoldTheTruth(t *testing.T) {
	const simulations, pooled, games, pairs = 1000, 1000, 200, 60
	const name = `trench/standard{"no_progress":24}` // draws are as frequent as wins
	p := planned(t, []string{name, name}, games, pairs,
		[2]string{"alphabeta:nodes=20,noise=60", "alphabeta:nodes=40,noise=60"}, [2]string{"alphabeta:nodes=60,noise=60", "alphabeta:nodes=120,noise=60"})
	var pools, ladders [2][2]pool
	for b, budget := range p.Budgets {
		for v := range pools {
			// The second variant thinks a little less.
			less := func(agent string) string {
				if v == 0 {
					return agent
				}
				return strings.NewReplacer("nodes=20", "nodes=14", "nodes=40", "nodes=24", "nodes=60", "nodes=30", "nodes=120", "nodes=50").Replace(agent)
			}
			pools[v][b] = poolOf(t, p, less(budget.Agent), less(budget.Agent), pooled, uint64(2*v+b))
			ladders[v][b] = poolOf(t, p, less(budget.Double), less(budget.Agent), 2*pooled, uint64(10+2*v+b))
			for _, ep := range ladders[v][b].games {
				seat := ep.Number % 2
				ep.Agents[seat], ep.Agents[1-seat] = budget.Double, budget.Agent
			}
		}
	}
	// reported is a report on arms of so many games, each taken by its number or by chance.
	reported := func(seed uint64, games, pairs int64, take func(r *env.Rand, i, n int) int) *compare.Report {
		plan := *p
		plan.Games, plan.LadderPairs = games, pairs
		var played [][]compare.Played
		for v := range pools {
			var row []compare.Played
			for b := range pools[v] {
				i, list := -1, pools[v][b].games
				s := draw(p, b, pools[v][b].settings, env.Derive(seed, 0, uint64(v), uint64(b)), games, func(r *env.Rand) *dataset.Episode {
					i++
					return list[take(r, i, len(list))]
				})
				m, err := compare.Measure(t.Context(), s, games)
				if err != nil {
					t.Fatal(err)
				}
				j, second, both := -1, (*dataset.Episode)(nil), ladders[v][b].games
				s = draw(p, b, ladders[v][b].settings, env.Derive(seed, 1, uint64(v), uint64(b)), 2*pairs, func(r *env.Rand) *dataset.Episode {
					if second != nil {
						ep := second
						second = nil
						return ep
					}
					j++
					k := take(r, j, len(both)/2)
					second = both[2*k+1]
					return both[2*k]
				})
				settings := *s.Settings
				settings.Agents = [2]string{p.Budgets[b].Double, p.Budgets[b].Agent}
				l, err := compare.MeasureLadder(t.Context(), balance.Source{Settings: &settings, Episodes: s.Episodes}, pairs)
				if err != nil {
					t.Fatal(err)
				}
				row = append(row, compare.Played{SelfPlay: m, Ladder: l})
			}
			played = append(played, row)
		}
		return report(t, &plan, 0, played)
	}
	truth := intervals(reported(0, pooled, pooled, func(_ *env.Rand, i, n int) int { return i % n }))
	inside := map[string]int{}
	var mu sync.Mutex
	each(simulations, func(i int) {
		r := intervals(reported(uint64(1+i), games, pairs, func(r *env.Rand, _, n int) int { return r.IntN(n) }))
		mu.Lock()
		defer mu.Unlock()
		for name := range truth {
			is, ok := r[name]
			if !ok { // a reason for which no game ended
				is = stats.Wilson(0, games, stats.Level)
			}
			if is.Level != stats.Level || !ok && !strings.Contains(name, "reason") {
				t.Errorf("%s is %+v", name, is)
			}
			if want := truth[name].Estimate; is.Low <= want && want <= is.High {
				inside[name]++
			}
		}
	})
	// Two standard errors of the simulation.
	band := 2 * math.Sqrt(.95*.05/simulations)
	least, most := 1.0, 0.0
	for _, name := range slices.Sorted(maps.Keys(truth)) {
		share := float64(inside[name]) / simulations
		if !conservative(name) {
			least, most = min(least, share), max(most, share)
		}
		if testing.Verbose() {
			t.Logf("%-60s %.3f of %.3f", name, share, truth[name].Estimate)
		}
		if share < .93-band || share > .97+band && !conservative(name) {
			t.Errorf("intervals of %s hold the truth, %.3f, in %.3f of %d simulations", name, truth[name].Estimate, share, simulations)
		}
	}
	t.Logf("%d intervals at n = %d games and %d pairs hold the truth in %.3f to %.3f of %d simulations", len(truth), games, pairs, least, most, simulations)
}

// conservative are intervals that may hold more than their level by design: of
// quantiles of lengths, which are whole numbers; of what is rare, such as some reasons;
// of the diversity of actions that are nearly equally likely.
func conservative(name string) bool {
	for _, part := range []string{"quantile", "longer", "completion", "repetition", "opening_diversity", "lead_changes", "reason"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// intervals are all of a report by what they are of.
func intervals(r *compare.Report) map[string]stats.Interval {
	list := map[string]stats.Interval{}
	arm := func(i int) string { return fmt.Sprintf("arm %d ", i) }
	estimates := func(i int, of []compare.Estimate) {
		for _, e := range of {
			list[arm(i)+e.Metric] = *e.Interval
		}
	}
	for i, o := range r.Outcomes {
		estimates(i, o.Estimates)
		for _, reason := range o.Reasons {
			list[arm(i)+"reason "+reason.Reason] = reason.Share
		}
	}
	for i, f := range r.Feel.Arms {
		estimates(i, f.Estimates)
		for _, q := range f.Lengths.Quantiles {
			list[fmt.Sprintf("%squantile %v", arm(i), q.Share)] = q.Plies
		}
	}
	for _, c := range slices.Concat(r.Against.Comparisons, r.Feel.Against, r.Skill.Against) {
		list[fmt.Sprintf("difference %s at %d", c.Metric, c.Nodes)] = c.Difference
	}
	for _, c := range r.Feel.Lengths {
		list[fmt.Sprintf("cliff at %d", c.Nodes)] = c.Longer
	}
	for i, c := range r.Interaction.ByVariant {
		list[fmt.Sprintf("change %d of %s", i, c.Metric)] = c.Change
	}
	for _, c := range r.Interaction.Against {
		list["interaction of "+c.Metric] = c.Change
	}
	for i, l := range r.Skill.Arms {
		list[arm(i)+"ladder score"], list[arm(i)+"ladder elo"] = l.Score, l.Elo
	}
	for i, l := range r.Skill.Variants {
		if l.Slope != nil {
			list[fmt.Sprintf("slope %d", i)] = *l.Slope
		}
		if l.Difference != nil {
			list["slope difference"] = *l.Difference
		}
	}
	return list
}
