package arena_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

// match makes a match in a new folder.
func match(t testing.TB, variant, a, b string, pairs int64) arena.Match {
	t.Helper()
	plan := selfplaytest.Plan(t, variant, a, b, func(c *selfplay.Config) {
		c.Opening = selfplay.Opening{Plies: 8, Balanced: true}
	})
	return arena.Match{Dir: filepath.Join(t.TempDir(), "match"), Plan: plan, Pairs: pairs, Workers: 2}
}

func play(t testing.TB, m arena.Match) *arena.Report {
	t.Helper()
	report, err := arena.Play(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// pairs returns how many pairs a data set holds.
func pairs(t testing.TB, dir string) int64 {
	t.Helper()
	m, err := dataset.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return m.Jobs().Len()
}

// sameMatch compares reports of matches in different folders.
func sameMatch(t *testing.T, got, want *arena.Report) {
	t.Helper()
	a, b := *got, *want
	a.Dir, b.Dir = "", ""
	if !reflect.DeepEqual(a, b) {
		t.Errorf("reports differ:\n%+v\n%+v", a, b)
	}
}

func TestGreedyBeatsRandomBeyondDoubt(t *testing.T) {
	m := match(t, "trench/standard", "greedy", "random", 60)
	r := play(t, m)
	if r.Pairs != 60 || r.All.Score.N != 120 || r.All.Score.Low < .9 || r.LOS < .999 || r.Elo.Low < 300 || r.NormalizedElo.Low < 100 {
		t.Errorf("greedy against random: %+v", r)
	}
	if r.DistinctOpenings < 59 {
		t.Errorf("60 pairs have %d openings", r.DistinctOpenings)
	}
	if r.DistinctPairs != 60 {
		t.Errorf("of 60 pairs %d are distinct", r.DistinctPairs)
	}
	if _, err := replay.Verify(t.Context(), m.Dir, 1, nil); err != nil {
		t.Errorf("the data set does not prove: %v", err)
	}
}

func TestTheReportCountsWhatIsInTheData(t *testing.T) {
	m := match(t, "ntxuva/basic", "greedy", "random", 40)
	m.Plan = selfplaytest.Changed(t, m.Plan, func(c *selfplay.Config) { c.MaxPlies = 60 }) // so that games are cut off
	r := play(t, m)
	reader, err := parquetio.Open(m.Dir)
	if err != nil {
		t.Fatal(err)
	}
	var wins, draws, losses, truncated, plies int64
	var first float64
	var seats [2][3]int64
	halves := map[int64]int{}
	var results stats.PairTable
	var moving int // the first agent's result moving first, of the current pair
	for ep, err := range reader.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		seat := env.First
		if ep.Agents[1] == "greedy" {
			seat = env.Second
		}
		result := ep.Result.For(seat)
		if ep.Truncated {
			truncated++
			result = 0
			first += .5
		} else {
			first += float64(ep.Result.For(env.First)+1) / 2
		}
		seats[seat][result+1]++
		switch result {
		case 1:
			wins++
		case 0:
			draws++
		case -1:
			losses++
		}
		halves[ep.Pair] += result + 1
		if seat == env.First {
			moving = result
		} else {
			results[moving+1][result+1]++
		}
		plies += int64(ep.Plies())
	}
	var pentanomial stats.Pentanomial
	for _, h := range halves {
		pentanomial[h]++
	}
	if truncated == 0 || truncated == 80 {
		t.Fatalf("%d games are cut off, which tests nothing", truncated)
	}
	if r.All.Wins != wins || r.All.Draws != draws || r.All.Losses != losses || r.Truncated != truncated || r.Plies != plies || r.Pentanomial != pentanomial || r.PairResults != results {
		t.Errorf("report is %+v, the data have %d %d %d, %d cut off, pairs %v", r, wins, draws, losses, truncated, pentanomial)
	}
	for seat, o := range map[env.Player]dataset.Outcome{env.First: r.ToMove, env.Second: r.Waiting} {
		if got := [3]int64{o.Losses, o.Draws, o.Wins}; got != seats[seat] || o.Score.N != 40 {
			t.Errorf("seat %d: %v of %d, want %v of 40", seat, got, o.Score.N, seats[seat])
		}
	}
	if math.Abs(r.All.Score.Estimate-(float64(wins)+float64(draws)/2)/80) > 1e-12 || math.Abs(r.SideToMove.Estimate-first/80) > 1e-12 {
		t.Errorf("score %v, of the side to move %v", r.All.Score, r.SideToMove)
	}
}

func TestAgentsWithoutNoiseRepeatTheirGames(t *testing.T) {
	m := match(t, "ntxuva/basic", "alphabeta:depth=1,noise=0", "alphabeta:depth=2,noise=0", 7)
	opened := openings.Of(m.Plan.Config().Variant, 1)
	m.Plan = selfplaytest.Changed(t, m.Plan, func(c *selfplay.Config) { c.Opening = selfplay.Opening{Starts: opened.Starts[:2]} })
	if r := play(t, m); r.DistinctOpenings != 2 || r.DistinctPairs != 2 {
		t.Errorf("7 pairs from two positions have %d openings, and %d are distinct", r.DistinctOpenings, r.DistinctPairs)
	}
}

func TestTheNumberOfWorkersChangesNothing(t *testing.T) {
	one := match(t, "ntxuva/basic", "greedy", "random", 500)
	one.Workers, one.Test = 1, &stats.SPRT{Elo0: 0, Elo1: 100, Alpha: .05, Beta: .05}
	many := one
	many.Dir, many.Workers = filepath.Join(t.TempDir(), "many"), 5
	a, b := play(t, one), play(t, many)
	sameMatch(t, a, b)
	if pairs(t, one.Dir) != a.Pairs || pairs(t, many.Dir) != a.Pairs {
		t.Errorf("%d pairs decide, %d and %d are kept", a.Pairs, pairs(t, one.Dir), pairs(t, many.Dir))
	}
}

func TestATestEndsTheMatchWithThePairThatDecidesIt(t *testing.T) {
	test := &stats.SPRT{Elo0: 0, Elo1: 60, Alpha: .05, Beta: .05}
	for _, c := range []struct{ a, b, verdict string }{{"greedy", "random", "H1"}, {"random", "greedy", "H0"}} {
		m := match(t, "ntxuva/basic", c.a, c.b, 2000)
		m.Test = test
		r := play(t, m)
		if r.Test == nil || r.Test.Verdict != c.verdict || r.Pairs >= 2000 {
			t.Fatalf("%s against %s: %d pairs, %+v", c.a, c.b, r.Pairs, r.Test)
		}
		if c.verdict == "H1" && r.Test.LLR < r.Test.Upper || c.verdict == "H0" && r.Test.LLR > r.Test.Lower {
			t.Errorf("verdict %s at an LLR of %v between %v and %v", c.verdict, r.Test.LLR, r.Test.Lower, r.Test.Upper)
		}
		// One pair less has not decided it.
		m.Pairs = r.Pairs - 1
		if before := play(t, m); before.Pairs != r.Pairs-1 || before.Test.Verdict != "undecided" {
			t.Errorf("one pair earlier the verdict is %s after %d pairs", before.Test.Verdict, before.Pairs)
		}
		// Nor does a longer match without the test change what the test says.
		m.Pairs, m.Test = r.Pairs+20, nil
		if longer := play(t, m); longer.Pairs != m.Pairs {
			t.Errorf("%d pairs of %d", longer.Pairs, m.Pairs)
		}
		m.Pairs, m.Test = 2000, test
		sameMatch(t, play(t, m), r)
	}
}

func TestAMatchCutShortGoesOnWhereItStopped(t *testing.T) {
	whole := play(t, match(t, "trench/standard", "random", "greedy", 30))
	m := match(t, "trench/standard", "random", "greedy", 30)
	ctx, cancel := context.WithCancel(t.Context())
	m.Progress = func(games, _ int64) {
		if games == 14 {
			cancel()
		}
	}
	if _, err := arena.Play(ctx, m); !errors.Is(err, context.Canceled) {
		t.Fatalf("error is %v", err)
	}
	if n := pairs(t, m.Dir); n < 7 || n >= 30 {
		t.Fatalf("%d pairs are safe, want the 7 that were played and few more", n)
	}
	missing := m.Missing()
	var told []int64
	m.Progress = func(games, _ int64) { told = append(told, games) }
	sameMatch(t, play(t, m), whole)
	if missing <= 0 || missing >= 60 || int64(len(told)) != missing || told[0] != 1 || told[missing-1] != missing {
		t.Errorf("%d games are missing, progress of the second part is %v", missing, told)
	}
	told = nil
	sameMatch(t, play(t, m), whole)
	if len(told) > 0 || m.Missing() != 0 {
		t.Error("a finished match is played again")
	}
}

// What a crash leaves: shard files that the manifest does not list.
func TestAMatchSurvivesWhatACrashLeaves(t *testing.T) {
	m := match(t, "trench/standard", "random", "greedy", 10)
	play(t, m)
	for _, name := range []string{"episodes/00000001.parquet", "steps/00000001.parquet.tmp", "manifest.json.tmp"} {
		if err := os.WriteFile(filepath.Join(m.Dir, name), []byte("half"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	m.Pairs = 15
	if r := play(t, m); r.Pairs != 15 {
		t.Errorf("%d pairs", r.Pairs)
	}
	if _, err := replay.Verify(t.Context(), m.Dir, 1, nil); err != nil {
		t.Error(err)
	}
}

func TestAMatchOfOtherSettingsIsRefused(t *testing.T) {
	m := match(t, "trench/standard", "random", "greedy", 3)
	play(t, m)
	m.Plan = selfplaytest.Changed(t, m.Plan, func(c *selfplay.Config) { c.Seed = 2 })
	if _, err := arena.Play(t.Context(), m); !errors.Is(err, dataset.ErrSettings) || !strings.Contains(err.Error(), "seed is") {
		t.Errorf("error is %v", err)
	}
}

func TestMatchesThatMakeNoSenseAreRefusedAndLeaveNoFolder(t *testing.T) {
	for want, change := range map[string]func(*arena.Match){
		"must be two different agents": func(m *arena.Match) {
			m.Plan = selfplaytest.Changed(t, m.Plan, func(c *selfplay.Config) { c.Agents[1] = c.Agents[0] })
		},
		"pairs is 0": func(m *arena.Match) { m.Pairs = 0 },
		"elo0 is 5":  func(m *arena.Match) { m.Test = &stats.SPRT{Elo0: 5, Elo1: 5, Alpha: .05, Beta: .05} },
		"use fewer opening plies": func(m *arena.Match) {
			m.Plan = selfplaytest.Changed(t, m.Plan, func(c *selfplay.Config) { c.Opening.Plies = 1500 })
		},
	} {
		m := match(t, "ntxuva/4", "greedy", "random", 5)
		change(&m)
		if _, err := arena.Play(t.Context(), m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
		if _, err := os.Stat(filepath.Join(m.Dir, dataset.ManifestName)); err == nil && want != "use fewer opening plies" {
			t.Errorf("%s: a data set is left behind", want)
		}
	}
}

// tournament makes a tournament whose matches lie in one folder.
func tournament(t *testing.T, pairs int64, agents ...string) *arena.Tournament {
	m := match(t, "ntxuva/basic", "random", "greedy", pairs)
	parent := t.TempDir()
	tour := &arena.Tournament{
		Games: m.Plan.Config(), Pairs: pairs, Workers: 2,
		Dir: func(s *dataset.Settings) string { return filepath.Join(parent, s.Run()) },
	}
	for _, text := range agents {
		tour.Agents = append(tour.Agents, selfplaytest.Agent(t, "ntxuva/basic", text))
	}
	return tour
}

func TestATournamentRatesEveryAgent(t *testing.T) {
	tour := tournament(t, 60, "random", "greedy")
	if missing, err := tour.Missing(); err != nil || missing != 120 {
		t.Errorf("%d games are missing, %v", missing, err)
	}
	s, err := tour.Play(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Agents) != 2 || len(s.Matches) != 1 || s.Games != 120 {
		t.Fatalf("%d agents, %d matches, %d games", len(s.Agents), len(s.Matches), s.Games)
	}
	best, last := s.Agents[0], s.Agents[1]
	if best.Agent != "greedy" || best.Wins != last.Losses || best.Draws != last.Draws || best.Score.Estimate+last.Score.Estimate != 1 {
		t.Errorf("standings are %+v", s.Agents)
	}
	if best.Elo.Low <= last.Elo.High || math.Abs(best.Elo.Estimate+last.Elo.Estimate) > 1e-3 || best.Elo.N != 120 {
		t.Errorf("ratings are %+v and %+v", best.Elo, last.Elo)
	}
	if data, err := json.Marshal(s); err != nil || !strings.Contains(string(data), `"draws_between_equals":`) {
		t.Errorf("JSON is %s (%v)", data, err)
	}
	tour.Agents[0], tour.Agents[1] = tour.Agents[1], tour.Agents[0]
	tour.Progress = func(int64, int64) { t.Error("the order of the agents has their match played again") }
	again, err := tour.Play(t.Context())
	if err != nil || !reflect.DeepEqual(again, s) {
		t.Errorf("the agents in another order: %+v (%v)", again, err)
	}
}

func TestTournamentsThatMakeNoSenseAreRefused(t *testing.T) {
	for want, agents := range map[string][]string{"there are 1 agents, must be 2 or more": {"random"}, "greedy is given twice": {"greedy", "random", "greedy"}} {
		if _, err := tournament(t, 5, agents...).Play(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
}
