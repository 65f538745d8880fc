package arena_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
	"github.com/sandtable-farm/sandtable/selfplay/record"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

// decided ends games with the given results of the first agent, in order of number.
func decided(results ...int) func(*dataset.Episode) {
	return func(ep *dataset.Episode) {
		seat := env.Player(ep.Number % 2)
		ep.Terminated, ep.Truncated, ep.Reason = true, false, env.Points
		switch results[ep.Number] {
		case 1:
			ep.Result = env.WinFor(seat)
		case -1:
			ep.Result = env.WinFor(seat.Opponent())
		default:
			ep.Result = 0
		}
	}
}

// wantInterval checks an interval to the fourth decimal.
func wantInterval(t *testing.T, what string, got stats.Interval, n int64, estimate, low, high float64) {
	t.Helper()
	close := func(a, b float64) bool { return math.Abs(a-b) <= 0.00005*max(1, math.Abs(b)) }
	if got.N != n || got.Level != 0.95 || !close(got.Estimate, estimate) || !close(got.Low, low) || !close(got.High, high) {
		t.Errorf("%s is %.4f (%.4f to %.4f) at %v of %d, must be %.4f (%.4f to %.4f) at 0.95 of %d",
			what, got.Estimate, got.Low, got.High, got.Level, got.N, estimate, low, high, n)
	}
}

