package dataset_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// game returns a finished game of so many plies, each with four legal actions.
func game(number int64, result env.Result, reason env.Reason, plies int) *dataset.Episode {
	ep := &dataset.Episode{Number: number, Pair: dataset.NoPair, ResignPly: dataset.NoPly, Agents: [2]string{"a", "a"}, Start: "start", Terminated: true, Result: result, Reason: reason}
	for i := range plies {
		*ep.AddStep() = dataset.Step{Action: env.Action(i), LegalCount: 4}
	}
	return ep
}

func summary(list ...*dataset.Episode) dataset.Summary {
	t := dataset.NewTally()
	for _, ep := range list {
		t.Add(ep)
	}
	return t.Summary()
}

func TestSummaryCounts(t *testing.T) {
	cut := game(4, 0, env.NoReason, 50)
	cut.Terminated, cut.Truncated = false, true
	other := game(5, 1, env.General, 10)
	other.Steps[9].Action = 77
	elsewhere := game(6, 1, env.General, 10)
	elsewhere.Start = "another start"
	s := summary(game(0, 1, env.General, 10), game(1, 1, env.General, 10), game(2, 0, env.Repetition, 20), game(3, -1, env.Points, 30), cut, other, elsewhere)
	if s.Episodes != 7 || s.Plies != 140 || s.Truncated != 1 || s.MeanLegal != 4 {
		t.Errorf("summary counts %d games, %d plies, %d truncated, %v legal", s.Episodes, s.Plies, s.Truncated, s.MeanLegal)
	}
	if f := s.First; f.Wins != 4 || f.Draws != 1 || f.Losses != 1 || f.Score.Estimate != 0.75 || f.Score.N != 6 {
		t.Errorf("first player has %+v", f)
	}
	if want := stats.Wilson(4, 6, stats.Level); s.First.Win != want {
		t.Errorf("share of wins is %+v, want %+v", s.First.Win, want)
	}
	// Games 0 and 1 are one; another action or another start makes another game.
	if s.Distinct != 6 || s.DistinctShare() != 6./7 {
		t.Errorf("%d distinct games, want 6", s.Distinct)
	}
	var reasons []string
	for _, r := range s.Reasons {
		reasons = append(reasons, r.Reason)
	}
	if got := strings.Join(reasons, " "); got != "general max_plies points repetition" || s.Reasons[0].Episodes != 4 {
		t.Errorf("reasons are %+v", s.Reasons)
	}
	if len(s.Agents) != 0 {
		t.Errorf("unpaired games have records of agents: %+v", s.Agents)
	}
}

func TestSummaryOfLengths(t *testing.T) {
	var list []*dataset.Episode
	for i := range 100 {
		list = append(list, game(int64(i), 1, env.Points, i+1))
	}
	l := summary(list...).Length
	if l.Min != 1 || l.P10 != 10 || l.P25 != 25 || l.Median != 50 || l.P75 != 75 || l.P90 != 90 || l.Max != 100 || l.Mean.Estimate != 50.5 {
		t.Errorf("lengths 1 to 100 are summed up as %+v", l)
	}
	if len(l.Histogram) != 100 || l.Histogram[9] != (dataset.LengthCount{Plies: 10, Episodes: 1}) {
		t.Errorf("histogram is %v", l.Histogram)
	}
}

func TestSummaryOfPairsIsByAgentAndKnowsThePairs(t *testing.T) {
	var list []*dataset.Episode
	var clusters stats.Clusters
	for pair := range int64(30) {
		// Agent a wins both games of two pairs in three; in the others each wins once.
		second := env.Result(-1)
		if pair%3 == 0 {
			second = 1
		}
		one, two := game(2*pair, 1, env.General, 9), game(2*pair+1, second, env.General, 9)
		one.Agents, two.Agents = [2]string{"a", "b"}, [2]string{"b", "a"}
		one.Pair, two.Pair = pair, pair
		list = append(list, one, two)
		clusters.Add(float64(3-second)/2, 2) // 2 points, or 1
	}
	s := summary(list...)
	if len(s.Agents) != 2 || s.Agents[0].Agent != "a" || s.Agents[1].Agent != "b" {
		t.Fatalf("agents are %+v", s.Agents)
	}
	a, b := s.Agents[0].Outcome, s.Agents[1].Outcome
	if a.Wins != 50 || a.Losses != 10 || b.Wins != 10 || b.Losses != 50 {
		t.Errorf("a has %d wins and %d losses, b %d and %d", a.Wins, a.Losses, b.Wins, b.Losses)
	}
	if want := clusters.Interval(stats.Level); a.Score != want || a.Win != want {
		t.Errorf("a scores %+v, want %+v", a.Score, want)
	}
	if s.First.Wins != 40 || s.First.Losses != 20 || s.First.Score.N != 60 {
		t.Errorf("the first player has %+v", s.First)
	}
	if s.First.Score.Method != "wilson, clusters" {
		t.Errorf("the interval of paired games is by %s", s.First.Score.Method)
	}
}

func TestSummaryLeavesTheTallyAsItIs(t *testing.T) {
	tally := dataset.NewTally()
	one, two := game(0, 1, env.General, 9), game(1, -1, env.General, 9)
	one.Pair, two.Pair = 0, 0
	one.Agents, two.Agents = [2]string{"a", "b"}, [2]string{"b", "a"}
	tally.Add(one)
	if s := tally.Summary(); s.First.Score.N != 1 {
		t.Errorf("half a pair has %+v", s.First.Score)
	}
	tally.Add(two)
	if got, want := tally.Summary().First.Score, summary(one, two).First.Score; got != want {
		t.Errorf("with a summary in the middle of a pair the score is %+v, else %+v", got, want)
	}
}

func TestSummaryOfNothingIsJSON(t *testing.T) {
	s := summary()
	data, err := json.Marshal(&s)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"episodes":0`, `"agents":[]`, `"forfeits":[]`, `"reasons":[]`, `"histogram":[]`, `"score":{"estimate":0.5,"low":0,"high":1,`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("JSON lacks %s: %s", want, data)
		}
	}
	if s.DistinctShare() != 0 {
		t.Errorf("share of distinct games among none is %v", s.DistinctShare())
	}
}
