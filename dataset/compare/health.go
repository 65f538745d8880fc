package compare

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

const (
	fewGames    = 50  // below it intervals are rough
	mostRepeats = 0.1 // share of repeated games that does not matter yet
)

// health says what there is to doubt.
func (a *analysis) health() Health {
	h := Health{Arms: []ArmHealth{}, Warnings: []string{}}
	for v := range a.played {
		for b := range a.plan.Budgets {
			m := a.selfPlay(v, b)
			arm := ArmHealth{
				Variant: a.plan.Variants[v].Name, Nodes: a.plan.Budgets[b].Nodes, Games: m.played, Missing: a.plan.GamesAt(a.look) - m.played,
				Truncated: stats.Wilson(m.truncated, m.played, a.level()), Forfeited: stats.Wilson(m.resigned+m.failed, m.played, a.level()),
				Distinct: share(m.distinct, m.played), Openings: share(m.openings, m.played),
			}
			h.Arms = append(h.Arms, arm)
			h.Warnings = append(h.Warnings, a.doubts(&arm, m)...)
			if a.plan.LadderPairs > 0 {
				h.Warnings = append(h.Warnings, a.ladderDoubts(&arm, a.played[v][b].Ladder)...)
			}
		}
	}
	if !a.sameGame() {
		h.Warnings = append(h.Warnings, "The variants are of different games: lengths, branching and values have different meanings in them.")
	}
	return h
}

// doubts are those about self-play.
func (a *analysis) doubts(arm *ArmHealth, m *Measures) []string {
	var list []string
	name := arm.Variant + a.with(arm.Nodes)
	warn := func(format string, counts ...int64) {
		list = append(list, name+": "+counting(format, counts))
	}
	results := m.means[firstScore].Len()
	if arm.Missing > 0 {
		warn("%s of %s games are missing.", arm.Missing, arm.Missing+arm.Games)
	}
	switch {
	case results == 0:
		warn("no game has a result.")
	case results == 1:
		warn("only one game has a result.")
	case results < fewGames:
		warn("only %s games have a result: intervals are rough below %s.", results, fewGames)
	}
	if m.truncated > 0 {
		warn("%s of %s games were cut off by the limit of plies and have no result: if they differ from the others, results are biased.", m.truncated, m.played)
	}
	if m.failed > 0 {
		warn("%s of %s games were lost by a program that crashed, was late or played what is illegal: they count for nothing.", m.failed, m.played)
	}
	if m.played < 2 {
		return list
	}
	if arm.Distinct < 1-mostRepeats {
		warn("of %s games only %s are different ones: games that repeat others tell nothing new, so intervals are too narrow.", m.played, m.distinct)
	}
	if m.openings < m.played && m.distinct == m.openings {
		warn("games with the same opening are the same to their ends: the agents choose without chance, so all variety comes from %s openings. Agents with noise would tell more.", m.openings)
	}
	if m.openings < fewGames && m.openings < m.played {
		warn("the games begin from only %s positions: numbers are those of these openings, not of others.", m.openings)
	}
	return list
}

// ladderDoubts are those about the ladder.
func (a *analysis) ladderDoubts(arm *ArmHealth, m *LadderMeasures) []string {
	var list []string
	name := arm.Variant + ", twice " + dataset.Count(arm.Nodes) + " nodes"
	warn := func(format string, counts ...int64) {
		list = append(list, name+": "+counting(format, counts))
	}
	if missing := a.plan.LadderPairs - m.played; missing > 0 {
		warn("%s of %s pairs are missing.", missing, a.plan.LadderPairs)
	}
	if n := m.pairs.Pairs(); n < fewGames {
		warn("only %s pairs count: intervals are rough below %s.", n, fewGames)
	}
	if m.truncated > 0 {
		warn("%s of %s games were cut off by the limit of plies and count as draws.", m.truncated, 2*m.played)
	}
	if m.failed > 0 {
		warn("%s of %s games were lost by a program that crashed, was late or played what is illegal: their pairs count for nothing.", m.failed, 2*m.played)
	}
	if m.played > 1 && share(m.distinct, 2*m.played) < 1-mostRepeats {
		warn("of %s games only %s are different ones: intervals are too narrow.", 2*m.played, m.distinct)
	}
	return list
}

// counting writes counts into a sentence.
func counting(format string, counts []int64) string {
	texts := make([]any, len(counts))
	for i, n := range counts {
		texts[i] = dataset.Count(n)
	}
	return fmt.Sprintf(format, texts...)
}

// share is a part of a whole, 1 of none.
func share(part, whole int64) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}
