package tankbattle

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Rules is a rule set of Tank Battle. Every field is a parameter of the game. Its
// help tag explains it, here and on the page of the game.
type Rules struct {
	variant.Header
	Duel       string `json:"duel" help:"with target, a commander on a contaminated square cannot be captured by the other commander; with either, it cannot capture that one either"`
	EndCheck   string `json:"end_check" help:"side that can end the game after a move by having all its tanks home: both, or the mover only"`
	Points     Points `json:"points" help:"points of each surviving tank"`
	NoProgress int    `json:"no_progress" help:"consecutive plies without progress after which points are counted; 0 means off"`
	Repetition int    `json:"repetition" help:"occurrences of a position that draw the game; 0 means off"`
	Layout     Layout `json:"layout" help:"the board; squares are named as a1"`
}

// Choices of Rules.Duel.
const (
	duelTarget = "target"
	duelEither = "either"
)

// Choices of Rules.EndCheck.
const (
	checkBoth  = "both"
	checkMover = "mover"
)

// Points holds the points of a surviving tank.
type Points struct {
	CommanderHome   int `json:"commander_home" help:"a commander on the enemy commander's start square"`
	CommanderInBase int `json:"commander_in_base" help:"a commander elsewhere in the enemy base"`
	TankInBase      int `json:"tank_in_base" help:"an ordinary tank in the enemy base"`
	Elsewhere       int `json:"elsewhere" help:"any tank elsewhere"`
}

// maxPoints is the greatest number of points of one tank.
const maxPoints = 1000

// Engine returns the entry of Tank Battle in the table of games.
func Engine() variant.Engine { return engine.Register(about, newGame) }

// New returns the game of a rule set. Its error is that of Rules.Validate.
func New(rules Rules) (*Game, error) { return engine.New(about.Name, rules, newGame) }

// Validate returns every fault of the rule set, each naming its field.
func (r *Rules) Validate() error {
	var faults variant.Faults
	faults.OneOf("game", r.Game, about.Name)
	faults.OneOf("duel", r.Duel, duelTarget, duelEither)
	faults.OneOf("end_check", r.EndCheck, checkBoth, checkMover)
	for _, p := range []struct {
		field string
		value int
	}{
		{"points.commander_home", r.Points.CommanderHome},
		{"points.commander_in_base", r.Points.CommanderInBase},
		{"points.tank_in_base", r.Points.TankInBase},
		{"points.elsewhere", r.Points.Elsewhere},
	} {
		faults.Range(p.field, p.value, 0, maxPoints)
	}
	faults.RepetitionAndProgress(r.Repetition, r.NoProgress)
	r.Layout.validate(&faults)
	if faults.Err() == nil && newGame(*r).start.Reason != env.NoReason {
		faults.Add("layout", "leaves White without a legal move at the start")
	}
	return faults.Err()
}
