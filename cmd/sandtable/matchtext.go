package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
)

// writeMatch prints the report of a match. again returns its command with another number of
// pairs.
func writeMatch(out io.Writer, r *arena.Report, labels agentLabels, again func(pairs int64) string) error {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-15s %s\n", name, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(&b, "%s\n\n", report.MatchAnswer(labels.name(r.Agents[0]), labels.name(r.Agents[1]), r.All.Score))
	line("variant", "%s (%s)", r.Variant, r.Digest)
	line("match", "%s against %s, %s pairs with seats swapped", labels.name(r.Agents[0]), labels.name(r.Agents[1]), report.Count(r.Pairs))
	for _, text := range labels.legend(r.Agents[:]...) {
		line("", "%s", text)
	}
	line("openings", "%s, %s distinct, seed %d", openingText(r), report.Count(r.DistinctOpenings), r.Seed)
	line("games", "%s, %s plies%s", report.Count(2*r.Pairs), report.Count(r.Plies), cutOff(r))
	writeForfeits(line, r.Forfeits, labels)
	line("", "results of %s:", labels.name(r.Agents[0]))
	writeOutcome(line, "overall", &r.All)
	toMove, waiting := "side to move", "other side"
	if fromStart(r) {
		toMove, waiting = "moving first", "moving second"
	}
	writeOutcome(line, toMove, &r.ToMove)
	writeOutcome(line, waiting, &r.Waiting)
	p := r.Pentanomial
	line("pairs", "0 points: %d, ½: %d, 1: %d, 1½: %d, 2: %d", p[0], p[1], p[2], p[3], p[4])
	line("Elo", "%s", elo(r.Elo))
	line("normalized Elo", "%s", elo(r.NormalizedElo))
	line("LOS", "%s", superiority(r))
	if r.FirstPlayer != nil {
		line("first player", "score %s, Elo %s", percent(*r.FirstPlayer), elo(r.FirstPlayer.Elo()))
	}
	if !fromStart(r) {
		line("side to move", "score %s, Elo %s%s", percent(r.SideToMove), elo(r.SideToMoveElo), levelText(r))
	}
	if t := r.Test; t != nil {
		verdict := t.Verdict
		if verdict != stats.Undecided.String() {
			verdict += " accepted"
		}
		line("SPRT", "%s: LLR %+.2f between %+.2f and %+.2f, normalized Elo %g against %g, alpha %g, beta %g",
			verdict, t.LLR, t.Lower, t.Upper, t.Elo0, t.Elo1, t.Alpha, t.Beta)
	}
	line("data", "%s", r.Dir)
	fmt.Fprintf(&b, "\nThe 95 %% confidence intervals are based on %s independent pairs of games.\n", report.Count(r.Pairs))
	writeRepeats(&b, r.Pairs-r.DistinctPairs)
	writeEarly(&b, 2*r.Pairs, r.DecidedEarly)
	if r.Test != nil && r.Test.Verdict != stats.Undecided.String() {
		b.WriteString("A match that ended by its test tends to overstate the difference. Rely on the verdict.\n")
	}
	if more, ok := report.MorePairs(r.All.Score); ok && r.Test == nil {
		fmt.Fprintf(&b, "\nNext:\n  %s\n", again(r.Pairs+more))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// superiority formats the likelihood of superiority, which is never 0 or 1.
func superiority(r *arena.Report) string {
	const least = 1e-4
	switch {
	case r.Inferiority < least:
		return ">99.99 %"
	case r.LOS < least:
		return "<0.01 %"
	}
	return fmt.Sprintf("%6.2f %%", 100*r.LOS)
}

// fromStart reports whether the agents play a match from the start of the variant.
func fromStart(r *arena.Report) bool { return r.Openings == "start" && r.OpeningPlies == 0 }

// levelText says what the score of the side to move is after openings that were made level.
func levelText(r *arena.Report) string {
	if r.Openings == "suite" {
		return "; the openings were made level, so this is not the worth of moving first"
	}
	return ""
}

// writeEarly warns of games that their openings decided.
func writeEarly(b *strings.Builder, games, early int64) {
	for _, doubt := range report.GameDoubts(games, games, early, nil) {
		b.WriteString("warning: " + doubt + "\n")
	}
}

// writeRepeats warns of pairs that repeat earlier ones.
func writeRepeats(b *strings.Builder, pairs int64) {
	if pairs > 0 {
		fmt.Fprintf(b, "%s pairs repeat earlier ones and add no information, so the true intervals are wider.\n", report.Count(pairs))
	}
}

// openingText describes the openings of a match.
func openingText(r *arena.Report) string {
	from := report.Starts(r.Starts)
	if r.Openings == "suite" {
		from = fmt.Sprintf("the built-in suite of %s", report.Count(int64(r.Starts)))
	}
	return report.Opening(r.OpeningPlies, r.OpeningPolicy, true, from)
}

func cutOff(r *arena.Report) string {
	if r.Truncated == 0 {
		return ""
	}
	return fmt.Sprintf("; %s truncated after %d plies count as draws", report.Count(r.Truncated), r.MaxPlies)
}
