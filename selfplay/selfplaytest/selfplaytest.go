// Package selfplaytest makes plans from agent strings and plays them, for tests.
package selfplaytest

import (
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// Agent reads an agent string for a variant.
func Agent(t testing.TB, variant, text string) agent.Spec {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := agent.Parse(text, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// Config returns games of two agents with seed 1, after six random plies; change,
// unless nil, may alter them.
func Config(t testing.TB, variant, first, second string, change func(*selfplay.Config)) selfplay.Config {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	c := selfplay.Config{
		Variant: v, Agents: [2]agent.Spec{Agent(t, variant, first), Agent(t, variant, second)},
		Opening: selfplay.Opening{Plies: 6}, MaxPlies: selfplay.DefaultMaxPlies, Seed: 1,
	}
	if change != nil {
		change(&c)
	}
	return c
}

// Plan returns the plan of Config.
func Plan(t testing.TB, variant, first, second string, change func(*selfplay.Config)) *selfplay.Plan {
	t.Helper()
	return Must(t, Config(t, variant, first, second, change))
}

// Must returns the plan of games that can be played.
func Must(t testing.TB, c selfplay.Config) *selfplay.Plan {
	t.Helper()
	p, err := selfplay.NewPlan(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Changed returns the plan of a changed copy of a plan's games.
func Changed(t testing.TB, p *selfplay.Plan, change func(*selfplay.Config)) *selfplay.Plan {
	t.Helper()
	c := p.Config()
	change(&c)
	return Must(t, c)
}

// Play returns copies of the episodes first to first+count−1 of the run "run".
func Play(t testing.TB, p *selfplay.Plan, goroutines int, first, count int64) []dataset.Episode {
	t.Helper()
	var all []dataset.Episode
	err := selfplay.PlayAll(t.Context(), p, "run", first, count, goroutines, func(ep *dataset.Episode) error {
		kept := *ep
		kept.Steps = slices.Clone(ep.Steps)
		for i := range kept.Steps {
			kept.Steps[i].Search.Visits = slices.Clone(kept.Steps[i].Search.Visits)
		}
		all = append(all, kept)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
