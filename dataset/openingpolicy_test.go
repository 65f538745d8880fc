package dataset_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

func TestPoliciesOutOfRangeAreRefused(t *testing.T) {
	sampled := func(change func(*dataset.OpeningPolicy)) dataset.OpeningPolicy {
		p := dataset.OpeningPolicy{Name: dataset.SampledOpenings, Temperature: 0.1, Swing: 100}
		change(&p)
		return p
	}
	for _, c := range []struct {
		policy dataset.OpeningPolicy
		plies  int
		want   string
	}{
		{dataset.OpeningPolicy{}, 0, ""},
		{dataset.OpeningPolicy{Name: dataset.RandomOpenings}, 1, ""},
		{sampled(func(p *dataset.OpeningPolicy) { p.Temperature, p.Swing = dataset.LeastTemperature, dataset.MostSwing }), 1, ""},
		{sampled(func(p *dataset.OpeningPolicy) { p.Temperature = dataset.MostTemperature }), 1, ""},
		{dataset.OpeningPolicy{Name: "best"}, 1, `opening_policy is "best", must be random or sampled`},
		{dataset.OpeningPolicy{Name: dataset.RandomOpenings}, 0, "opening_plies is 0, must be 1 or more for random openings"},
		{dataset.OpeningPolicy{Name: dataset.RandomOpenings, Temperature: 1}, 1, "temperature is 1, must be 0 for random openings"},
		{sampled(func(p *dataset.OpeningPolicy) { p.Temperature = 0 }), 1, "temperature is 0, must be 0.001 to 100"},
		{sampled(func(p *dataset.OpeningPolicy) { p.Temperature = 101 }), 1, "temperature is 101, must be 0.001 to 100"},
		{sampled(func(p *dataset.OpeningPolicy) { p.Swing = -1 }), 1, "swing is -1, must be 0 to 100000 hundredths of a point"},
		{sampled(func(p *dataset.OpeningPolicy) { p.Swing = dataset.MostSwing + 1 }), 1, "swing is 100001"},
	} {
		err := c.policy.Validate(c.plies)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v after %d plies: %v, want %q", c.policy, c.plies, err, c.want)
		}
		s := dataset.Settings{Rules: json.RawMessage("null"), JobEpisodes: 1, OpeningPlies: c.plies, OpeningPolicy: c.policy}
		if got := s.Validate(); (got == nil) != (err == nil) {
			t.Errorf("%+v: the settings are %v, the policy %v", c.policy, got, err)
		}
	}
}

// Settings from before there were policies have the run id that they had.
func TestSettingsWithoutAPolicyKeepTheirRunID(t *testing.T) {
	s := dataset.Settings{Variant: "v", Digest: "sha256:0", Rules: json.RawMessage("null"), Agents: [2]string{"greedy", "greedy"}, OpeningPlies: 8, Starts: []string{}, MaxPlies: 200, Seed: 1, Episodes: 10, JobEpisodes: 2}
	data, err := json.Marshal(&s)
	if err != nil || strings.Contains(string(data), "policy") {
		t.Errorf("the settings are %s (%v)", data, err)
	}
	if got := s.Run(); got != "c5f9fd04792eb5cf" {
		t.Errorf("the run is %s", got)
	}
	s.OpeningPolicy = dataset.OpeningPolicy{Name: dataset.RandomOpenings}
	if data, err := json.Marshal(&s); err != nil || !strings.Contains(string(data), `"opening_policy":{"name":"random","swing":0}`) {
		t.Errorf("the settings are %s (%v)", data, err)
	}
}

func TestSettingsSayWhetherTheyMeasureTheFirstMove(t *testing.T) {
	policy := dataset.OpeningPolicy{Name: dataset.RandomOpenings}
	for _, c := range []struct {
		settings            dataset.Settings
		fromStart, measures bool
	}{
		{dataset.Settings{}, true, true},
		{dataset.Settings{OpeningPlies: 8}, false, false},
		{dataset.Settings{OpeningPlies: 8, OpeningBalanced: true}, false, false},
		{dataset.Settings{OpeningPlies: 8, OpeningPolicy: policy}, false, true},
		{dataset.Settings{Starts: []string{"x"}}, false, false},
		{dataset.Settings{Starts: []string{"x"}, OpeningPlies: 8, OpeningPolicy: policy}, false, false},
	} {
		if got := c.settings.FromStart(); got != c.fromStart {
			t.Errorf("%+v: from the start %v", c.settings, got)
		}
		if got := c.settings.MeasuresFirstMove(); got != c.measures {
			t.Errorf("%+v: measures the first move %v", c.settings, got)
		}
	}
}

// opened returns a game of two players in turn after an opening.
func opened(number int64, opening, plies int, result env.Result) *dataset.Episode {
	ep := game(number, result, env.Points, plies)
	ep.OpeningPlies = opening
	for i := range ep.Steps {
		ep.Steps[i].Player = env.Player(i & 1)
		ep.Steps[i].Action = env.Action(number)
	}
	return ep
}

