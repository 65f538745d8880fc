package report

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset/compare"
)

// warnings puts the warnings about the data into sentences.
func (c *compareText) warnings() []string {
	list := []string{}
	for i := range c.report.Health.Warnings {
		list = append(list, c.warning(&c.report.Health.Warnings[i]))
	}
	return list
}

func (c *compareText) warning(w *compare.Warning) string {
	name := c.arm(w.Variant, w.Nodes)
	switch {
	case w.Problem == compare.DifferentGames:
		return "The variants are of different games. Lengths, branching and values have different meanings in them."
	case w.Ladder:
		return name + " against twice as many: " + ladderWarning(w)
	}
	return name + ": " + selfPlayWarning(w)
}

const failedProgram = "A program that crashed, ran out of time or played an illegal move lost %s of %s."

func selfPlayWarning(w *compare.Warning) string {
	count, of := Count(w.Count), number(w.Of, "game")
	switch w.Problem {
	case compare.MissingGames:
		return fmt.Sprintf("Missing: %s of %s.", count, of)
	case compare.FewResults:
		switch w.Count {
		case 0:
			return "No game has a result."
		case 1:
			return "Only one game has a result."
		}
		return fmt.Sprintf("Only %s games have a result. Intervals are rough below %d.", count, compare.FewGames)
	case compare.CutOffGames:
		return fmt.Sprintf("Without a result because of the ply limit: %s of %s. If they differ from the other games, results are biased.", count, of)
	case compare.FailedGames:
		return fmt.Sprintf(failedProgram+" Results exclude them.", count, of)
	case compare.RepeatedGames:
		return fmt.Sprintf("Only %s of %s are distinct. Repeated games add no information, so intervals are too narrow.", count, of)
	case compare.NoChance:
		return fmt.Sprintf("Games with the same opening are identical, because the agents play without noise. All variety comes from %s. Agents with noise would add information.", number(w.Count, "opening"))
	case compare.FewOpenings:
		return fmt.Sprintf("The games start from only %s. The numbers hold for these openings, not for others.", number(w.Count, "position"))
	}
	return string(w.Problem)
}

func ladderWarning(w *compare.Warning) string {
	count := Count(w.Count)
	switch w.Problem {
	case compare.MissingGames:
		return fmt.Sprintf("Missing: %s of %s.", count, number(w.Of, "pair"))
	case compare.FewResults:
		return fmt.Sprintf("Pairs that count: %s. Intervals are rough below %d.", count, compare.FewGames)
	case compare.CutOffGames:
		return fmt.Sprintf("Draws because of the ply limit: %s of %s.", count, number(w.Of, "game"))
	case compare.FailedGames:
		return fmt.Sprintf(failedProgram+" Results exclude their pairs.", count, number(w.Of, "game"))
	case compare.RepeatedGames:
		return fmt.Sprintf("Only %s of %s are distinct, so intervals are too narrow.", count, number(w.Of, "game"))
	}
	return string(w.Problem)
}
