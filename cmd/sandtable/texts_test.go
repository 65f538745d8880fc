package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
	"github.com/sandtable-farm/sandtable/selfplay/learn"
)

// The tests of this file pin every number and sentence of the reports in text: each
// quantity has a value of its own, so that no two can be exchanged.

func interval(estimate, low, high float64) stats.Interval {
	return stats.Interval{Estimate: estimate, Low: low, High: high, Level: 0.95, N: 10}
}

func outcome3(win, draw, loss int64) dataset.Outcome {
	total := float64(win + draw + loss)
	share := func(n int64, width float64) stats.Interval {
		return interval(float64(n)/total, float64(n)/total-width, float64(n)/total+width)
	}
	return dataset.Outcome{
		Wins: win, Draws: draw, Losses: loss, Win: share(win, 0.01), Draw: share(draw, 0.02), Loss: share(loss, 0.03),
		Score: interval((float64(win)+float64(draw)/2)/total, 0.25, 0.75),
	}
}

func wantText(t *testing.T, write func(io.Writer) error, want string) {
	t.Helper()
	var out strings.Builder
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	want = strings.TrimPrefix(want, "\n")
	got, wanted := strings.Split(out.String(), "\n"), strings.Split(want, "\n")
	for i := range max(len(got), len(wanted)) {
		if i >= len(got) || i >= len(wanted) || got[i] != wanted[i] {
			t.Fatalf("line %d differs; the text is\n%s\nwant\n%s", i+1, out.String(), want)
		}
	}
}

func match() *arena.Report {
	return &arena.Report{
		Dir: "runs/m", Variant: "trench/standard", Digest: "sha256:ab", Agents: [2]string{"greedy", "random"}, Openings: "suite", Starts: 300,
		OpeningPlies: 0, MaxPlies: 2000, Seed: 7, Pairs: 1000, Plies: 45_678, Truncated: 3, DistinctOpenings: 299, DistinctPairs: 990,
		Forfeits: []dataset.ForfeitCount{{Agent: "random", Reason: "crashed", Episodes: 4}, {Agent: "greedy", Reason: "illegal_action", Episodes: 5}},
		All:      outcome3(1200, 200, 600), ToMove: outcome3(700, 90, 210), Waiting: outcome3(500, 110, 390),
		Pentanomial: stats.Pentanomial{11, 22, 33, 44, 55}, Elo: interval(107.5, 90, 125.25), NormalizedElo: interval(88, -1, math.Inf(1)),
		LOS: 0.9875, Inferiority: 0.0125, SideToMove: interval(0.525, 0.5, 0.55), SideToMoveElo: interval(17.4, 0, 34.9),
	}
}

func again(pairs int64) string { return fmt.Sprintf("again %d", pairs) }