func TestTheSideToMoveIsThatAfterTheOpening(t *testing.T) {
	for _, c := range []struct {
		ep   *dataset.Episode
		want env.Player
	}{
		{opened(0, 0, 9, 1), env.First},
		{opened(0, 4, 9, 1), env.First},
		{opened(0, 5, 9, 1), env.Second},
		// A player who forfeits before the first ply of the agents was to move.
		{opened(0, 5, 5, 1), env.Second},
		{opened(0, 4, 4, -1), env.First},
	} {
		if got := c.ep.SideToMove(); got != c.want {
			t.Errorf("after %d of %d plies player %d is to move, want %d", c.ep.OpeningPlies, c.ep.Plies(), got, c.want)
		}
	}
}

func TestAGameThatAProgramForfeitsIsNotDecidedByItsOpening(t *testing.T) {
	for reason, want := range map[env.Reason]bool{env.IllegalAction: false, env.TimeForfeit: false, env.Resigned: true} {
		ep := opened(0, 4, 5, 1)
		ep.Reason = reason
		if ep.DecidedEarly() != want {
			t.Errorf("a game that ends by %v is decided early: %v, want %v", reason, !want, want)
		}
	}
}

func TestASummaryTellsFirstPlayerFromSideToMove(t *testing.T) {
	cut := opened(9, 4, 5, 0)
	cut.Truncated, cut.Terminated = true, false
	s := summary(
		opened(0, 4, 20, 1), opened(1, 4, 20, 1), opened(2, 4, 20, 0), // the first player is to move: 2½ of 3
		opened(3, 5, 20, -1), opened(4, 5, 20, 1), // the second player is to move: 1 of 2
		opened(5, 4, 6, -1), opened(6, 5, 8, 1), cut, // one ends with the second ply of the agents, one with the third
	)
	if f, m := s.First.Score, s.SideToMove.Score; f.Estimate != 4.5/7 || m.Estimate != 3.5/7 || m.N != 7 {
		t.Errorf("the first player scores %v, the side to move %v", f, m)
	}
	if s.SideToMove.Wins != 3 || s.SideToMove.Draws != 1 || s.SideToMove.Losses != 3 {
		t.Errorf("the side to move has %+v", s.SideToMove)
	}
	if s.DecidedEarly != 1 || s.EarlyShare() != 1./8 {
		t.Errorf("%d games are decided early, a share of %v", s.DecidedEarly, s.EarlyShare())
	}
	if len(s.ByOpening) != 2 || s.ByOpening[0].Plies != 4 || s.ByOpening[1].Plies != 5 || s.ByOpening[0].First.Estimate != 2.5/4 || s.ByOpening[1].First.Estimate != 2./3 {
		t.Errorf("by plies of the opening: %+v", s.ByOpening)
	}
	if s := summary(opened(0, 4, 20, 1), opened(1, 4, 20, 1)); s.ByOpening != nil || s.EarlyShare() != 0 {
		t.Errorf("openings of one length have %+v", s.ByOpening)
	}
}

func TestParityMattersIfTheScoresDiffer(t *testing.T) {
	score := func(plies int, wins int64) dataset.OpeningScore {
		return dataset.OpeningScore{Plies: plies, First: stats.Wilson(wins, 1000, stats.Level)}
	}
	for _, c := range []struct {
		scores []dataset.OpeningScore
		want   bool
	}{
		{nil, false},
		{[]dataset.OpeningScore{score(8, 600)}, false},
		{[]dataset.OpeningScore{score(8, 500), score(9, 520)}, false}, // 2 points, ± 4.4
		{[]dataset.OpeningScore{score(8, 500), score(9, 550)}, true},
		{[]dataset.OpeningScore{score(8, 550), score(9, 500)}, true},
		{[]dataset.OpeningScore{score(8, 500), score(9, 550), score(10, 500)}, false},
		{[]dataset.OpeningScore{score(8, 500), {Plies: 9}}, false},
	} {
		if got := dataset.ParityMatters(c.scores); got != c.want {
			t.Errorf("%+v: %v", c.scores, got)
		}
	}
}

func TestAPolicyGivesEachStartBothNumbersOfPlies(t *testing.T) {
	policy := dataset.OpeningPolicy{Name: dataset.RandomOpenings}
	for _, c := range []struct {
		name     string
		settings dataset.Settings
		want     string
	}{
		{"games", dataset.Settings{OpeningPlies: 8, OpeningPolicy: policy}, "8989898989"},
		{"pairs", dataset.Settings{OpeningPlies: 8, OpeningPolicy: policy, Agents: [2]string{"a", "b"}}, "8899889988"},
		{"games of three starts", dataset.Settings{OpeningPlies: 8, OpeningPolicy: policy, Starts: []string{"x", "y", "z"}}, "8889998889"},
		{"pairs of two starts", dataset.Settings{OpeningPlies: 8, OpeningPolicy: policy, Starts: []string{"x", "y"}, Agents: [2]string{"a", "b"}}, "8888999988"},
		{"no policy", dataset.Settings{OpeningPlies: 8}, "8888888888"},
	} {
		got := ""
		for number := range int64(10) {
			got += string(rune('0' + c.settings.Assign(number).OpeningPlies))
		}
		if got != c.want {
			t.Errorf("%s: openings have %s plies, want %s", c.name, got, c.want)
		}
	}
}
