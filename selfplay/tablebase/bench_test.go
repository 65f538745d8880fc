package tablebase_test

import (
	"path/filepath"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase"
)

func BenchmarkSolve(b *testing.B) {
	v := lookup(b, "ntxuva/4")
	o := tablebase.Options{Seeds: 6, Workers: 1}
	positions, _ := o.Needs(v)
	for b.Loop() {
		if err := tablebase.Solve(b.Context(), v, filepath.Join(b.TempDir(), "table"), o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(positions)*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}

// drawn returns running positions of a table.
func drawn(t testing.TB, table *tablebase.Table, n int) []env.State {
	t.Helper()
	states, r := table.Variant().Game.NewStates(n), env.NewRand(1)
	for i := 0; i < n; {
		if _, err := table.Random(r, states[i]); err != nil {
			t.Fatal(err)
		}
		if states[i].Player() != env.NoPlayer {
			i++
		}
	}
	return states
}

func BenchmarkProbe(b *testing.B) {
	table := solve(b, "ntxuva/4", 6)
	p, states := table.Prober(), drawn(b, table, 1024)
	i := 0
	for b.Loop() {
		if _, ok := p.Probe(states[i%len(states)]); !ok {
			b.Fatal("a position is missing")
		}
		i++
	}
}

func TestProbingAllocatesNothing(t *testing.T) {
	table := solve(t, "ntxuva/4", 3)
	p, states := table.Prober(), drawn(t, table, 64)
	legal := table.Variant().Game.Spec().NewActions()
	allocations := testing.AllocsPerRun(10, func() {
		for _, s := range states {
			if _, ok := p.Probe(s); !ok {
				t.Error("a position is missing")
			}
			legal = s.Legal(legal[:0])
			if _, ok := p.After(s, legal[0]); !ok {
				t.Error("what follows is missing")
			}
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}
