package report_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func TestAnswersOfMatchesAndDataSets(t *testing.T) {
	score := func(estimate, low, high float64) stats.Interval {
		return stats.Interval{Estimate: estimate, Low: low, High: high, Level: .95, N: 1000}
	}
	for _, c := range []struct{ got, want string }{
		{report.MatchAnswer("mine", "greedy", score(.6, .57, .63)), "mine is stronger than greedy: mine scores 60.0 % (probably 57.0 to 63.0), and 50 % would be even."},
		{report.MatchAnswer("mine", "greedy", score(.4, .37, .43)), "greedy is stronger than mine: mine scores 40.0 % (probably 37.0 to 43.0), and 50 % would be even."},
		// The variance of a game is (0.03/1.96)²·1000 = 0.234, and 0.234·((1.96 + 0.8416)/0.03)²
		// is 2,044 games, 1,044 more; as many again as were played are advised at least.
		{report.MatchAnswer("mine", "greedy", score(.51, .48, .54)), "Too few games to tell which agent is stronger: mine scores 51.0 % (probably 48.0 to 54.0), and 50 %\nwould be even. About 550 more pairs would show it."},
		{report.MatchAnswer("mine", "greedy", stats.Interval{}), "No pair of games was played."},
		{report.SeatAnswer(score(.56, .53, .59), score(.7, .6, .8), true), "Moving first is worth 6.0 points of 100: the first player scores 56.0 % (probably 53.0 to 59.0), and\n50 % would be even."},
		{report.SeatAnswer(score(.44, .41, .47), score(.7, .6, .8), true), "Moving first costs 6.0 points of 100: the first player scores 44.0 % (probably 41.0 to 47.0), and\n50 % would be even."},
		{report.SeatAnswer(score(.51, .5, .52), score(.7, .6, .8), true), "The game is even, as far as 1,000 games show: the first player scores 51.0 % (probably 50.0 to\n52.0), and 50 % would be even."},
		{report.SeatAnswer(score(.56, .53, .59), score(.7, .6, .8), false), "After the opening the side to move scores 70.0 % (probably 60.0 to 80.0). This is not the worth of\nmoving first: it is that of being to move in these positions."},
		{report.SeatAnswer(stats.Interval{}, stats.Interval{}, true), "No game has a result."},
	} {
		if c.got != c.want {
			t.Errorf("the answer is\n%s\nwant\n%s", c.got, c.want)
		}
	}
}
