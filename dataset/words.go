package dataset

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Count writes a number with commas between its thousands.
func Count(n int64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Decimal writes a number by a format such as %.1f or %+.1f, with a minus sign where it is
// negative and no sign where what is written is nothing.
func Decimal(format string, x float64) string {
	text := fmt.Sprintf(format, x)
	if strings.Trim(text, "+-0.") == "" {
		return strings.TrimLeft(text, "+-")
	}
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		return "−" + rest
	}
	return text
}

// Share writes a share with its interval, in per cent, and what it rests on.
func Share(i stats.Interval) string {
	return fmt.Sprintf("%.1f %% (%.1f to %.1f, n = %s)", 100*i.Estimate, 100*i.Low, 100*i.High, Count(i.N))
}
