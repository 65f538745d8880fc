package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// write prints the summary of a data set. If next is set, it adds commands to try next.
func (d *dataDescription) write(out io.Writer, next bool) error {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-15s %s\n", name, fmt.Sprintf(format, args...))
	}
	s := &d.Summary

	who := agent.Short(d.Agents[0]) + " against itself"
	if d.Agents[0] != d.Agents[1] {
		who = fmt.Sprintf("%s against %s, pairs with seats swapped", agent.Short(d.Agents[0]), agent.Short(d.Agents[1]))
	}
	settings := dataset.Settings{OpeningPlies: d.OpeningPlies, OpeningPolicy: d.OpeningPolicy, Starts: make([]string, d.Starts)}
	answer := report.SeatAnswer(s.First.Score, s.SideToMove.Score, settings.MeasuresFirstMove())
	if len(s.Agents) == 2 {
		answer = report.MatchAnswer(agent.Short(s.Agents[0].Agent), agent.Short(s.Agents[1].Agent), s.Agents[0].Outcome.Score)
	}
	fmt.Fprintf(&b, "%s\n\n", answer)
	line("variant", "%s (%s)", d.Variant, d.Digest)
	line("agents", "%s", who)
	line("openings", "%s, seed %d", report.Opening(d.OpeningPlies, d.OpeningPolicy, d.OpeningBalanced, report.Starts(d.Starts)), d.Seed)
	if d.Drawn != nil {
		line("", "%.1f %% of those drawn for the first games were refused  (%s of %s)", 100*d.Drawn.Share(), report.Count(d.Drawn.Refused), report.Count(d.Drawn.Openings))
	}
	line("games", "%s, %s plies%s", report.Count(s.Episodes), report.Count(s.Plies), d.state())
	if settings.MeasuresFirstMove() {
		writeOutcome(line, "first player", &s.First)
	}
	if !settings.FromStart() {
		writeOutcome(line, "side to move", &s.SideToMove)
	}
	for i := range s.Agents {
		writeOutcome(line, agent.Short(s.Agents[i].Agent), &s.Agents[i].Outcome)
	}
	for i, r := range s.Reasons {
		name := ""
		if i == 0 {
			name = "reasons"
		}
		line(name, "%-18s %s  (%s)", r.Reason, percent(r.Share), report.Count(r.Episodes))
	}
	writeForfeits(line, s.Forfeits, nil)
	writeResignation(line, s.Resignation)
	l := &s.Length
	line("game length", "%.1f plies (%.1f to %.1f); median %d, 80 %% between %d and %d, shortest %d, longest %d",
		l.Mean.Estimate, l.Mean.Low, l.Mean.High, l.Median, l.P10, l.P90, l.Min, l.Max)
	writeWorkers(line, s)
	line("distinct games", "%s", distinctText(s))
	line("decided early", "%.2f %%  (%s games ended within two plies of the agents' taking over)", 100*s.EarlyShare(), report.Count(s.DecidedEarly))
	if d.Speed != nil {
		line("speed", "%s plies/s in %.1f s, including start-up and shutdown", report.Count(int64(float64(d.Speed.Plies)/d.Speed.Seconds)), d.Speed.Seconds)
	}
	line("on disk", "%s, %.1f bytes per ply, %s in %s", size(d.Bytes), d.BytesAPly, plural(d.Shards, "shard"), d.Dir)
	if d.ContentDigest != "" {
		line("content", "%s", d.ContentDigest)
	}
	for _, doubt := range report.GameDoubts(s.Episodes, s.Distinct, s.DecidedEarly, s.ByOpening) {
		fmt.Fprintf(&b, "\nwarning: %s\n", doubt)
	}
	fmt.Fprintf(&b, "\nShares and means have 95 %% confidence intervals, based on %s independent %s.\n", report.Count(units(s)), unitName(s))
	if next {
		fmt.Fprintf(&b, "\nNext:\n  sandtable dataset show %s 0 --boards\n  sandtable dataset verify %s\n  duckdb -c \"select reason, count(*) from '%s/episodes/*.parquet' group by 1\"\n",
			d.Dir, d.Dir, d.Dir)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// state describes what is missing from the run.
func (d *dataDescription) state() string {
	text := ""
	switch {
	case d.Planned == 0:
		text = "; the run has no fixed end"
	case !d.Complete:
		text = fmt.Sprintf("; unfinished, %s planned", report.Count(d.Planned))
	}
	if d.Dead > 0 {
		text += fmt.Sprintf("; %s failed (see dataset requeue)", plural(d.Dead, "job"))
	}
	return text
}

func writeOutcome(line func(name, format string, args ...any), name string, o *dataset.Outcome) {
	line(name, "won   %s  (%s)", percent(o.Win), report.Count(o.Wins))
	line("", "drew  %s  (%s)", percent(o.Draw), report.Count(o.Draws))
	line("", "lost  %s  (%s)", percent(o.Loss), report.Count(o.Losses))
	line("", "score %s", percent(o.Score))
}

// writeResignation prints the results of a resignation rule; r is nil if it never applied.
func writeResignation(line func(name, format string, args ...any), r *dataset.Resignation) {
	switch {
	case r == nil:
	case r.PlayedOn == 0:
		line("resignation", "%s games resigned; no control game continued past a resignation, so the error rate of the rule is unknown", report.Count(r.Resigned))
	default:
		line("resignation", "%s games resigned; in %s control games that continued past a resignation, the rule was wrong in %s", report.Count(r.Resigned), report.Count(r.PlayedOn), strings.TrimSpace(percent(r.Error)))
		line("", "won   %s, drew %s; %s were truncated or forfeited", report.Count(r.Won), report.Count(r.Drawn), report.Count(r.Undecided))
	}
}

// writeForfeits prints the numbers of forfeited games.
func writeForfeits(line func(name, format string, args ...any), forfeits []dataset.ForfeitCount, labels agentLabels) {
	for i, f := range forfeits {
		name := ""
		if i == 0 {
			name = "forfeits"
		}
		line(name, "%-18s %s by %s", f.Reason, report.Count(f.Episodes), labels.name(f.Agent))
	}
}

// distinctText describes the number of distinct games, which may be an estimate.
func distinctText(s *dataset.Summary) string {
	if s.DistinctError == 0 {
		return fmt.Sprintf("%.2f %%  (%s of %s)", 100*s.DistinctShare(), report.Count(s.Distinct), report.Count(s.Episodes))
	}
	return fmt.Sprintf("about %.0f %%  (about %s distinct games ±%.0f %%, of %s)",
		100*s.DistinctShare(), report.Count(s.Distinct), 100*s.DistinctError, report.Count(s.Episodes))
}

// writeWorkers prints the numbers of games of the workers that the data name.
func writeWorkers(line func(name, format string, args ...any), s *dataset.Summary) {
	unknown := s.Episodes
	for i, w := range s.Workers {
		name := ""
		if i == 0 {
			name = "workers"
		}
		line(name, "%-18s %s games", w.Worker, report.Count(w.Episodes))
		unknown -= w.Episodes
	}
	if len(s.Workers) > 0 && unknown > 0 {
		line("", "%-18s %s games", "unknown", report.Count(unknown))
	}
}

// units returns the number of independent games or pairs behind the intervals.
func units(s *dataset.Summary) int64 {
	if len(s.Agents) > 0 {
		return s.Episodes / 2
	}
	return s.Episodes
}

func unitName(s *dataset.Summary) string {
	if len(s.Agents) > 0 {
		return "pairs of games"
	}
	return "games"
}
