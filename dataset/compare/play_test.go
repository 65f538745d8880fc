package compare_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

func lookup(t testing.TB, name string) *variant.Variant {
	t.Helper()
	v, err := games.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// recorded returns an agent as it is recorded.
func recorded(t testing.TB, v *variant.Variant, text string) agent.Spec {
	t.Helper()
	spec, err := agent.Parse(text, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// planned is a plan with a budget for each pair of an agent and its opponent on the
// ladder. A variant that is given again is numbered: "ntxuva/4 (2)".
func planned(t testing.TB, variants []string, games, pairs int64, budgets ...[2]string) *compare.Plan {
	t.Helper()
	p := &compare.Plan{Games: games, LadderPairs: pairs, OpeningPlies: 3, MaxPlies: 200, Seed: 7, Power: .8}
	for i, name := range variants {
		v := lookup(t, name)
		for n := 1; slices.Contains(variants[:i], variants[i]); n++ {
			name = fmt.Sprintf("%s (%d)", variants[i], n+1)
			if !slices.ContainsFunc(p.Variants, func(v compare.Variant) bool { return v.Name == name }) {
				break
			}
		}
		p.Variants = append(p.Variants, compare.Variant{Name: name, Digest: v.Digest, Rules: v.Rules})
	}
	for i, b := range budgets {
		budget := compare.Budget{Nodes: int64(i) * 10, Agent: recorded(t, lookup(t, variants[0]), b[0]).String()}
		if b[1] != "" {
			budget.Double = recorded(t, lookup(t, variants[0]), b[1]).String()
		}
		p.Budgets = append(p.Budgets, budget)
	}
	return p
}

// arm plays games of a variant and returns them as a source.
func arm(t testing.TB, p *compare.Plan, v int, first, second string, n int64, seed uint64) balance.Source {
	t.Helper()
	name, _, _ := strings.Cut(p.Variants[v].Name, " (")
	rules := lookup(t, name)
	plan, err := selfplay.NewPlan(selfplay.Config{
		Variant: rules, Agents: [2]agent.Spec{recorded(t, rules, first), recorded(t, rules, second)},
		Opening: selfplay.Opening{Plies: p.OpeningPlies}, MaxPlies: p.MaxPlies, Seed: seed,
	})
	if err != nil {
		t.Fatal(err)
	}
	settings := plan.Cut(n, 0).Settings()
	var list []*dataset.Episode
	err = selfplay.PlayAll(context.Background(), plan, settings.Run(), 0, n, 1, func(ep *dataset.Episode) error {
		own := new(dataset.Episode)
		_, err := dataset.ReadEpisode(dataset.AppendEpisode(nil, ep), own)
		list = append(list, own)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return source(&settings, list)
}

func source(settings *dataset.Settings, list []*dataset.Episode) balance.Source {
	return balance.Source{Name: "runs/test", Settings: settings, Count: int64(len(list)),
		Episodes: func(yield func(*dataset.Episode, error) bool) {
			for _, ep := range list {
				if !yield(ep, nil) {
					return
				}
			}
		}}
}

func measure(t testing.TB, s balance.Source, games int64) *compare.Measures {
	t.Helper()
	m, err := compare.Measure(context.Background(), s, games)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// playAll plays what a plan asks for up to a look.
func playAll(t testing.TB, p *compare.Plan, look int, values bool) [][]compare.Played {
	t.Helper()
	var all [][]compare.Played
	for v := range p.Variants {
		var row []compare.Played
		for b, budget := range p.Budgets {
			games := p.GamesAt(look)
			s := arm(t, p, v, budget.Agent, budget.Agent, games, env.Derive(p.Seed, 0, uint64(v), uint64(b)))
			played := compare.Played{SelfPlay: measure(t, s, games)}
			if values {
				var err error
				if played.Values, err = balance.AnalyzeValues(context.Background(), []balance.Source{s}, balance.Options{Unit: p.Unit}); err != nil {
					t.Fatal(err)
				}
			}
			if p.LadderPairs > 0 {
				s := arm(t, p, v, budget.Double, budget.Agent, 2*p.LadderPairs, env.Derive(p.Seed, 1, uint64(v), uint64(b)))
				m, err := compare.MeasureLadder(context.Background(), s, p.LadderPairs)
				if err != nil {
					t.Fatal(err)
				}
				played.Ladder = m
			}
			row = append(row, played)
		}
		all = append(all, row)
	}
	return all
}

func report(t testing.TB, p *compare.Plan, look int, played [][]compare.Played) *compare.Report {
	t.Helper()
	r, err := compare.Compare(p, look, played)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// encoded returns the report as JSON, which must not contain NaN or infinities.
func encoded(t testing.TB, r *compare.Report) string {
	t.Helper()
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if text := string(data); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Errorf("the report contains NaN or Inf: %s", text)
	}
	return string(data)
}
