package agent

import (
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// A Table knows the values of some positions of a rule set for certain, as an endgame
// tablebase does. It is safe for concurrent use.
type Table interface {
	Variant() *variant.Variant
	// Digest identifies the content: agents with tables of equal digests play alike.
	Digest() string
	// SearchProber returns a new prober of the table for a search.
	SearchProber() search.Prober
	Close() error
}

// noTable is the value of the option of an agent without a table.
const noTable = "none"

var errTableStays = errors.New("a table of endgames stays on its machine and is not for the jobs of a farm; " +
	"commands that play here take it, such as arena, rate, analyze and play")

// resolveTable opens the table that an option names and returns how it is recorded:
// by its digest. It stays open for as long as the process uses the agent's spec.
func resolveTable(value string, v *variant.Variant, from *Sources) (Table, string, error) {
	if from == nil || from.OpenTable == nil {
		return nil, "", fmt.Errorf("option %s is %q: %w", tableOption, value, errTableStays)
	}
	table, err := from.OpenTable(value)
	if err != nil {
		return nil, "", fmt.Errorf("option %s: %w", tableOption, err)
	}
	if other := table.Variant(); other.Digest != v.Digest {
		err := fmt.Errorf("option %s: %s holds endgames of %s (%s), not of %s (%s)", tableOption, value, other.Name, other.Digest, v.Name, v.Digest)
		return nil, "", errors.Join(err, table.Close())
	}
	return table, table.Digest(), nil
}