func TestTheTextOfAMatch(t *testing.T) {
	m := match()
	m.Test = &arena.TestReport{SPRT: stats.SPRT{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.1}, LLR: 2.99, Lower: -2.25, Upper: 2.89, Verdict: "H1"}
	wantText(t, func(out io.Writer) error { return writeMatch(out, m, agentLabels{"greedy": "mine"}, again) }, `
Too few games to tell which agent is stronger: mine scores 65.0 % (probably 25.0 to 75.0), and 50 %
would be even. About 750 more pairs would show it.

variant         trench/standard (sha256:ab)
match           mine against random, 1,000 pairs with seats swapped
                mine is greedy
openings        the built-in suite of 300, 299 distinct, seed 7
games           2,000, 45,678 plies; 3 truncated after 2000 plies count as draws
forfeits        crashed            4 by random
                illegal_action     5 by mine
                results of mine:
overall         won    60.00 % (59.00 to 61.00)  (1,200)
                drew   10.00 % (8.00 to 12.00)  (200)
                lost   30.00 % (27.00 to 33.00)  (600)
                score  65.00 % (25.00 to 75.00)
side to move    won    70.00 % (69.00 to 71.00)  (700)
                drew    9.00 % (7.00 to 11.00)  (90)
                lost   21.00 % (18.00 to 24.00)  (210)
                score  74.50 % (25.00 to 75.00)
other side      won    50.00 % (49.00 to 51.00)  (500)
                drew   11.00 % (9.00 to 13.00)  (110)
                lost   39.00 % (36.00 to 42.00)  (390)
                score  55.50 % (25.00 to 75.00)
pairs           0 points: 11, ½: 22, 1: 33, 1½: 44, 2: 55
Elo             +107.5 (+90.0 to +125.2)
normalized Elo  +88.0 (-1.0 to +∞)
LOS              98.75 %
side to move    score  52.50 % (50.00 to 55.00), Elo +17.4 (+0.0 to +34.9); the openings were made level, so this is not the worth of moving first
SPRT            H1 accepted: LLR +2.99 between -2.25 and +2.89, normalized Elo 0 against 20, alpha 0.05, beta 0.1
data            runs/m

The 95 % confidence intervals are based on 1,000 independent pairs of games.
10 pairs repeat earlier ones and add no information, so the true intervals are wider.
A match that ended by its test tends to overstate the difference. Rely on the verdict.
`)
	// An undecided test has no verdict to rely on, and a match without repeats no warning.
	undecided := m.Test
	m.Test = nil
	var next strings.Builder
	if err := writeMatch(&next, m, nil, again); err != nil || !strings.HasSuffix(next.String(), "\n\nNext:\n  again 1750\n") {
		t.Errorf("a match with too few games advises (%v)\n%s", err, next.String())
	}
	m.Test = undecided
	m.Test.Verdict, m.DistinctPairs, m.Truncated, m.Openings, m.Starts, m.OpeningPlies = stats.Undecided.String(), m.Pairs, 0, "starts", 12, 6
	var out strings.Builder
	if err := writeMatch(&out, m, nil, again); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"SPRT            " + stats.Undecided.String() + ": LLR", "openings        6 random plies with a level score from 12 given positions, 299 distinct",
		"games           2,000, 45,678 plies\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("lacks %q:\n%s", want, out.String())
		}
	}
	if text := out.String(); strings.Contains(text, "repeat") || strings.Contains(text, "overstate") || strings.Contains(text, "accepted") {
		t.Errorf("it warns of nothing:\n%s", text)
	}
}

func TestTheTextOfATournament(t *testing.T) {
	s := &arena.Standings{
		Variant: "ntxuva/basic", Digest: "sha256:cd", Seed: 9, Games: 2000, SideToMove: interval(12, -3, 27), Draws: interval(0.05, 0.04, 0.06),
		Agents: []arena.Rated{
			{Agent: "greedy", Elo: stats.Interval{Estimate: 50, Low: 40, High: 60, N: 2001}, Wins: 1200, Draws: 200, Losses: 600, Score: interval(0.65, 0.6, 0.7)},
			{Agent: "random", Elo: stats.Interval{Estimate: -50, Low: -80, High: -40, N: 2002}, Wins: 601, Draws: 201, Losses: 1201, Score: interval(0.35, 0.3, 0.4)},
		},
		Matches: []*arena.Report{match()},
	}
	wantText(t, func(out io.Writer) error { return writeStandings(out, s, agentLabels{"random": "dice"}, again) }, `
Ratings of 2 agents in ntxuva/basic
2,000 games; every two agents played 1,000 pairs of games with seats swapped. Openings: the built-in
suite of 300.

- Too few games to tell which agent is stronger: greedy scores 65.0 % (probably 25.0 to 75.0), and
  50 % would be even. About 750 more pairs would show it.

rank  agent   Elo                     score against all         n games
1     greedy  +50.0 (+40.0 to +60.0)  65.00 % (60.00 to 70.00)  2,001
2     dice    -50.0 (-80.0 to -40.0)  35.00 % (30.00 to 40.00)  2,002

What to try next
Play enough pairs to rank neighbours:
  again 1750
Watch a game between the two strongest agents:
  sandtable dataset show runs/m 0 --boards

The mean of the Elo ratings is 0. Brackets show 95 % confidence intervals.
dice is random
forfeits: crashed 4 by dice
forfeits: illegal_action 5 by greedy
10 pairs repeat earlier ones and add no information, so the true intervals are wider.
All numbers: the same command with --full.
`)
	wantText(t, func(out io.Writer) error { return writeFullStandings(out, s, agentLabels{"random": "dice"}) }, `
ntxuva/basic (sha256:cd), openings: the built-in suite of 300, seed 9

rank  agent   Elo                         score                            won     drawn      lost     games
   1  greedy  +50.0 (+40.0 to +60.0)       65.00 % (60.00 to 70.00)      1,200       200       600     2,001
   2  dice    -50.0 (-80.0 to -40.0)       35.00 % (30.00 to 40.00)        601       201     1,201     2,002
      dice is random

side to move          Elo +12.0 (-3.0 to +27.0); the openings were made level, so this is not the worth of moving first
draws between equals    5.00 % (4.00 to 6.00)

forfeits: crashed 4 by dice
forfeits: illegal_action 5 by greedy
greedy against dice: score 65.00 % (25.00 to 75.00) in 1,000 pairs, runs/m

The 95 % confidence intervals are based on 2,000 games. The mean rating is 0.
Prior: each agent has 1 virtual draw with an agent of the middle of the pool, so that no rating is infinite.
10 pairs repeat earlier ones and add no information, so the true intervals are wider.
`)
}

