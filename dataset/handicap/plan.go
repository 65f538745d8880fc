package handicap

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
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
	// Until is the precision at which the games of a handicap end before Pairs is reached;
	// nil for an experiment of fixed size.
	Until *Precision `json:"until,omitempty"`
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
	if p.Until != nil {
		return p.Until.Validate()
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

// A Precision is a distance from the estimate within which both bounds of an interval must
// lie.
type Precision struct {
	Within float64 `json:"within"`
	// Points says that the interval is that of the loss of score, and Within a number of
	// points of score, from 0 to 1. Otherwise it is that of the value in units.
	Points bool `json:"points,omitempty"`
}

// Validate checks the number.
func (p *Precision) Validate() error {
	switch {
	case !(p.Within > 0) || math.IsInf(p.Within, 0):
		return fmt.Errorf("until is ±%v, must be more than 0", p.Within)
	case p.Points && p.Within >= 0.5:
		return fmt.Errorf("until is ±%.6g points of 100, must be less than 50", 100*p.Within)
	}
	return nil
}

// String returns what ParsePrecision reads: "±0.3", "±2%".
func (p *Precision) String() string {
	if p.Points {
		return fmt.Sprintf("±%.6g%%", 100*p.Within)
	}
	return fmt.Sprintf("±%.6g", p.Within)
}

// ParsePrecision reads ±NUMBER, in units, or ±NUMBER%, in points of 100. The sign may be
// missing or be +-.
func ParsePrecision(text string) (*Precision, error) {
	number := strings.TrimPrefix(strings.TrimPrefix(text, "±"), "+-")
	number, points := strings.CutSuffix(number, "%")
	within, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return nil, fmt.Errorf("until is %q, must be of the form ±0.3 (units of the piece that is worth 1) or ±2%% (points of score)", text)
	}
	p := &Precision{Within: within, Points: points}
	if points {
		p.Within /= 100
	}
	return p, p.Validate()
}

const (
	// firstLook is the number of pairs of a handicap at the first look of an experiment with
	// a precision. At each further look the number has grown by lookGrowth.
	firstLook  = 250
	lookGrowth = 1.5
)

// Looks returns the numbers of pairs of a handicap at which the experiment may end for it,
// in ascending order up to Pairs: Pairs alone without a precision.
func (p *Plan) Looks() []int64 {
	var looks []int64
	if p.Until != nil {
		for pairs := float64(firstLook); int64(pairs) < p.Pairs; pairs *= lookGrowth {
			looks = append(looks, int64(pairs))
		}
	}
	return append(looks, p.Pairs)
}

// Levels returns the levels of intervals at a look, counted from 0, that hold at all looks
// together.
func (p *Plan) Levels(look int) (*stats.Levels, error) {
	looks := p.Looks()
	if len(looks) == 1 {
		return new(stats.Levels), nil
	}
	shares := make([]float64, look+1)
	for k := range shares {
		shares[k] = float64(looks[k]) / float64(p.Pairs)
	}
	return stats.Sequential{Level: stats.Level, Spending: stats.EvenSpending}.Levels(shares)
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
	// Last says that the missing piece is the last of its type: in these games the other
	// side has a single piece of the type, and all others are missing from both sides.
	Last bool
}

const (
	removed = "removed"
	last    = "last"
)

// mostChange is the greatest absolute value of Change.By.
const mostChange = 10_000

// Missing reports whether one piece is missing.
func (c Change) Missing() bool { return c.Attribute == "" }

// Removal reports whether one piece is missing and no other.
func (c Change) Removal() bool { return c.Missing() && !c.Last }

// String returns what ParseChange reads: "removed", "last", "speed+1", "armour-1".
func (c Change) String() string {
	switch {
	case c.Last:
		return last
	case c.Missing():
		return removed
	}
	return fmt.Sprintf("%s%+d", c.Attribute, c.By)
}

// ParseChange reads a change as String writes it.
func ParseChange(text string) (Change, error) {
	switch text {
	case removed:
		return Change{}, nil
	case last:
		return Change{Last: true}, nil
	}
	sign := strings.IndexAny(text, "+-")
	if sign <= 0 || strings.Trim(text[:sign], "abcdefghijklmnopqrstuvwxyz_") != "" {
		return Change{}, fmt.Errorf("change %q is unknown, must be %s, %s or an attribute and a number, such as speed+1 or armour-1", text, removed, last)
	}
	by, err := strconv.Atoi(text[sign:])
	c := Change{Attribute: text[:sign], By: by}
	if err != nil || by == 0 || by < -mostChange || by > mostChange || c.String() != text {
		return Change{}, fmt.Errorf("change %q: the number must be from -%d to -1 or from +1 to +%d", text, mostChange, mostChange)
	}
	return c, nil
}
