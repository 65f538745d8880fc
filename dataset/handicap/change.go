package handicap

import (
	"fmt"
	"strconv"
	"strings"
)

// A Handicap is a change of one piece type for one side.
type Handicap struct {
	Type   string // name or symbol of the piece type
	Change Change
}

// String returns the handicap as text: "Light Tank removed", "Light Tank speed+1".
func (h Handicap) String() string { return h.Type + " " + h.Change.String() }

// A Change is the difference that a handicap makes to a piece type. In the zero value
// one piece is missing.
type Change struct {
	Attribute string // attribute of all pieces of the type, such as "speed"; empty if one piece is missing
	By        int    // number added to the attribute, not 0
}

const removed = "removed"

// mostChange is the greatest absolute value of Change.By.
const mostChange = 10_000

// Removal reports whether one piece is missing.
func (c Change) Removal() bool { return c.Attribute == "" }

// String returns what ParseChange reads: "removed", "speed+1", "armour-1".
func (c Change) String() string {
	if c.Removal() {
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
		return Change{}, fmt.Errorf("change %q is unknown, must be %s or an attribute and a number, such as speed+1 or armour-1", text, removed)
	}
	by, err := strconv.Atoi(text[sign:])
	c := Change{Attribute: text[:sign], By: by}
	if err != nil || by == 0 || by < -mostChange || by > mostChange || c.String() != text {
		return Change{}, fmt.Errorf("change %q: the number must be from -%d to -1 or from +1 to +%d", text, mostChange, mostChange)
	}
	return c, nil
}
