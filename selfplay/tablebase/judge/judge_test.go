package judge_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase/judge"
)

// sources let agent strings name tables.
var sources = &agent.Sources{OpenTable: func(name string) (agent.Table, error) { return tablebase.Open(name) }}

// solve writes the table of a variant and opens it until the test ends.
func solve(t testing.TB, variant string, seeds int) (path string, table *tablebase.Table) {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "table")
	if err := tablebase.Solve(t.Context(), v, path, tablebase.Options{Seeds: seeds, Workers: 2}); err != nil {
		t.Fatal(err)
	}
	if table, err = tablebase.Open(path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	})
	return path, table
}

func spec(t *testing.T, text string, table *tablebase.Table) agent.Spec {
	t.Helper()
	spec, err := agent.Parse(text, table.Variant(), sources)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func TestAgentsThatLookFurtherBlunderLess(t *testing.T) {
	path, table := solve(t, "ntxuva/4", 5)
	before := 1.0
	for _, text := range []string{"random", "greedy", "alphabeta:depth=3", "alphabeta:depth=8", "alphabeta:depth=1,table=" + path} {
		verdict, err := judge.Agent(t.Context(), table, spec(t, text, table), judge.Options{Positions: 800, Seed: 7, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		rate := verdict.Blunders
		t.Logf("%-30.30s blunders in %.3f of the positions, from %.3f to %.3f", verdict.Agent, rate.Estimate, rate.Low, rate.High)
		if rate.Estimate >= before || rate.N != 800 || rate.Low > rate.Estimate || rate.High < rate.Estimate {
			t.Errorf("%s blunders in %+v, the agent before it in %.3f", verdict.Agent, rate, before)
		}
		before = rate.Estimate
	}
	if before != 0 {
		t.Errorf("with the table there are blunders in %.3f of the positions", before)
	}
}

// Where half of the actions are wrong, random ones are in half of the positions.
func TestRandomActionsAreWrongAsOftenAsThereAreWrongOnes(t *testing.T) {
	_, table := solve(t, `ntxuva/4{"columns":2}`, 2)
	verdict, err := judge.Agent(t.Context(), table, spec(t, "random", table), judge.Options{Positions: 4000, Seed: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	// With at most two seeds in four houses the mover has one action or two. The
	// standard error is 0.008.
	if rate := verdict.Blunders.Estimate; rate < 0.47 || rate > 0.53 {
		t.Errorf("random blunders in %.3f of the positions", rate)
	}
}

func TestTheVerdictIsAFunctionOfTheSeed(t *testing.T) {
	_, table := solve(t, "ntxuva/4", 4)
	verdict := func(seed uint64, workers int) judge.Verdict {
		var judged atomic.Int64
		o := judge.Options{Positions: 301, Seed: seed, Workers: workers, Judged: func() { judged.Add(1) }}
		v, err := judge.Agent(t.Context(), table, spec(t, "greedy", table), o)
		if err != nil || judged.Load() != 301 {
			t.Fatalf("%v, %d positions", err, judged.Load())
		}
		return v
	}
	one := verdict(1, 1)
	if three := verdict(1, 3); one != three {
		t.Errorf("three goroutines find %+v, one %+v", three, one)
	}
	if other := verdict(2, 1); one == other {
		t.Errorf("another seed finds the same, %+v", other)
	}
}

func TestWhatCannotBeJudgedIsToldSo(t *testing.T) {
	_, table := solve(t, "ntxuva/4", 2)
	greedy := spec(t, "greedy", table)
	if _, err := judge.Agent(t.Context(), table, greedy, judge.Options{}); err == nil || !strings.Contains(err.Error(), "positions is 0, must be 1 or more") {
		t.Errorf("no positions: %v", err)
	}
	_, single := solve(t, "ntxuva/4", 1)
	if _, err := judge.Agent(t.Context(), single, greedy, judge.Options{Positions: 1}); err == nil || !strings.Contains(err.Error(), "no positions in which a blunder is possible") {
		t.Errorf("one action in each position: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := judge.Agent(ctx, table, greedy, judge.Options{Positions: 5}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// closer gives every game up, and counts how often it is closed.
type closer struct{ closed *atomic.Int64 }

func (closer) Begin(uint64) {}

func (closer) Choose(env.State, []env.Action, *dataset.Search) env.Action { return env.NoAction }

func (c closer) Close() error {
	c.closed.Add(1)
	return errors.New("it does not close")
}

func TestAgentsThatGiveUpBlunderAndAreClosed(t *testing.T) {
	_, table := solve(t, "ntxuva/4", 2)
	var closed, judged atomic.Int64
	mine := agent.Custom("mine", false, func(env.Game) (agent.Agent, error) { return closer{&closed}, nil })
	o := judge.Options{Positions: 20, Workers: 3, Judged: func() { judged.Add(1) }}
	if _, err := judge.Agent(t.Context(), table, mine, o); err == nil || !strings.Contains(err.Error(), "it does not close") || closed.Load() != 3 || judged.Load() != 20 {
		t.Errorf("error is %v, closed %d times after %d positions", err, closed.Load(), judged.Load())
	}
	quitter := agent.Custom("quitter", false, func(env.Game) (agent.Agent, error) { return struct{ agent.Agent }{closer{}}, nil })
	if v, err := judge.Agent(t.Context(), table, quitter, o); err != nil || v.Blunders.Estimate != 1 || v.Agent != "custom:quitter" {
		t.Errorf("verdict is %+v, %v", v, err)
	}
}
