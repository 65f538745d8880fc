package report

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset/compare"
)

// selfPlayWarnings and ladderWarnings are the sentences of warnings about the data.
var (
	selfPlayWarnings = map[compare.Problem]string{ // constant
		compare.MissingGames:  "Missing: {count} of {games}.",
		compare.FewResults:    "Only {count} games have a result. Intervals are rough below {few}.",
		compare.CutOffGames:   "Without a result because of the ply limit: {count} of {games}. If they differ from the other games, results are biased.",
		compare.FailedGames:   failedProgram + " Results exclude them.",
		compare.RepeatedGames: "Only {count} of {games} are distinct. Repeated games add no information, so intervals are too narrow.",
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