// Five pairs, by the first agent's results moving first and second:
//
//	pair    first  second  points  score of the first movers
//	0       won    lost    1       1 + 1
//	1       won    drawn   1½      1 + ½
//	2       drawn  won     1½      ½ + 0
//	3       lost   lost    0       0 + 1
//	4       won    drawn   1½      1 + ½
//	in all  3½     2       5½      6½
//
// Intervals of single games are Wilson's: for 3 of 5, (0.6 + z²/10 ± z·√(0.24/5 + z²/100)) / (1 + z²/5)
// with z = 1.95996. Those of clusters put the effective number of games
// p(1−p)/variance and Student's quantile of 4 degrees, 2.77645, in their place: the
// variance of the score is 5/4 · Σ(points − 1.1)² / 10² = 0.02125, its effective number 11.65.
func TestTheNumbersOfAReportAreThoseWorkedOutByHand(t *testing.T) {
	m := match(t, "trench/standard", "greedy", "random", 5)
	m.Plan = selfplaytest.Changed(t, m.Plan, func(c *selfplay.Config) { c.MaxPlies, c.Seed = 400, 7 })
	m.Test = &stats.SPRT{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.1}
	result := decided(1, -1, 1, 0, 0, 1, -1, -1, 1, 0)
	plies := int64(0)
	m = forged(t, m, func(ep *dataset.Episode) {
		result(ep)
		if ep.Number == 9 {
			ep.Terminated, ep.Truncated, ep.Reason = false, true, env.NoReason
		}
		plies += int64(ep.Plies())
	})
	r := play(t, m)
	config := m.Plan.Config()
	if r.Dir != m.Dir || r.Variant != "trench/standard" || r.Digest != config.Variant.Digest || r.Agents != [2]string{"greedy", "random"} || len(r.Run) != 16 ||
		r.Openings != "start" || r.OpeningPlies != 8 || r.Starts != 0 || r.MaxPlies != 400 || r.Seed != 7 {
		t.Errorf("report is of %+v", r)
	}
	if r.Pairs != 5 || r.Plies != plies || r.Truncated != 1 || r.DistinctOpenings != 5 || r.DistinctPairs != 5 || len(r.Forfeits) != 0 {
		t.Errorf("%d pairs, %d plies of %d, %d cut off, %d openings, %d distinct, forfeits %v", r.Pairs, r.Plies, plies, r.Truncated, r.DistinctOpenings, r.DistinctPairs, r.Forfeits)
	}
	for _, o := range []struct {
		what                string
		got                 dataset.Outcome
		games               int64
		wins, draws, losses int64
		shares              [4][3]float64 // won, drawn, lost, score
	}{
		{"all", r.All, 10, 4, 3, 3, [4][3]float64{{.4, .1815, .6671}, {.3, .0889, .6532}, {.3, .0460, .7919}, {.55, .2155, .8447}}},
		{"side to move", r.ToMove, 5, 3, 1, 1, [4][3]float64{{.6, .2307, .8824}, {.2, .0362, .6245}, {.2, .0362, .6245}, {.7, .2081, .9540}}},
		{"other side", r.Waiting, 5, 1, 2, 2, [4][3]float64{{.2, .0362, .6245}, {.4, .1176, .7693}, {.4, .1176, .7693}, {.4, .0926, .8132}}},
	} {
		if o.got.Wins != o.wins || o.got.Draws != o.draws || o.got.Losses != o.losses {
			t.Errorf("%s: won %d, drawn %d, lost %d; must be %d, %d, %d", o.what, o.got.Wins, o.got.Draws, o.got.Losses, o.wins, o.draws, o.losses)
		}
		for i, got := range []stats.Interval{o.got.Win, o.got.Draw, o.got.Loss, o.got.Score} {
			want := o.shares[i]
			wantInterval(t, o.what+", "+[]string{"won", "drawn", "lost", "score"}[i], got, o.games, want[0], want[1], want[2])
		}
	}
	if want := (stats.Pentanomial{1, 0, 1, 3, 0}); r.Pentanomial != want {
		t.Errorf("pairs by points are %v, must be %v", r.Pentanomial, want)
	}
	// Rows are lost, drawn, won moving first; columns the same moving second.
	if want := (stats.PairTable{{1, 0, 0}, {0, 0, 1}, {1, 2, 0}}); r.PairResults != want {
		t.Errorf("pairs by results are %v, must be %v", r.PairResults, want)
	}
	// 400·lg(s/(1−s)) of the score and its interval.
	wantInterval(t, "Elo", r.Elo, 10, 34.8601, -224.461, 294.181)
	wantInterval(t, "score of the side to move", r.SideToMove, 10, .65, .3076, .8859)
	wantInterval(t, "advantage of the side to move", r.SideToMoveElo, 10, 107.538, -140.979, 356.055)
	// 800/ln 10 · 0.05 / √(2 · 0.085), the variance of a pair's mean score.
	if math.Abs(r.NormalizedElo.Estimate-42.1328) > 1e-4 || !(r.NormalizedElo.Low < 0 && r.NormalizedElo.High > 100) || r.NormalizedElo.Level != 0.95 {
		t.Errorf("normalized Elo is %+v", r.NormalizedElo)
	}
	// Φ(0.05 / √(0.085/5)).
	if math.Abs(r.LOS-0.64932) > 1e-5 {
		t.Errorf("likelihood of superiority is %v", r.LOS)
	}
	// Wald's bounds are ln(β/(1−α)) and ln((1−β)/α); at 42 Elo H1, 100, is the nearer one, by little.
	if s := r.Test; s.SPRT != *m.Test || math.Abs(s.Lower - -2.25129) > 1e-5 || math.Abs(s.Upper-2.89037) > 1e-5 || !(s.LLR > -1 && s.LLR < 1) || s.LLR != m.Test.LLR(&r.Pentanomial) || s.Verdict != "undecided" {
		t.Errorf("the test is %+v", s)
	}
}

