package agent_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/search"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase"
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

// tableAgent reads an agent string in which TABLE stands for the file.
func tableAgent(t testing.TB, text, path string, table *tablebase.Table) agent.Spec {
	t.Helper()
	from := sources
	spec, err := agent.Parse(strings.ReplaceAll(text, "TABLE", path), table.Variant(), from)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func TestTablesAreRecordedByDigest(t *testing.T) {
	path, table := solve(t, "ntxuva/4", 2)
	spec := tableAgent(t, "alphabeta:table=TABLE", path, table)
	if want := "alphabeta:depth=0,eval=score,hash=16,nodes=20000,noise=10,table=" + table.Digest() + ",time=0s,version=2"; spec.String() != want {
		t.Errorf("it is recorded as %s, must be %s", spec, want)
	}
}

func TestTablesThatCannotServeAreRefused(t *testing.T) {
	path, table := solve(t, "ntxuva/4", 1)
	here := sources
	for _, c := range []struct {
		variant, file string
		from          *agent.Sources
		want          string
	}{
		{"ntxuva/4", path, nil, "an endgame table stays on its machine"},
		{"ntxuva/4", table.Digest(), &agent.Sources{Files: dataset.Files{}}, "cannot go into the jobs of a farm"},
		{"ntxuva/4", path + "x", here, "no such file"},
		{"ntxuva/4", "table_test.go", here, "table_test.go: not an endgame table"},
		{"ntxuva/basic", path, here, "contains endgames of ntxuva/4 ("},
		{"trench/standard", path, here, "not of trench/standard ("},
	} {
		v, err := games.Lookup(c.variant)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := agent.Parse("alphabeta:table="+c.file, v, c.from); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, table %s: %v; want %s", c.variant, c.file, err, c.want)
		}
	}
	config := selfplay.Config{Variant: table.Variant(), MaxPlies: 10}
	config.Agents[0] = tableAgent(t, "alphabeta:table=TABLE", path, table)
	config.Agents[1] = config.Agents[0]
	plan := selfplaytest.Must(t, config)
	if err := plan.Portable(); err == nil || !strings.Contains(err.Error(), "cannot go into the jobs of a farm") {
		t.Errorf("portable: %v", err)
	}
	settings := plan.Cut(1, 0).Settings()
	if _, err := selfplay.Open(&settings, nil); err == nil || !strings.Contains(err.Error(), "cannot go into the jobs of a farm") {
		t.Errorf("a job with a table gives %v", err)
	}
}

// playOut plays a position to its end and returns the result for its mover, and
// the plies.
func playOut(t testing.TB, start env.State, game env.Game, specs [2]agent.Spec) (result, plies int) {
	t.Helper()
	s := env.NewState(game)
	s.CopyFrom(start)
	var agents [2]agent.Agent
	for i, spec := range specs {
		agent, err := spec.New(game)
		if err != nil {
			t.Fatal(err)
		}
		agent.Begin(uint64(i))
		agents[i] = agent
	}
	legal := game.Spec().NewActions()
	for ; s.Player() != env.NoPlayer; plies++ {
		legal = s.Legal(legal[:0])
		s.Apply(agents[(plies)%2].Choose(s, legal, &dataset.Search{}))
	}
	r, _ := s.Result()
	return r.For(start.Player()), plies
}

func TestAnAgentWithATablePlaysPerfectly(t *testing.T) {
	path, table := solve(t, "ntxuva/4", 5)
	game := table.Variant().Game
	perfect := tableAgent(t, "alphabeta:depth=1,hash=0,table=TABLE", path, table)
	random := tableAgent(t, "random", path, table)
	r, s := env.NewRand(3), env.NewState(game)
	results := map[int]int{}
	for positions := 0; positions < 300; {
		value, err := table.Random(r, s)
		if err != nil {
			t.Fatal(err)
		}
		if s.Player() == env.NoPlayer || value.Result == 0 && results[0] >= 5 {
			continue
		}
		positions++
		results[value.Result]++
		result, plies := playOut(t, s, game, [2]agent.Spec{perfect, perfect})
		if result != value.Result || value.Result != 0 && plies != value.Plies {
			t.Errorf("%s is a %v, but ends with %d in %d", env.PositionText(s), value, result, plies)
		}
		result, plies = playOut(t, s, game, [2]agent.Spec{perfect, random})
		if result < value.Result || result == 1 && value.Result == 1 && plies > value.Plies {
			t.Errorf("%s is a %v, but against random ends with %d in %d", env.PositionText(s), value, result, plies)
		}
	}
	if results[1] < 50 || results[-1] < 50 {
		t.Errorf("results are %v", results)
	}
}

// Near its limit of plies without a capture the game is drawn in spite of what the
// table says, which the search must find out for itself.
func TestTheTableIsNotTrustedWhereACounterMayEndTheGame(t *testing.T) {
	path, table := solve(t, "ntxuva/4", 2)
	game := table.Variant().Game
	agent, err := tableAgent(t, "alphabeta:depth=12,hash=1,noise=0,table=TABLE", path, table).New(game)
	if err != nil {
		t.Fatal(err)
	}
	r, s := env.NewRand(1), env.NewState(game)
	// A win in some plies that begins with a quiet one, which is the last that the
	// limit allows.
	var value tablebase.Value
	for value.Result <= 0 || value.Plies < 3 || value.Plies > 12 || len(s.(env.Noisy).Noisy(nil)) > 0 {
		if value, err = table.Random(r, s); err != nil {
			t.Fatal(err)
		}
	}
	houses, _ := strings.CutSuffix(env.PositionText(s), " 0 0")
	for counters, want := range map[string]int{" 0 0": search.Win - value.Plies, " 199 300": 0} {
		if err := s.SetPosition(houses + counters); err != nil {
			t.Fatal(err)
		}
		var told dataset.Search
		agent.Begin(1)
		agent.Choose(s, s.Legal(nil), &told)
		if int(told.Score) != want {
			t.Errorf("%s%s, %v, scores %d, must be %d", houses, counters, value, told.Score, want)
		}
	}
}
