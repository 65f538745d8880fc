package agent

import (
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/endgame"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// noTable is the value of the option of an agent without a table of endgames.
const noTable = "none"

var errTableStays = errors.New("a table of endgames stays on its machine and is not for the jobs of a farm; " +
	"commands that play here take it, such as arena, rate, analyze and play")

// settleTable opens the table that an option names and returns how it is recorded:
// by its digest. It stays open as long as somebody has the agent's spec.
func settleTable(value string, v *variant.Variant, from *Sources) (*endgame.Table, string, error) {
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

// solved is a table of endgames as a search asks it.
type solved struct{ prober *endgame.Prober }

// Probe implements search.Prober. A win for which the counters of the rules may
// leave too few plies is not known.
func (t solved) Probe(s env.State) (score int, ok bool) {
	v, ok := t.prober.Probe(s)
	if !ok || v.Result == 0 {
		return 0, ok
	}
	if left, _ := s.(env.Counter).Counters(); v.Plies >= left {
		return 0, false
	}
	return v.Result * (search.Win - v.Plies), true
}
