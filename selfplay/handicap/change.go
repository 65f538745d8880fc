package handicap

import (
	"fmt"
	"strconv"
	"strings"
)

// A Change is what is other for one side. The zero value is that one piece is
// missing.
type Change struct {
	Attribute string // of the pieces of a type, as "speed"; empty: one piece is missing
	By        int    // what is added to it, not 0
}

const removed = "removed"

// mostChange bounds Change.By.
const mostChange = 10_000

// String returns what ParseChange reads: "removed", "speed+1", "armour-1".
func (c Change) String() string {
	if c.Attribute == "" {
		return removed
	}
	return fmt.Sprintf("%s%+d", c.Attribute, c.By)
}

// ParseChange reads a change as String writes it.
func ParseChange(text string) (Change, error) {
	if text == removed {
		return Change{}, nil
	}
	sign := strings.IndexAny(text, "+-")
	if sign <= 0 || strings.Trim(text[:sign], "abcdefghijklmnopqrstuvwxyz_") != "" {
		return Change{}, fmt.Errorf("change %q is not %s, nor an attribute and by how much it changes, such as speed+1 or armour-1", text, removed)
	}
	by, err := strconv.Atoi(text[sign:])
	c := Change{Attribute: text[:sign], By: by}
	if err != nil || by == 0 || by < -mostChange || by > mostChange || c.String() != text {
		return Change{}, fmt.Errorf("change %q: the attribute must change by a whole number from -%d to -1 or +1 to +%d", text, mostChange, mostChange)
	}
	return c, nil
}
