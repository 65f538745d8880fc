package report_test

import (
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func TestNumbersAreWrittenForPeople(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", -999: "-999", -1000: "-1,000", 1234567: "1,234,567", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := report.Count(n); got != want {
			t.Errorf("%d is written %q, must be %q", n, got, want)
		}
	}
	for _, c := range []struct {
		format, want string
		x            float64
	}{
		{"%.1f", "−0.1", -0.06}, {"%.1f", "0.0", -0.04}, {"%+.1f", "0.0", 0.04}, {"%+.1f", "+0.1", 0.06}, {"%+.0f", "−2", -2}, {"%.1g", "−1e-05", -1e-5}, {"%.0f", "0", 0}, {"%.0f", "−10", -10},
	} {
		if got := report.Decimal(c.format, c.x); got != c.want {
			t.Errorf("%v is written %q by %s, must be %q", c.x, got, c.format, c.want)
		}
	}
	if got, want := report.Share(stats.Interval{Estimate: .4712, Low: .376, High: .568, N: 20_000}), "47.1 % (37.6 to 56.8, n = 20,000)"; got != want {
		t.Errorf("a share is written %q, must be %q", got, want)
	}
}
