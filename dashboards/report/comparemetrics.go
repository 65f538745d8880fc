package report

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A metricText describes a metric of comparisons.
type metricText struct {
	name    string // in a table
	the     string // in a sentence
	percent bool   // written in per cent
}

// metricTexts describe all metrics.
var metricTexts = map[string]metricText{ // constant
	"first_score":       {"first player's score", "the first player's score", true},
	"draws":             {"share of draws", "the share of draws", true},
	"length":            {"length of games", "the length of games", false},
	"decisive":          {"share of games won", "the share of games won", true},
	"first_wins":        {"first player wins", "the share of first player wins", true},
	"second_wins":       {"second player wins", "the share of second player wins", true},
	"mover_score":       {"side to move's score", "the score of the side to move after the opening", true},
	"branching":         {"legal actions", "the number of legal actions", false},
	"lead_changes":      {"lead changes", "the number of lead changes", false},
	"drama":             {"comebacks", "the size of comebacks", false},
	"decided_at":        {"point of decision", "the point at which games are decided", true},
	"repetition":        {"repeated positions", "the share of repeated positions", true},
	"completion":        {"games that end", "the share of games that come to an end", true},
	"coverage":          {"board in use", "the part of the board in use", true},
	"opening_diversity": {"variety of first actions", "the variety of first actions", true},
	"doubling_score":    {"score of twice the nodes", "the score of twice the nodes", true},
}

func textOf(metric string) metricText { return metricTexts[metric] }

// definition returns the definition of a metric in METHODS.md, and what a greater number
// means.
func definition(metric string) (what, greater string) {
	for _, text := range methodSection("Metrics of comparisons") {
		if t, ok := methodBlock(text).(Table); ok {
			for _, row := range t.Rows {
				if row[1] == metric {
					return row[3], row[4]
				}
			}
		}
	}
	return "", ""
}

// metricCell formats an estimate of a metric.
func metricCell(name string, i stats.Interval) string {
	if textOf(name).percent {
		return shareCell(i)
	}
	return numberCell(i)
}

// metricDifference formats a difference in a metric; differences of shares are in percentage
// points.
func metricDifference(name string, i stats.Interval) string {
	if textOf(name).percent {
		return pointsCell(i)
	}
	return differenceCell(i)
}

// pointDifference formats a difference in a metric in a sentence.
func pointDifference(name string, i stats.Interval) string {
	if textOf(name).percent {
		return metricDifference(name, i) + " points"
	}
	return metricDifference(name, i)
}

// metricSize formats the size of a difference.
func metricSize(name string, x float64) string {
	if textOf(name).percent {
		return fmt.Sprintf("%.1f points", 100*x)
	}
	return figure(x)
}

// estimateCell formats an estimate, or "-" without one.
func estimateCell(e *compare.Estimate) string {
	if e.Interval == nil {
		return "-"
	}
	return metricCell(e.Metric, *e.Interval)
}

// selfPlayWarnings and ladderWarnings are the sentences of warnings about the data.
var (
	selfPlayWarnings = map[compare.Problem]string{ // constant
		compare.MissingGames:  "Missing: {count} of {games}.",
		compare.FewResults:    "Only {count} games have a result. Intervals are rough below {few}.",
		compare.CutOffGames:   "Without a result because of the ply limit: {count} of {games}. If they differ from the other games, results are biased.",
		compare.FailedGames:   failedProgram + " Results exclude them.",
		compare.RepeatedGames: "Only {count} of {games} are distinct. Repeated games add no information, so intervals are too narrow. Use --openings sampled:K, or an agent with noise.",
		compare.DecidedEarly:  "{count} of {games} ended within two plies of the agents' taking over: the opening decided them. Use --openings start or --openings sampled:K, or fewer plies.",
		compare.NoChance: "Games with the same opening are identical, because the agents play without noise. All variety comes from {openings}. " +
			"Agents with noise would add information.",
		compare.FewOpenings: "The games start from only {positions}. The numbers hold for these openings, not for others.",
	}
	ladderWarnings = map[compare.Problem]string{ // constant
		compare.FailedGames:   failedProgram + " Results exclude their pairs.",
		compare.MissingGames:  "Missing: {count} of {pairs}.",
		compare.FewResults:    "Pairs that count: {count}. Intervals are rough below {few}.",
		compare.CutOffGames:   "Draws because of the ply limit: {count} of {games}.",
		compare.RepeatedGames: "Only {count} of {games} are distinct, so intervals are too narrow.",
		compare.DecidedEarly:  "{count} of {games} ended within two plies of the agents' taking over: the opening decided them.",
	}
)

const failedProgram = "A program that crashed, ran out of time or played an illegal move lost {count} of {games}."

// warnings puts the warnings about the data into sentences.
func (c *compareText) warnings() []string { return each(c.report.Health.Warnings, c.warning) }

func (c *compareText) warning(w *compare.Warning) string {
	name, texts := c.arm(w.Variant, w.Nodes)+": ", selfPlayWarnings
	switch {
	case w.Problem == compare.DifferentGames:
		return "The variants are of different games. Lengths, branching and values have different meanings in them."
	case w.Ladder:
		name, texts = c.arm(w.Variant, w.Nodes)+" against twice as many: ", ladderWarnings
	case w.Problem == compare.FewResults && w.Count == 0:
		return name + "No game has a result."
	case w.Problem == compare.FewResults && w.Count == 1:
		return name + "Only one game has a result."
	}
	return name + phrase(texts, w.Problem, "{count}", Count(w.Count), "{few}", fmt.Sprint(compare.FewGames), "{games}", number(w.Of, "game"), "{pairs}", number(w.Of, "pair"),
		"{openings}", number(w.Count, "opening"), "{positions}", number(w.Count, "position"))
}
