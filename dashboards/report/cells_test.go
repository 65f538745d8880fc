package report

import (
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Every form of a number in a table, worked out by hand.
func TestCellsShowTheirNumbers(t *testing.T) {
	of := func(estimate, low, high float64) stats.Interval {
		return stats.Interval{Estimate: estimate, Low: low, High: high, N: 12}
	}
	inf, none := math.Inf(1), stats.Interval{Estimate: .5, High: 1}
	for _, c := range []struct{ got, want string }{
		{shareCell(of(.4712, .376, .568)), "47.1 % (37.6 to 56.8)"},
		{shareCell(of(1, .98237, 1)), "100.0 % (98.2 to 100.0)"},
		{shareCell(none), "-"},
		{scoreCell(of(.5, .4, .6), 10, 9), "50.0 % (40.0 to 60.0)"},
		{scoreCell(of(.5, .4, .6), 10, 10), "all drawn"},
		{scoreCell(none, 0, 0), "-"},
		{reasonName("all_home", false), "all home"},
		{reasonName("no_progress", true), "no progress (house rule)"},
		{numberCell(of(1.234, -.5, 2)), "1.23 (−0.50 to 2.00)"},
		{numberCell(of(123.4, 99.96, 1234)), "123 (100.0 to 1234)"},
		{numberCell(of(.05, .0004, inf)), "0.050 (at least 0.0004)"},
		{numberCell(of(2, -inf, 3)), "2.00 (at most 3.00)"},
		{numberCell(of(2, -inf, inf)), "2.00 (no bounds)"},
		{numberCell(of(inf, 5, inf)), "∞ (at least 5.00)"},
		{numberCell(of(-inf, -inf, -5)), "−∞ (at most −5.00)"},
		{numberCell(none), "-"},
		{rateCell(of(.5, .25, .75)), "0.50 (0.25 to 0.75)"},
		{rateCell(of(0, 0, .3)), "none seen (at most 0.30)"},
		{rateCell(of(0, 0, inf)), "none seen"},
		{rateCell(none), "-"},
		{plyCell(of(17, 12, 30)), "17 (12 to 30)"},
		{plyCell(of(17, 12, inf)), "17 (at least 12)"},
		{plyCell(of(inf, 40, inf)), "never (at least 40)"},
		{plyCell(none), "-"},
		{pointsCell(of(.1, -.05, .25)), "+10.0 (−5.0 to +25.0)"},
		{differenceCell(of(-1.5, -2, 1)), "−1.50 (−2.00 to +1.00)"},
		{pointsCell(none), "-"},
		{pointsCell(of(inf, 1, inf)), "+∞ (at least +100.0)"},
		{eloCell(of(12.6, -3.4, 28.5)), "+13 (−3 to +28)"},
		{eloCell(of(-12.6, -inf, 28.5)), "−13 (at most +28)"},
		{figure(0), "0.00"}, {figure(.1), "0.10"}, {figure(.0999), "0.100"}, {figure(.001), "0.001"}, {figure(.00099), "0.001"}, {figure(.00012), "0.0001"},
		{figure(9.999), "10.00"}, {figure(10), "10.0"}, {figure(99.94), "99.9"}, {figure(100), "100"}, {figure(-10), "−10.0"},
		{probability(.00009), "below 0.0001"}, {probability(.0001), "0.0001"}, {probability(.04999), "0.0500"}, {probability(1), "1.0000"},
		{number(1, "game"), "1 game"}, {number(0, "game"), "0 games"}, {number(1200, "pair"), "1,200 pairs"},
		{capital("the end"), "The end"},
		{firstCapture(of(5, 4, 7)), "The median ply of the first capture is 5 (4 to 7) after the opening, n = 12 games."},
		{firstCapture(of(inf, 9, inf)), "The first capture has no median ply, because fewer than half of the games have a capture, n = 12 games."},
	} {
		if c.got != c.want {
			t.Errorf("a cell shows %q, want %q", c.got, c.want)
		}
	}
}
