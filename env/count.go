package env

import (
	"errors"
	"fmt"
)

// MaxCount is the greatest number of plies or points in a position text; it
// leaves a game of any length room to count on.
const MaxCount = 1_000_000_000

// ParseCount reads a whole number from 0 to limit, which is at most MaxCount. Only
// what strconv writes is accepted: no sign, no leading zeros.
func ParseCount(text string, limit int) (int, error) {
	if text == "" {
		return 0, errors.New("a number is missing")
	}
	n := 0
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' || i > 0 && text[0] == '0' {
			return 0, fmt.Errorf("%q is no whole number without leading zeros from 0 to %d", text, limit)
		}
		n = min(n*10+int(text[i]-'0'), limit+1)
	}
	if n > limit {
		return 0, fmt.Errorf("%s is too great, must be at most %d", text, limit)
	}
	return n, nil
}
