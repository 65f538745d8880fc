package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// seats are the seats of a report with these results of the first player.
func seats(wins, draws, losses int64) *balance.Seats {
	n := wins + draws + losses
	score := stats.Interval{Estimate: .5, Level: stats.Level, High: 1}
	if n > 0 {
		score = stats.Interval{Estimate: (float64(wins) + float64(draws)/2) / float64(n), Low: .4, High: .7, Level: stats.Level, N: n}
	}
	return &balance.Seats{Games: n, First: dataset.Outcome{Wins: wins, Draws: draws, Losses: losses, Score: score}, Even: stats.Test{P: 1}}
}

var colours = [2]string{"Black", "White"} // constant

func TestEachVerdictOnTheSeatsHasItsSentence(t *testing.T) {
	significant := func(s *balance.Seats) *balance.Seats {
		s.Even.P = .0499
		return s
	}
	even := seats(60, 0, 40)
	even.Even.P = 1 - stats.Level
	narrow := seats(50, 0, 50)
	narrow.First.Score.Low, narrow.First.Score.High = .48, .52
	for want, s := range map[string]*balance.Seats{
		"No game has a result, so the seats cannot be compared.":                                                                                                                                              seats(0, 0, 0),
		"Only one game has a result, so the seats cannot be compared.":                                                                                                                                        seats(0, 0, 1),
		"All 2,000 games were drawn: neither side shows an advantage, and values of pieces cannot be estimated.":                                                                                              seats(0, 2000, 0),
		"Black, the first player, won all 2 games, and scores 100.0 % (40.0 to 70.0, n = 2). The seat, or the agent in it, decides the game.":                                                                 seats(2, 0, 0),
		"White, the second player, won all 1,500 games, and Black scores 0.0 % (40.0 to 70.0, n = 1,500). The seat, or the agent in it, decides the game.":                                                    significant(seats(0, 0, 1500)),
		"Too few games to tell which side has the advantage: Black, the first player, scores 60.0 % (40.0 to 70.0, n = 100), and the bounds lie on both sides of 50 %. About 5,100 more games would show it.": even,
		"Neither side has an advantage of more than 3 points: Black, the first player, scores 50.0 % (48.0 to 52.0, n = 100).":                                                                                narrow,
		"Black, the first player, has the advantage and scores 55.0 % (40.0 to 70.0, n = 100).":                                                                                                               significant(seats(50, 10, 40)),
		"White, the second player, has the advantage: Black scores 45.0 % (40.0 to 70.0, n = 100).":                                                                                                           significant(seats(40, 10, 50)),
	} {
		if got := seatAnswer(s, colours); got != want {
			t.Errorf("the answer is\n%s\nwant\n%s", got, want)
		}
	}
}

func TestEachNoteHasItsSentence(t *testing.T) {
	of := func(change func(*balance.Data)) []string {
		d := &balance.Data{Agents: []string{"greedy", "random"}, Episodes: 1000, Clusters: 500, Sampled: 1000, Distinct: 1000, Openings: 1000}
		change(d)
		return balanceNotes(d)
	}
	const agents = "All numbers describe how these agents play: greedy; random."
	for _, c := range []struct {
		change func(*balance.Data)
		want   string
	}{
		{func(*balance.Data) {}, ""},
		{func(d *balance.Data) { d.Clusters = 1 }, "There is only one independent game or pair, so the bounds in brackets mean nothing."},
		{func(d *balance.Data) { d.Clusters = 2 }, "There are only 2 independent games or pairs. With fewer than 50, the bounds in brackets are unreliable."},
		{func(d *balance.Data) { d.Clusters = 49 }, "There are only 49 independent games or pairs. With fewer than 50, the bounds in brackets are unreliable."},
		{func(d *balance.Data) { d.Clusters = 50 }, ""},
		{func(d *balance.Data) { d.Truncated = 3 }, "3 of 1,000 games reached the ply limit and have no result. If they differ from the other games, results and values are biased."},
		{func(d *balance.Data) { d.Failed = 4 }, "4 of 1,000 games were lost by a program that crashed, ran out of time or played an illegal move. Results and values exclude them."},
		{func(d *balance.Data) { d.Distinct = 990 }, ""},
		{func(d *balance.Data) { d.Distinct = 989 }, "Only 989 of 1,000 sampled games are distinct. Repeated games add no information, so the bounds in brackets are too narrow. Play with --openings sampled:K, or an agent with noise."},
		{func(d *balance.Data) { d.DecidedEarly = 10 }, ""},
		{func(d *balance.Data) { d.DecidedEarly = 11 }, "11 of 1,000 games ended within two plies of the agents' taking over: the opening decided them. Play from --openings start or --openings sampled:K, or with fewer plies."},
		{func(d *balance.Data) { d.Sampled, d.Distinct = 999, 999 }, "Values, mobility, presence, lifetimes and first captures come from an evenly spaced sample of 999 games."},
		{func(d *balance.Data) { d.Openings = 1 }, ""},
		{func(d *balance.Data) { d.Openings = 2 }, "The games start from 2 positions. The numbers hold for these openings, not for others."},
		{func(d *balance.Data) { d.Openings = 49 }, "The games start from 49 positions. The numbers hold for these openings, not for others."},
		{func(d *balance.Data) { d.Openings = 50 }, ""},
	} {
		want := []string{agents}
		if c.want != "" {
			want = []string{c.want, agents}
		}
		if got := of(c.change); !slices.Equal(got, want) {
			t.Errorf("the notes are %q, want %q", got, want)
		}
	}
	if got := of(func(d *balance.Data) { *d = balance.Data{} }); !slices.Equal(got, []string{"There are no games."}) {
		t.Errorf("the notes are %q", got)
	}
}

