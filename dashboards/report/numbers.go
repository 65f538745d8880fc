package report

import (
	"fmt"
	"math"
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

// shareCell formats a share with its interval, or "-" without observations.
func shareCell(i stats.Interval) string {
	if i.N == 0 {
		return "-"
	}
	share := func(x float64) string { return Decimal("%.1f", 100*x) }
	return share(i.Estimate) + " % " + bounds(i, share)
}

// scoreCell formats a score with its interval, or "all drawn", because the interval of
// drawn games has no meaning.
func scoreCell(score stats.Interval, games, draws int64) string {
	if games > 0 && draws == games {
		return "all drawn"
	}
	return shareCell(score)
}

// reasonName formats the reason of an end.
func reasonName(reason string, houseRule bool) string {
	name := strings.ReplaceAll(reason, "_", " ")
	if houseRule {
		name += " (house rule)"
	}
	return name
}

// numberCell formats a number with its interval, or "-" without observations.
func numberCell(i stats.Interval) string {
	if i.N == 0 {
		return "-"
	}
	return figure(i.Estimate) + " " + bounds(i, figure)
}

// rateCell formats a mean of counts with its interval.
func rateCell(i stats.Interval) string {
	switch {
	case i.N == 0 || i.Estimate > 0:
		return numberCell(i)
	case math.IsInf(i.High, 1):
		return "none seen"
	}
	return fmt.Sprintf("none seen (at most %s)", figure(i.High))
}

// plyCell formats a number of plies with its interval.
func plyCell(i stats.Interval) string {
	whole := func(x float64) string { return fmt.Sprintf("%.0f", x) }
	switch {
	case i.N == 0:
		return "-"
	case math.IsInf(i.Estimate, 1):
		return "never " + bounds(i, whole)
	}
	return whole(i.Estimate) + " " + bounds(i, whole)
}

// pointsCell formats a difference of shares in percentage points, with its sign.
func pointsCell(i stats.Interval) string { return signedCell(i, 100, "%+.1f") }

// differenceCell formats a difference of numbers with its sign.
func differenceCell(i stats.Interval) string { return signedCell(i, 1, "") }

// signedCell formats a number times a factor with its sign and its interval. Without a
// format it uses figure.
func signedCell(i stats.Interval, factor float64, format string) string {
	if i.N == 0 {
		return "-"
	}
	write := func(x float64) string {
		x *= factor
		switch {
		case format != "" && !math.IsInf(x, 0):
			return Decimal(format, x)
		case x > 0:
			return "+" + figure(x)
		}
		return figure(x)
	}
	return write(i.Estimate) + " " + bounds(i, write)
}

// eloCell formats a difference of ratings without decimals.
func eloCell(i stats.Interval) string { return signedCell(i, 1, "%+.0f") }

// valueCell formats the value of a piece type, or of a handicap, in units.
func valueCell(value *stats.Interval, unit bool) string {
	switch {
	case value == nil:
		return "none"
	case unit:
		return "1, the unit"
	case math.IsInf(value.Low, -1) && math.IsInf(value.High, 1):
		return "no bounds"
	}
	return numberCell(*value)
}

// optional formats a value, or "-" for nil.
func optional[T any](x *T, write func(T) string) string {
	if x == nil {
		return "-"
	}
	return write(*x)
}

func bounds(i stats.Interval, write func(float64) string) string {
	low, high := math.IsInf(i.Low, 0), math.IsInf(i.High, 0)
	switch {
	case low && high:
		return "(no bounds)"
	case low:
		return fmt.Sprintf("(at most %s)", write(i.High))
	case high:
		return fmt.Sprintf("(at least %s)", write(i.Low))
	}
	return fmt.Sprintf("(%s to %s)", write(i.Low), write(i.High))
}

// figure formats a number to about three significant figures.
func figure(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "−∞"
	case math.Abs(x) >= 100:
		return Decimal("%.0f", x)
	case math.Abs(x) >= 10:
		return Decimal("%.1f", x)
	case math.Abs(x) >= 0.1 || x == 0:
		return Decimal("%.2f", x)
	case math.Abs(x) >= 0.001:
		return Decimal("%.3f", x)
	}
	return Decimal("%.1g", x)
}

func probability(p float64) string {
	if p < 0.0001 {
		return "below 0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}

// number formats a count with its noun: "1 game", "2 games".
func number(n int64, of string) string {
	if n != 1 {
		of += "s"
	}
	return Count(n) + " " + of
}

// capital returns the text with its first letter in upper case.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
