package ntxuva

import (
	"embed"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

const (
	name    = "ntxuva"
	version = 1 // behaviour version
)

//go:embed variants
var presets embed.FS

// Rules is one rule set. What a field means stands in its tag, for the page of
// the game and for readers.
type Rules struct {
	variant.Header
	Columns    int    `json:"columns" help:"houses in each of the four rows"`
	Seeds      int    `json:"seeds" help:"pieces in every house at the start"`
	Singles    string `json:"singles" help:"when a single piece may be moved: only when no house holds more, or always"`
	SingleStep string `json:"single_step" help:"where a single piece may go: only into an empty house, or into any, relaying on from an occupied one"`
	Endless    string `json:"endless" help:"what a start is whose relay never ends: illegal, a pass that leaves the houses as they are, or a draw"`
	Capture    string `json:"capture" help:"what a capture takes: the facing attack house and the defence house behind it, or the attack house alone"`
	NoProgress int    `json:"no_progress" help:"plies in a row without a capture after which the game is drawn; 0 is off"`
	Repetition int    `json:"repetition" help:"occurrences of a position that draw the game; 0 is off"`
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
	// Relays grow exponentially with the seeds: with four a house some last a
	// second, with five they no longer come to an end while one waits.
	maxSeeds = 4
)

// Engine returns N'txuva as package variant wants it.
func Engine() variant.Engine {
	return variant.Engine{
		Name:    name,
		Title:   "N'txuva",
		Version: version,
		Default: "basic",
		Presets: presets,
		Rules:   func() variant.RuleSet { return new(Rules) },
		New:     func(rules variant.RuleSet) env.Game { return newGame(*rules.(*Rules)) },
		History: []variant.Change{{Version: 1, Date: "2026-11-21", What: "first version"}},
	}
}

// Validate returns every fault of the rule set.
func (r *Rules) Validate() error {
	var faults variant.Faults
	faults.OneOf("game", r.Game, name)
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
	if g := newGame(*r); g.start.Player() == env.NoPlayer {
		faults.Add("seeds", "is %d with %d columns, must leave the first player a legal start at the beginning", r.Seeds, r.Columns)
	}
	return faults.Err()
}
