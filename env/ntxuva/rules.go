package ntxuva

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Rules is one rule set. The help tags describe its fields.
type Rules struct {
	variant.Header
	Columns    int    `json:"columns" help:"houses in each of the four rows"`
	Seeds      int    `json:"seeds" help:"seeds in every house at the start"`
	Singles    string `json:"singles" help:"when a house with a single seed may be a start: when_forced (only if the player has no house with more) or always"`
	SingleStep string `json:"single_step" help:"where a single seed may go: empty_only (only into an empty house) or relay (also into an occupied one, where the relay continues)"`
	Endless    string `json:"endless" help:"effect of a start whose relay never ends: illegal, a pass (no house changes), or a draw of the game"`
	Capture    string `json:"capture" help:"what a capture takes: pair (the facing attack house and the defence house behind it) or attack_only (the attack house)"`
	NoProgress int    `json:"no_progress" help:"plies in a row without a capture after which the game is drawn; 0 is off"`
	Repetition int    `json:"repetition" help:"occurrences of a position after which the game is drawn; 0 is off"`
}

// The words of the rule sets.
const (
	whenForced = "when_forced"
	always     = "always"
	emptyOnly  = "empty_only"
	relay      = "relay"
	illegal    = "illegal"
	pass       = "pass"
	draw       = "draw"
	pair       = "pair"
	attackOnly = "attack_only"
)

const (
	minColumns, maxColumns = 2, 16
	maxHouses              = 2 * maxColumns
	// The length of relays grows exponentially with the seeds. With four seeds per
	// house some relays last a second, with five some last for hours.
	maxSeeds = 4
)

// Engine returns the entry of N'txuva in the table of games.
func Engine() variant.Engine { return engine.Register(about, newGame) }

// New returns the game of a rule set. Its error is that of Rules.Validate.
func New(rules Rules) (*Game, error) { return engine.New(about.Name, rules, newGame) }

// Validate implements variant.RuleSet.
func (r *Rules) Validate() error {
	var faults variant.Faults
	faults.OneOf("game", r.Game, about.Name)
	faults.Range("columns", r.Columns, minColumns, maxColumns)
	faults.Range("seeds", r.Seeds, 1, maxSeeds)
	faults.OneOf("singles", r.Singles, whenForced, always)
	faults.OneOf("single_step", r.SingleStep, emptyOnly, relay)
	faults.OneOf("endless", r.Endless, illegal, pass, draw)
	faults.OneOf("capture", r.Capture, pair, attackOnly)
	faults.RepetitionAndProgress(r.Repetition, r.NoProgress)
	if err := faults.Err(); err != nil {
		return err
	}
	if newGame(*r).start.Player() == env.NoPlayer {
		faults.Add("seeds", "is %d with %d columns, must give the first player a legal start", r.Seeds, r.Columns)
	}
	return faults.Err()
}
