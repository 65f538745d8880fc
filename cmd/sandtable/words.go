package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// plural returns a number with a noun, in the plural unless n is 1.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// percent formats a share with its interval, in per cent.
func percent(i stats.Interval) string {
	return fmt.Sprintf("%6.2f %% (%.2f to %.2f)", 100*i.Estimate, 100*i.Low, 100*i.High)
}

// elo formats an interval on the Elo scale.
func elo(i stats.Interval) string {
	return fmt.Sprintf("%s (%s to %s)", signed(i.Estimate), signed(i.Low), signed(i.High))
}

func signed(x float64) string { return number("%+.1f", x) }

// number formats a number that may be infinite.
func number(format string, x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "+∞"
	case math.IsInf(x, -1):
		return "−∞"
	}
	return fmt.Sprintf(format, x)
}

// millions formats a rate in millions.
func millions(rate float64) string { return fmt.Sprintf("%.2f M", rate/1e6) }

// size formats a number of bytes.
func size(bytes int64) string {
	switch {
	case bytes < 1e6:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	case bytes < 1e9:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.2f GB", float64(bytes)/1e9)
}

// shortened cuts the middle out of a line that quotes a long input. The result has
// at most about limit bytes.
func shortened(line string, limit int) string {
	if len(line) <= limit {
		return line
	}
	return strings.ToValidUTF8(line[:limit/2], "") + " … " + strings.ToValidUTF8(line[len(line)-limit/2:], "")
}

// shellWord returns a text as one word for a POSIX shell, in quotes if it contains a
// character with a special meaning.
func shellWord(text string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%"
	if text != "" && strings.Trim(text, plain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
