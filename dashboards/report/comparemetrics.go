package report

import (
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/compare"
)

// A metricText describes a metric of comparisons.
type metricText struct {
	key     string // in JSON
	name    string // in a table
	the     string // in a sentence
	what    string // definition
	more    string // meaning of a greater number
	percent bool   // written in per cent
}

// metricTexts describe all metrics.
var metricTexts = [...]metricText{ // constant
	{"first_score", "first player's score", "the first player's score",
		"mean score of the first player in games with a result; a draw counts ½",
		"better for the first player; 0.5 is even", true},
	{"draws", "share of draws", "the share of draws", "share of draws in games with a result", "fewer wins", true},
	{"length", "length of games", "the length of games", "mean number of plies per game, including the random opening; a game that was cut off counts with the plies that were played", "longer games", false},
	{"decisive", "share of games won", "the share of games won", "share of games with a result that either side won: 1 − draws", "more wins", true},
	{"first_wins", "first player wins", "the share of first player wins", "share of games with a result that the first player won", "better for the first player", true},
	{"second_wins", "second player wins", "the share of second player wins", "share of games with a result that the second player won", "better for the second player", true},
	{"branching", "branching", "branching", "mean number of legal actions at the agents' plies, Σ legal / Σ plies over all games", "more choice", false},
	{"lead_changes", "lead changes", "the number of lead changes",
		"number of times that the lead changes sides in a game. The side with a search value above 0.1 leads, and keeps the lead while neither side has such a value (after Browne 2008, lead change)",
		"more open games", false},
	{"drama", "drama", "drama",
		"how far the winner is behind: the mean of −v over the agents' plies at which the search value v, from the winner's view, is below 0, or 0 for a game without such a ply; mean over won games (after Browne 2008, drama)",
		"greater comebacks", false},
	{"decided_at", "decided at", "the point at which games are decided",
		"share of the agents' plies of a game up to the last one at which the winner's search value is not above 0; mean over won games (after Browne 2008, decisiveness)",
		"later decisions", true},
	{"repetition", "repetition", "repetition", "share of the positions after the random opening that occurred before in their game, regardless of counters", "more repeated positions", true},
	{"completion", "completion", "completion", "share of games that end under the rules, before the ply limit (Browne 2008, completion)", "fewer games without an end", true},
	{"coverage", "coverage", "coverage",
		"share of the squares of the board to which a piece moved, at which a piece fired or on which a piece was taken, or of the houses from and to which seeds were sown, in the agents' plies of a game; from a sample of games",
		"more of the board in use", true},
	{"opening_diversity", "opening diversity", "opening diversity",
		"probability that the agents' first actions of two games differ, each after its own random plies: 1 − Σ n(n−1)/(N(N−1)) over actions played n times in N games (Gini 1912; Simpson 1949)",
		"more ways to begin", true},
	{"doubling_score", "doubling score", "the score of twice the nodes",
		"score of an agent with twice the nodes against the same agent with once, in pairs of games with swapped seats; a draw or a game that was cut off counts ½",
		"more reward for thinking; 0.5 is none", true},
}

// textOf returns the description of a metric.
func textOf(metric string) metricText {
	i := slices.IndexFunc(metricTexts[:], func(t metricText) bool { return t.key == metric })
	return metricTexts[i]
}

// metricTable lists the metrics with their definitions.
func metricTable(metrics []compare.Metric) Table {
	t := Table{
		Columns: []string{"metric", "name in JSON", "unit, range", "definition", "a greater number means"},
		Leisure: true,
		Caption: "Browne 2008 is the source of the ideas of lead change, drama, decisiveness and completion; the definitions here differ in detail.",
	}
	for i := range metrics {
		m := &metrics[i]
		text := textOf(m.Name)
		t.Rows = append(t.Rows, []string{text.name, m.Name, m.Unit + ", " + m.Range, text.what, text.more})
	}
	return t
}