func TestEachProblemOfAValueHasItsWords(t *testing.T) {
	for want, p := range map[string]balance.Problem{
		"":                                    {},
		"both sides always have equally many": {Code: balance.NeverVaries},
		"the counts of the other types determine its count":                              {Code: balance.Collinear},
		"the counts of the other types nearly determine its count":                       {Code: balance.NearlyCollinear},
		"it predicts every result: there are too few games, or it decides them":          {Code: balance.Separated},
		"fewer than 1,200 independent games":                                             {Code: balance.TooFewClusters, Clusters: 1200},
		"the unit, Soldier, has no value: both sides always have equally many":           {Code: balance.NeverVaries, Unit: "Soldier"},
		"the unit, Soldier, has no value: fewer than 60 independent games":               {Code: balance.TooFewClusters, Clusters: 60, Unit: "Soldier"},
		"having more of the unit, Soldier, goes with worse results; choose another unit": {Code: balance.UnitHarms, Unit: "Soldier"},
	} {
		if got := problemText(p); got != want {
			t.Errorf("%v is %q, want %q", p, got, want)
		}
	}
	for want, p := range map[string]balance.Problem{
		"": {},
		"No sampled game with a result reached this phase.":                        {Code: balance.NoPositions},
		"All games have the same result, so values cannot be estimated.":           {Code: balance.SameResults},
		"The seat of greedy predicts every result, so values cannot be estimated.": {Code: balance.AgentDecides, Agent: "greedy"},
		"Too few games to tell whether the unit, Soldier, is worth anything, so values in this unit have no bounds. Choose another unit with --unit, or play more games.": {Code: balance.UnitUncertain, Unit: "Soldier"},
	} {
		if got := phaseAnswer(p); got != want {
			t.Errorf("%v is %q, want %q", p, got, want)
		}
	}
	if got := valuesAnswer(&balance.Values{}); got != "No sampled game has a result and a position after its opening, so values cannot be estimated." {
		t.Errorf("without positions the answer is %q", got)
	}
}

func TestComparisonsWithGamesFromElsewhereAreWorded(t *testing.T) {
	interval := func(estimate, low, high float64) stats.Interval {
		return stats.Interval{Estimate: estimate, Low: low, High: high, Level: stats.Level, N: 700}
	}
	of := func(score, draw stats.Interval, p float64) string {
		s := seats(50, 10, 40)
		s.Against = &balance.Against{Name: "people", Games: 600, First: dataset.Outcome{Score: interval(.45, .41, .49)}, Score: score, Draw: draw, Same: stats.Test{P: p}}
		return againstAnswer(s, colours)
	}
	const theirs = "Black, the first player, scores 45.0 % (41.0 to 49.0, n = 700) in the games of people. "
	for _, c := range []struct {
		score, draw stats.Interval
		p           float64
		want        string
	}{
		{interval(.1, .01, .2), interval(.02, -.01, .05), .2,
			"The score here differs by +10.0 points (+1.0 to +20.0). Too few games to tell whether the shares of won, drawn and lost games differ."},
		{interval(-.1, -.2, -.01), interval(-.02, -.05, -.01), .0499,
			"The score here differs by −10.0 points (−20.0 to −1.0). The share of draws differs by −2.0 points (−5.0 to −1.0). The shares of won, drawn and lost games differ."},
		{interval(.1, -.01, .2), interval(.02, .01, .05), .0501,
			"Too few games to tell whether the score here differs: the difference is +10.0 points (−1.0 to +20.0). About 17,000 more games would show it. The share of draws differs by +2.0 points (+1.0 to +5.0). Too few games to tell whether the shares of won, drawn and lost games differ."},
	} {
		if got := of(c.score, c.draw, c.p); got != theirs+c.want {
			t.Errorf("the answer is\n%s\nwant\n%s", got, theirs+c.want)
		}
	}
	nothing := seats(0, 0, 0)
	nothing.Against = &balance.Against{Name: "people", Games: 3}
	if got := againstAnswer(nothing, colours); got != "No game here has a result to compare with those of people." {
		t.Errorf("without games the answer is %q", got)
	}
}

