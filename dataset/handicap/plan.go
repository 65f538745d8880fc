package handicap

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
)

// A Plan states an experiment with handicaps before any game is played. It is stored as
// plan.json.
type Plan struct {
	Experiment   string          `json:"experiment"` // "handicaps"
	Variant      string          `json:"variant"`
	Digest       string          `json:"digest"`
	Rules        json.RawMessage `json:"rules"` // the complete rule set
	Agent        string          `json:"agent"` // agent that plays both sides, as recorded
	OpeningPlies int             `json:"opening_plies"`
	// OpeningPolicy is that of all games; see dataset.Settings. The zero value is omitted.
	OpeningPolicy dataset.OpeningPolicy `json:"opening_policy,omitzero"`
	MaxPlies      int                   `json:"max_plies"` // 0 means no limit
	Seed          uint64                `json:"seed,string"`
	// Pairs is the number of pairs of games of each handicap, one with either side
	// handicapped. Control is the number of games of the unchanged rules; it may be 0.
	Pairs   int64        `json:"pairs,string"`
	Control int64        `json:"control,string"`
	Arms    []PlannedArm `json:"arms"`
	// Handicaps are the handicaps to measure; the JSON has them in the names of the arms.
	Handicaps []Handicap `json:"-"`
}

// A PlannedArm is a data set of the experiment, in the folder of its name.
type PlannedArm struct {
	Name     string `json:"name"`
	Run      string `json:"run"` // id of the settings
	Episodes int64  `json:"episodes,string"`
}

// ExperimentName is the value of Plan.Experiment.
const ExperimentName = "handicaps"

// MostPairs is the greatest number of pairs of a handicap.
const MostPairs = 1_000_000_000

// Validate checks everything in the plan except the rules, the agent and the arms.
func (p *Plan) Validate() error {
	switch {
	case len(p.Handicaps) == 0:
		return errors.New("the plan has no handicaps, must have one or more")
	case p.Pairs < 1 || p.Pairs > MostPairs:
		return fmt.Errorf("pairs is %d, must be 1 to %d", p.Pairs, int64(MostPairs))
	case p.Control < 0 || p.Control > 2*MostPairs:
		return fmt.Errorf("control is %d, must be 0 to %d", p.Control, int64(2*MostPairs))
	case p.OpeningPlies < 0:
		return fmt.Errorf("opening_plies is %d, must be 0 or more", p.OpeningPlies)
	case p.OpeningPolicy.Validate(p.OpeningPlies) != nil:
		return p.OpeningPolicy.Validate(p.OpeningPlies)
	case p.MaxPlies < 0:
		return fmt.Errorf("max_plies is %d, must be 0 (no limit) or more", p.MaxPlies)
	}
	return nil
}

// Episodes returns the number of games of all arms.
func (p *Plan) Episodes() int64 {
	n := int64(0)
	for _, arm := range p.Arms {
		n += arm.Episodes
	}
	return n
}

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
