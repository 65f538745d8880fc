package eval_test

import (
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

func TestPlacementTellsPlacesFromCountsAndFeatures(t *testing.T) {
	for variant, want := range map[string]struct{ places, others []string }{
		"trench/standard": {[]string{"General on c3", "Soldier on file a"}, []string{"feature turn", "General count", "Soldier count"}},
		"ntxuva/basic":    {[]string{"attack house a2 with 1", "defence house a1 with 8+"}, []string{"feature exposed seeds", "attack house count"}},
	} {
		v, err := games.Lookup(variant)
		if err != nil {
			t.Fatal(err)
		}
		l, err := eval.NewLayout(v.Game)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for i := range l.Size() {
			if slices.Contains(want.places, l.Name(i)) {
				found++
				if !l.Placement(i) {
					t.Errorf("%s: %q is not a placement", variant, l.Name(i))
				}
			}
			if slices.Contains(want.others, l.Name(i)) {
				found++
				if l.Placement(i) {
					t.Errorf("%s: %q is a placement", variant, l.Name(i))
				}
			}
		}
		if found != len(want.places)+len(want.others) {
			t.Errorf("%s: %d of the parameters are found", variant, found)
		}
	}
}
