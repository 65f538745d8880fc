package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
)

// mostNeighbours is the greatest number of neighbours in a ranking that the first screen
// compares.
const mostNeighbours = 4

// writeStandings prints the first screen of a tournament. again returns its command with
// another number of pairs.
func writeStandings(out io.Writer, s *arena.Standings, labels agentLabels, again func(pairs int64) string) error {
	page := report.Page{Title: fmt.Sprintf("Ratings of %d agents in %s", len(s.Agents), s.Variant)}
	f := &page.First
	f.About = append(f.About, fmt.Sprintf("%s games; every two agents played %s pairs of games with seats swapped. Openings: %s.",
		report.Count(s.Games), report.Count(s.Matches[0].Pairs), openingText(s.Matches[0])))
	most := int64(0)
	for i := 1; i < len(s.Agents); i++ {
		score, pairs := against(s, s.Agents[i-1].Agent, s.Agents[i].Agent)
		more, open := report.MorePairs(score)
		if open {
			most = max(most, pairs+more)
		}
		switch {
		case i <= mostNeighbours:
			f.Answers = append(f.Answers, strings.ReplaceAll(report.MatchAnswer(labels.name(s.Agents[i-1].Agent), labels.name(s.Agents[i].Agent), score), "\n", " "))
		case i == mostNeighbours+1:
			f.Answers = append(f.Answers, fmt.Sprintf("%d more agents are weaker: see the table.", len(s.Agents)-i))
		}
	}
	f.Table.Columns = []string{"rank", "agent", "Elo", "score against all", "n games"}
	for i := range s.Agents {
		a := &s.Agents[i]
		f.Table.Rows = append(f.Table.Rows, []string{fmt.Sprint(i + 1), labels.name(a.Agent), strings.TrimSpace(elo(a.Elo)), strings.TrimSpace(percent(a.Score)), report.Count(a.Elo.N)})
	}
	if most > 0 {
		f.Next = append(f.Next, report.Step{Why: "Play enough pairs to rank neighbours", Command: again(most)})
	}
	f.Next = append(f.Next, report.Step{Why: "Watch a game between the two strongest agents", Command: "sandtable dataset show " + shellWord(matchOf(s, s.Agents[0].Agent, s.Agents[1].Agent).Dir) + " 0 --boards"})
	if err := page.Text(out); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("\nThe mean of the Elo ratings is 0. Brackets show 95 % confidence intervals.\n")
	writeLegends(&b, s, labels, "")
	for _, m := range s.Matches {
		writeGivenUp(&b, m, labels)
	}
	writeTournamentDoubts(&b, s)
	b.WriteString("All numbers: the same command with --full.\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// matchOf returns the match of two agents.
func matchOf(s *arena.Standings, a, b string) *arena.Report {
	for _, m := range s.Matches {
		if m.Agents == [2]string{a, b} || m.Agents == [2]string{b, a} {
			return m
		}
	}
	return s.Matches[0] // a tournament has a match of every two agents
}

// against returns the score of an agent against another, and their number of pairs.
func against(s *arena.Standings, a, b string) (score stats.Interval, pairs int64) {
	m := matchOf(s, a, b)
	score = m.All.Score
	if m.Agents[0] == b {
		score.Estimate, score.Low, score.High = 1-score.Estimate, 1-score.High, 1-score.Low
	}
	return score, m.Pairs
}

// writeTournamentDoubts warns of repeated games and of games that their openings decided.
func writeTournamentDoubts(b *strings.Builder, s *arena.Standings) {
	repeats, early := int64(0), int64(0)
	for _, m := range s.Matches {
		repeats += m.Pairs - m.DistinctPairs
		early += m.DecidedEarly
	}
	writeRepeats(b, repeats)
	writeEarly(b, s.Games, early)
}

// writeLegends prints what the labels of the agents stand for.
func writeLegends(b *strings.Builder, s *arena.Standings, labels agentLabels, indent string) {
	for i := range s.Agents {
		for _, text := range labels.legend(s.Agents[i].Agent) {
			fmt.Fprintf(b, "%s%s\n", indent, text)
		}
	}
}

// writeGivenUp prints which agents gave up games of a match, and why.
func writeGivenUp(b *strings.Builder, m *arena.Report, labels agentLabels) {
	for _, f := range m.Forfeits {
		fmt.Fprintf(b, "forfeits: %s %s by %s\n", f.Reason, report.Count(f.Episodes), labels.name(f.Agent))
	}
}

// writeFullStandings prints all numbers of a tournament.
func writeFullStandings(out io.Writer, s *arena.Standings, labels agentLabels) error {
	var b strings.Builder
	width := len("agent")
	for i := range s.Agents {
		width = max(width, utf8.RuneCountInString(labels.name(s.Agents[i].Agent)))
	}
	fmt.Fprintf(&b, "%s (%s), openings: %s, seed %d\n\n", s.Variant, s.Digest, openingText(s.Matches[0]), s.Seed)
	row := func(rank, agent, elo, score, won, drawn, lost, games string) {
		fmt.Fprintf(&b, "%4s  %-*s  %-26s  %-26s  %8s  %8s  %8s  %8s\n", rank, width, agent, elo, score, won, drawn, lost, games)
	}
	row("rank", "agent", "Elo", "score", "won", "drawn", "lost", "games")
	for i := range s.Agents {
		a := &s.Agents[i]
		row(fmt.Sprint(i+1), labels.name(a.Agent), elo(a.Elo), percent(a.Score), report.Count(a.Wins), report.Count(a.Draws), report.Count(a.Losses), report.Count(a.Elo.N))
	}
	writeLegends(&b, s, labels, "      ")
	seat := "side to move"
	if fromStart(s.Matches[0]) {
		seat = "first player"
	}
	fmt.Fprintf(&b, "\n%s          Elo %s%s\ndraws between equals  %s\n\n", seat, elo(s.SideToMove), levelText(s.Matches[0]), percent(s.Draws))
	for _, m := range s.Matches {
		writeGivenUp(&b, m, labels)
		fmt.Fprintf(&b, "%s against %s: score %s in %s pairs, %s\n", labels.name(m.Agents[0]), labels.name(m.Agents[1]),
			strings.TrimSpace(percent(m.All.Score)), report.Count(m.Pairs), m.Dir)
	}
	fmt.Fprintf(&b, "\nThe 95 %% confidence intervals are based on %s games. The mean rating is 0.\n", report.Count(s.Games))
	fmt.Fprintf(&b, "Prior: each agent has %d virtual draw with an agent of the middle of the pool, so that no rating is infinite.\n", stats.RatingPrior)
	writeTournamentDoubts(&b, s)
	_, err := io.WriteString(out, b.String())
	return err
}
