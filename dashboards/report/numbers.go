package report

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Count formats an integer with commas between thousands: 1234567 is "1,234,567".
func Count(n int64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Decimal formats a number with a verb such as %.1f or %+.1f. It writes negative numbers
// with a minus sign (U+2212), and a number that rounds to zero without a sign.
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

// Share formats a share with its interval, in per cent, and the number of observations:
// "47.1 % (37.6 to 56.8, n = 20,000)".
func Share(i stats.Interval) string {
	return fmt.Sprintf("%.1f %% (%.1f to %.1f, n = %s)", 100*i.Estimate, 100*i.Low, 100*i.High, Count(i.N))
}

// phrase returns the text of a code with each {name} replaced by its value; values are
// names in braces and values in turn. A code without a text stands for itself.
func phrase[C ~string](texts map[C]string, code C, values ...string) string {
	text, ok := texts[code]
	if !ok {
		return string(code)
	}
	return strings.NewReplacer(values...).Replace(text)
}