func TestTheTextOfADataSet(t *testing.T) {
	d := &dataDescription{
		Dir: "data", Variant: "trench/standard", Digest: "sha256:ab", Agents: [2]string{"greedy", "random"}, OpeningPlies: 8, Seed: 3,
		OpeningPolicy: dataset.OpeningPolicy{Name: "sampled", Temperature: 0.1, Swing: 360}, Drawn: &selfplay.Drawn{Openings: 57, Refused: 7},
		Planned: 3000, Shards: 2, Bytes: 1_234_567, BytesAPly: 12.34, ContentDigest: "sha256:ef", Dead: 1, Speed: &speed{Plies: 90_000, Seconds: 1.5},
		Summary: dataset.Summary{
			Episodes: 2000, Plies: 100_045, First: outcome3(900, 300, 800), SideToMove: outcome3(1000, 300, 700), Agents: []dataset.AgentRecord{{Agent: "greedy", Outcome: outcome3(1900, 40, 60)}},
			Reasons:     []dataset.ReasonCount{{Reason: "points", Episodes: 1500, Share: interval(0.75, 0.7, 0.8)}, {Reason: "quiet", Episodes: 500, Share: interval(0.25, 0.2, 0.3)}},
			Forfeits:    []dataset.ForfeitCount{{Agent: "random", Reason: "resigned", Episodes: 6}},
			Resignation: &dataset.Resignation{Resigned: 70, PlayedOn: 20, Undecided: 2, Won: 3, Drawn: 1, Error: interval(0.2, 0.1, 0.3)},
			Length:      dataset.Lengths{Mean: interval(50.04, 49, 51), Min: 11, P10: 22, Median: 45, P90: 77, Max: 199}, Distinct: 1970, DecidedEarly: 21,
		},
	}
	wantText(t, func(out io.Writer) error { return d.write(out, true) }, `
Too few games to tell whether moving first matters: the first player scores 52.5 % (probably 25.0 to
75.0), and 50 % would be even. About 1,500 more games would show it.

variant         trench/standard (sha256:ab)
agents          greedy against random, pairs with seats swapped
openings        8 and 9 sampled plies in turn from the start, at temperature 0.1, with a swing of at most 3.6 points, seed 3
                12.3 % of those drawn for the first games were refused  (7 of 57)
games           2,000, 100,045 plies; unfinished, 3,000 planned; 1 job failed (see dataset requeue)
first player    won    45.00 % (44.00 to 46.00)  (900)
                drew   15.00 % (13.00 to 17.00)  (300)
                lost   40.00 % (37.00 to 43.00)  (800)
                score  52.50 % (25.00 to 75.00)
side to move    won    50.00 % (49.00 to 51.00)  (1,000)
                drew   15.00 % (13.00 to 17.00)  (300)
                lost   35.00 % (32.00 to 38.00)  (700)
                score  57.50 % (25.00 to 75.00)
greedy          won    95.00 % (94.00 to 96.00)  (1,900)
                drew    2.00 % (0.00 to 4.00)  (40)
                lost    3.00 % (0.00 to 6.00)  (60)
                score  96.00 % (25.00 to 75.00)
reasons         points              75.00 % (70.00 to 80.00)  (1,500)
                quiet               25.00 % (20.00 to 30.00)  (500)
forfeits        resigned           6 by random
resignation     70 games resigned; in 20 control games that continued past a resignation, the rule was wrong in 20.00 % (10.00 to 30.00)
                won   3, drew 1; 2 were truncated or forfeited
game length     50.0 plies (49.0 to 51.0); median 45, 80 % between 22 and 77, shortest 11, longest 199
distinct games  98.50 %  (1,970 of 2,000)
decided early   1.05 %  (21 games ended within two plies of the agents' taking over)
speed           60,000 plies/s in 1.5 s, including start-up and shutdown
on disk         1.2 MB, 12.3 bytes per ply, 2 shards in data
content         sha256:ef

warning: 1.1 % of the games ended within two plies of the agents' taking over: the opening decided them. Use --openings start, --openings sampled:K, or fewer plies.

warning: 1.5 % of the games repeat others and add no information, so the true intervals are wider. Use --openings sampled:K, more plies, or an agent with noise.

Shares and means have 95 % confidence intervals, based on 1,000 independent pairs of games.

Next:
  sandtable dataset show data 0 --boards
  sandtable dataset verify data
  duckdb -c "select reason, count(*) from 'data/episodes/*.parquet' group by 1"
`)
	d.Agents[1], d.Summary.Agents, d.Planned, d.Dead, d.Summary.Resignation.PlayedOn = d.Agents[0], nil, 0, 0, 0
	var out strings.Builder
	if err := d.write(&out, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"agents          greedy against itself\nopenings        8 and 9 sampled plies", "games           2,000, 100,045 plies; the run has no fixed end\n",
		"resignation     70 games resigned; no control game continued past a resignation, so the error rate of the rule is unknown\n",
		"based on 2,000 independent games.\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("lacks %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "Next:") {
		t.Errorf("there is nothing to try next:\n%s", out.String())
	}
}