// The JSON has the numbers and codes of the report and the sentences of the page.
func TestTheJSONOfBalanceHasTheSentencesOfThePage(t *testing.T) {
	value := stats.Interval{Estimate: 1, Low: 1, High: 1, Level: stats.Level, N: 9}
	column := balance.TypeValue{Type: "Soldier", Value: &value}
	broken := balance.TypeValue{Type: "General", Problem: balance.Problem{Code: balance.NeverVaries}}
	s := seats(0, 2, 0)
	s.Against = &balance.Against{Name: "people", Games: 3}
	r := &balance.Report{
		Variant: "trench/standard", Players: colours, Data: balance.Data{Agents: []string{"greedy"}, Episodes: 2, Clusters: 2, Truncated: 1, Sampled: 2, Distinct: 2},
		Seats: s, Activity: &balance.Activity{}, Placement: &balance.Placement{},
		Values: &balance.Values{Unit: "Soldier", Phases: []balance.PhaseValues{{
			Phase: "the whole game", Problem: balance.Problem{Code: balance.UnitUncertain, Unit: "Soldier"},
			Types: []balance.TypeValue{broken, column}, Turn: &column, Agents: []balance.TypeValue{broken},
		}, {Phase: "late", Problem: balance.Problem{Code: balance.NoPositions}, Types: []balance.TypeValue{}, Agents: []balance.TypeValue{}}}},
	}
	data, err := json.Marshal(BalanceJSON(r))
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	at := func(path string) any {
		var node any = tree
		for _, key := range strings.Split(path, ".") {
			switch n := node.(type) {
			case map[string]any:
				node = n[key]
			case []any:
				node = n[key[0]-'0']
			}
		}
		return node
	}
	uncertain := phaseAnswer(balance.Problem{Code: balance.UnitUncertain, Unit: "Soldier"})
	for path, want := range map[string]any{
		"variant": "trench/standard", "notes.1": noteText(balance.CutOff, &r.Data), "notes.2": "All numbers describe how these agents play: greedy.",
		"seats.answer": seatAnswer(s, colours), "seats.games": 2.0, "seats.first_player.draws": 2.0,
		"seats.against.answer": againstAnswer(s, colours), "seats.against.games": 3.0, "seats.against.assumptions.2": "The counts of people are used as given and cannot be checked.",
		"values.unit": "Soldier", "values.answer": uncertain, "values.phases.0.answer": uncertain, "values.phases.0.problem_code.code": "unit_uncertain",
		"values.phases.0.phase": "the whole game", "values.phases.1.answer": "No sampled game with a result reached this phase.",
		"values.phases.0.types.0.problem": "both sides always have equally many", "values.phases.0.types.0.problem_code.code": "never_varies", "values.phases.0.types.0.type": "General",
		"values.phases.0.types.1.problem": "", "values.phases.0.turn.problem": "", "values.phases.0.turn.type": "Soldier", "values.phases.0.agents.0.problem": "both sides always have equally many",
		"values.phases.1.turn": nil, "activity.answer": "No agent has made a move, so there is no activity to report.",
	} {
		if got := at(path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	var again balance.Report
	if err := json.Unmarshal(data, &again); err != nil || again.Values.Phases[0].Types[0].Problem != broken.Problem || again.Seats.Games != 2 {
		t.Errorf("read again it is %+v (%v)", again, err)
	}
}