func TestAReportSaysWhereItsPairsBegin(t *testing.T) {
	suite := func(variant string) []string {
		return openings.Of(match(t, variant, "random", "greedy", 1).Plan.Config().Variant, 1).Starts
	}
	for _, c := range []struct {
		variant string
		opening selfplay.Opening
		want    string
		starts  int
	}{
		{"trench/standard", selfplay.Opening{Plies: 4}, "start", 0},
		{"trench/standard", selfplay.Opening{Starts: suite("trench/standard")}, "suite", 300},
		{"trench/standard", selfplay.Opening{Starts: suite("trench/standard")[1:]}, "starts", 299},
		{"ntxuva/4", selfplay.Opening{Plies: 4}, "start", 0}, // has no suite
		{"ntxuva/4", selfplay.Opening{Starts: []string{"5,1,2,4,1,0,1,2 1,1,4,4,0,1,0,5 s 4 4"}}, "starts", 1},
	} {
		m := match(t, c.variant, "random", "greedy", 1)
		m.Plan = selfplaytest.Changed(t, m.Plan, func(g *selfplay.Config) { g.Opening = c.opening })
		if r := play(t, m); r.Openings != c.want || r.Starts != c.starts || r.OpeningPlies != c.opening.Plies {
			t.Errorf("%s with %d starts begins at %q of %d after %d plies, must be %q", c.variant, len(c.opening.Starts), r.Openings, r.Starts, r.OpeningPlies, c.want)
		}
	}
}

// Of three agents, in the order of their strings: greedy wins both games against
// mcts, random wins three points of four against each of the others.
func TestStandingsAreSortedByRating(t *testing.T) {
	tour := tournament(t, 2, "greedy", "mcts:sims=2", "random")
	m := match(t, "ntxuva/basic", "random", "greedy", 2)
	for i, results := range [][]int{{1, 1, 1, 0}, {-1, 0, -1, 0}, {-1, 0, 0, -1}} {
		pair := [][2]int{{0, 1}, {0, 2}, {1, 2}}[i]
		m.Plan = selfplaytest.Changed(t, m.Plan, func(c *selfplay.Config) { c.Agents[0], c.Agents[1] = tour.Agents[pair[0]], tour.Agents[pair[1]] })
		m.Dir = tour.Dir(new(record.Settings(m.Plan)))
		forged(t, m, decided(results...))
	}
	slices.Reverse(tour.Agents)
	s, err := tour.Play(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	config := m.Plan.Config()
	if s.Variant != "ntxuva/basic" || s.Digest != config.Variant.Digest || s.Seed != 1 || s.Games != 12 || len(s.Matches) != 3 {
		t.Errorf("standings are of %+v", s)
	}
	if s.SideToMove.N != 12 || s.SideToMove.Low >= s.SideToMove.Estimate || s.Draws.N != 12 || s.Draws.Estimate < .2 || s.Draws.Estimate > .9 {
		t.Errorf("advantage of the side to move %+v, draws between equals %+v", s.SideToMove, s.Draws)
	}
	for i, want := range []arena.Rated{
		{Agent: "random", Wins: 4, Draws: 4, Losses: 0},
		{Agent: "greedy", Wins: 3, Draws: 3, Losses: 2},
		{Agent: tour.Agents[1].String(), Wins: 0, Draws: 3, Losses: 5},
	} {
		got := s.Agents[i]
		score := (float64(want.Wins) + float64(want.Draws)/2) / 8
		if got.Agent != want.Agent || got.Wins != want.Wins || got.Draws != want.Draws || got.Losses != want.Losses || got.Score.Estimate != score || got.Score.N != 8 || got.Elo.N != 8 {
			t.Errorf("place %d: %+v, must be %+v with a score of %v", i+1, got, want, score)
		}
		if i > 0 && got.Elo.Estimate >= s.Agents[i-1].Elo.Estimate {
			t.Errorf("place %d has %v Elo, the place before it %v", i+1, got.Elo.Estimate, s.Agents[i-1].Elo.Estimate)
		}
	}
	if sum := s.Agents[0].Elo.Estimate + s.Agents[1].Elo.Estimate + s.Agents[2].Elo.Estimate; math.Abs(sum) > 1e-6 {
		t.Errorf("ratings have the sum %v", sum)
	}
	for i, want := range [][2]string{{"greedy", tour.Agents[1].String()}, {"greedy", "random"}, {tour.Agents[1].String(), "random"}} {
		if s.Matches[i].Agents != want {
			t.Errorf("match %d is between %v, must be %v", i+1, s.Matches[i].Agents, want)
		}
	}
}
