package trench_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env/trench"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// warnings returns what a variant is warned of, a line each.
func warnings(t *testing.T, text string) string {
	t.Helper()
	v, err := variant.Load([]variant.Engine{trench.Engine()}, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, w := range v.Warnings() {
		lines = append(lines, w.Field+" "+w.Text)
	}
	return strings.Join(lines, "\n")
}

func TestPresetsGiveNoWarning(t *testing.T) {
	engine := trench.Engine()
	for _, name := range engine.PresetNames() {
		if got := warnings(t, name); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestWarnings(t *testing.T) {
	for _, c := range []struct{ name, patch, want string }{
		{"a target above an army's worth", `{"target_points":37}`, "target_points is 37 and cannot be reached: a whole army is worth 36"},
		{"points that lower the worth", `{"pieces":{"G":{"points":1}},"target_points":33}`, "a whole army is worth 32"},
		{"equal turns without a target", `{"target_points":0,"equal_turns":true}`, "equal_turns has no effect"},
		{"nothing ends a quiet game", `{"repetition":0,"no_progress":0}`, "never ends by the rules"},
		{"a rank that only retreats", `{"pieces":{"P":{"directions":["S","W"]}}}`, "pieces.P.directions has none of N, NE, E"},
		{"wings that differ", `{"pieces":{"P":{"directions":["N","NE"]}}}`, "pieces.P.directions is not symmetric about the diagonal"},
		{"worthless pieces", `{"pieces":{"P":{"points":0}}}`, "pieces.P.points is 0"},
		{"two ranks of one name", `{"pieces":{"S":{"name":"Soldier"}}}`, `pieces.S.name is "Soldier" like pieces.P.name`},
		{"a rank that differs by side", `{"white":{"P":{"longest_move":2}}}`, "white.P lets the rank go 2 squares for White and 1 for Black"},
		{"a start with a piece elsewhere", `{"start":"4sclg/4pscl/4ppsc/4ppps/SPP5/CSPPP3/LCSP4/GLCS4"}`,
			"start does not look the same to both sides: e3 holds P, d6 on the other side of the board nothing"},
		{"Black captures at once", `{"start":"4sclg/4pscl/4ppsc/3Pppps/SPP5/CSPP4/LCSP4/GLCS4"}`,
			"start lets Black capture with the first move of the game: d5-e5xe5"},
		{"White captures at once", `{"start":"4sclg/5scl/4ppsc/4ppps/SPPPp3/CSPP4/LCSP4/GLCS4"}`,
			"start lets White capture with its first move, unless Black's first move prevents it: e4-d4xd4"},
	} {
		if got := warnings(t, "trench/standard"+c.patch); !strings.Contains(got, c.want) {
			t.Errorf("%s: warned of %q, want %q", c.name, got, c.want)
		}
	}
}