func TestTheTextOfATraining(t *testing.T) {
	gate := match()
	gate.Test = &arena.TestReport{LLR: -2.5}
	report := func(iteration int, accepted bool) *learn.Report {
		return &learn.Report{
			Iteration: iteration, Episodes: 4000, Fit: &learn.Fit{Positions: 31_000, HeldOut: learn.HeldOut{Entropy: interval(0.5, 0.4, 0.6), Gain: interval(0.125, 0.1, 0.15)}},
			Weights: "sha256:w", Gate: gate, Accepted: accepted,
		}
	}
	o := &learn.Outcome{
		Dir: "runs/t", Variant: "trench/standard", Digest: "sha256:ab", Best: "alphabeta:eval=sha256:w,nodes=500", Weights: "runs/t/best.json",
		Iterations: []*learn.Report{report(1, true), report(2, false)},
		Curve:      []learn.Point{{Best: interval(0, 0, 0)}, {Best: interval(107.5, 90, 125)}, {Best: interval(108.5, 91, 126)}},
	}
	wantText(t, func(out io.Writer) error { return writeIteration(out, o) }, `
iteration 2: 4,000 games, 31,000 positions; held-out log-loss 0.5000 nats, 0.1250 (0.1000 to 0.1500) below that of always predicting the mean; weights rejected after 1,000 pairs, Elo +107.5 (+90.0 to +125.2), LLR -2.50; best Elo +108.5 (+91.0 to +126.0)
`)
	wantText(t, func(out io.Writer) error { return writeTraining(out, o, "trench/standard") }, `
variant         trench/standard (sha256:ab)
iterations      2; new weights accepted in 1
best            alphabeta:eval=sha256:w,nodes=500
Elo             +108.5 (+91.0 to +126.0) relative to the initial agent, summed over matches that a sequential test ended
weights         runs/t/best.json
curve           runs/t/curve.svg

Next:
  sandtable arena trench/standard alphabeta:eval=runs/t/best.json,nodes=500 greedy
  sandtable farm trench/standard --agent alphabeta:eval=runs/t/best.json,nodes=500
  sandtable analyze trench/standard --agent alphabeta:eval=runs/t/best.json,nodes=500
`)
	o.Iterations[1].Accepted = true
	var out strings.Builder
	if err := writeIteration(&out, o); err != nil || !strings.Contains(out.String(), "; weights accepted after 1,000 pairs") {
		t.Errorf("%v, %s", err, out.String())
	}
	out.Reset()
	o.Iterations[1].Gate = nil
	if err := writeIteration(&out, o); err != nil || !strings.Contains(out.String(), "; weights unchanged; best Elo") {
		t.Errorf("%v, %s", err, out.String())
	}
}

func TestSizesOfFiles(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0.0 kB", 1499: "1.5 kB", 999_999: "1000.0 kB", 1_000_000: "1.0 MB", 999_900_000: "999.9 MB", 1_000_000_000: "1.00 GB"} {
		if got := size(bytes); got != want {
			t.Errorf("%d bytes are %s, want %s", bytes, got, want)
		}
	}
}
