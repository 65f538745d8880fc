package compare

import (
	"fmt"
	"math"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// number writes a number to three figures or so.
func number(x float64) string {
	switch a := math.Abs(x); {
	case math.IsInf(a, 1):
		return "no bound"
	case a >= 100:
		return dataset.Decimal("%.0f", x)
	case a >= 10:
		return dataset.Decimal("%.1f", x)
	case a >= 1:
		return dataset.Decimal("%.2f", x)
	}
	return dataset.Decimal("%.3f", x)
}

// numbered writes an estimate with its interval.
func numbered(i stats.Interval) string {
	if math.IsInf(i.Low, -1) && math.IsInf(i.High, 1) {
		return fmt.Sprintf("%s (no bounds, n = %s)", number(i.Estimate), dataset.Count(i.N))
	}
	return fmt.Sprintf("%s (%s to %s, n = %s)", number(i.Estimate), number(i.Low), number(i.High), dataset.Count(i.N))
}

// signed is numbered for a difference.
func signed(i stats.Interval) string {
	sign := ""
	if i.Estimate > 0 {
		sign = "+"
	}
	return sign + numbered(i)
}
