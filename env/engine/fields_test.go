package engine_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env/engine"
)

func TestCountsAreReadAsTheyAreWritten(t *testing.T) {
	for _, limit := range []int{0, 7, 10, 119, engine.MaxCount} {
		for _, want := range []int{0, 1, 7, 8, 9, 10, 11, 100, 119, 120, engine.MaxCount, engine.MaxCount + 1} {
			got, err := engine.ParseCount(strconv.Itoa(want), limit)
			if want <= limit && (err != nil || got != want) {
				t.Errorf("ParseCount(%d, %d) = %d, %v", want, limit, got, err)
			}
			if want > limit && err == nil {
				t.Errorf("ParseCount(%d, %d) = %d", want, limit, got)
			}
		}
	}
}

func TestWhatIsNoCountIsRefused(t *testing.T) {
	const plain = " is not a whole number without leading zeros from 0 to 1000000000"
	many := strings.Repeat("9", 40)
	for text, want := range map[string]string{
		"": "a number is missing", "00": `"00"` + plain, "01": `"01"` + plain, "-1": `"-1"` + plain, "+1": `"+1"` + plain,
		"1 ": `"1 "` + plain, " 1": `" 1"` + plain, "1e3": `"1e3"` + plain, "x": `"x"` + plain, "½": `"½"` + plain,
		many + "x": `"` + many + `x"` + plain, many: many + " is too great, must be at most 1000000000",
	} {
		if n, err := engine.ParseCount(text, engine.MaxCount); err == nil || err.Error() != want {
			t.Errorf("ParseCount(%q) = %d, %v, must say %s", text, n, err, want)
		}
	}
}
