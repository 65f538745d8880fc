package agent

import (
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// A Table knows the exact values of some positions of a rule set, as an endgame
// tablebase does. It is safe for concurrent use.
type Table interface {
	Variant() *variant.Variant
	// Digest identifies the content. Tables with equal digests have equal values.
	Digest() string
	// SearchProber returns a new prober of the table for a search.
	SearchProber() search.Prober
	Close() error
}

// noTable is the value of the option of an agent without a table.
const noTable = "none"

var errTableStays = errors.New("an endgame table stays on its machine and cannot go into the jobs of a farm; " +
	"commands that play on this machine accept it, such as arena, rate, analyze and play")

// resolveTable opens the table that an option names and returns it with its digest,
// which is recorded. The table stays open until the process ends.
func resolveTable(value string, v *variant.Variant, from *Sources) (Table, string, error) {
	if from == nil || from.OpenTable == nil {
		return nil, "", fmt.Errorf("option %s is %q: %w", tableOption, value, errTableStays)
	}
	table, err := from.OpenTable(value)
	if err != nil {
		return nil, "", fmt.Errorf("option %s: %w", tableOption, err)
	}
	if other := table.Variant(); other.Digest != v.Digest {
		err := fmt.Errorf("option %s: %s contains endgames of %s (%s), not of %s (%s)", tableOption, value, other.Name, other.Digest, v.Name, v.Digest)
		return nil, "", errors.Join(err, table.Close())
	}
	return table, table.Digest(), nil
}
