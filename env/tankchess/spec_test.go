package tankchess_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
)

func TestCheckValuesOfThePresets(t *testing.T) {
	for _, c := range []struct {
		variant                       string
		first, slots, actions, planes int
	}{
		{"tankchess/16x16", 549, 10, 5241, 42}, {"tankchess/20x20", 739, 14, 7337, 54},
		{"tankchess/16x16/zh", 728, 10, 10*177*4 + 1, 42}, {"tankchess/16x16/no-escape", 549, 10, 5241, 42},
		{"tankchess/20x20/zh", 986, 14, 14*177*4 + 1, 54}, {"tankchess/20x20/no-escape", 739, 14, 7337, 54},
		{"tankchess/lakes", 542, 10, 5241, 47},
	} {
		v := load(t, c.variant)
		spec := v.Game.Spec()
		if n := len(env.NewState(v.Game).Legal(nil)); n != c.first {
			t.Errorf("%s: %d first moves, want %d", c.variant, n, c.first)
		}
		if spec.Actions != c.actions || len(spec.Planes) != c.planes {
			t.Errorf("%s: %d actions and %d planes, want %d and %d", c.variant, spec.Actions, len(spec.Planes), c.actions, c.planes)
		}
		if w := v.Warnings(); len(w) > 0 {
			t.Errorf("%s is warned of: %v", c.variant, w)
		}
	}
}

func TestEndsMarkHouseRules(t *testing.T) {
	for variant, want := range map[string]string{
		"tankchess/16x16":                                 "command_destroyed escaped no_progress* repetition*",
		"tankchess/16x16/zh":                              "command_destroyed escaped no_progress* repetition*",
		"tankchess/16x16/no-escape":                       "command_destroyed no_progress* repetition*",
		`tankchess/16x16{"repetition":0,"no_progress":0}`: "command_destroyed escaped",
		`tankchess/16x16/no-escape{"repetition":0}`:       "command_destroyed no_progress*",
	} {
		var got []string
		for _, end := range load(t, variant).Game.Spec().Ends {
			text := end.Reason.String()
			if end.HouseRule {
				text += "*"
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", variant, got, want)
		}
	}
}

func TestPieceTypesAreData(t *testing.T) {
	for _, piece := range load(t, "tankchess/20x20").Game.Spec().Pieces {
		if piece.Symbol != "HM" {
			continue
		}
		got := ""
		for _, a := range piece.Attributes {
			got += fmt.Sprintf(" %s=%d", a.Name, a.Value)
		}
		want := " value=3 speed=3 armour_front=1 armour_side=0 armour_rear=0 power=5 least_range=3 greatest_range=5 indirect=1 amphibious=0" +
			" arc_-3=0 arc_-2=0 arc_-1=0 arc_0=1 arc_1=0 arc_2=0 arc_3=0 arc_4=0"
		if got != want || piece.Count != [2]int{2, 2} || piece.Name != "Heavy Mortar" {
			t.Errorf("%+v, want the attributes%s", piece, want)
		}
		return
	}
	t.Error("no piece type has the symbol HM")
}

func TestActionCellsNameTemplateShotAndSlot(t *testing.T) {
	spec := load(t, "tankchess/16x16").Game.Spec()
	if len(spec.ActionPlanes) != 131*4+1 || spec.ActionPlanes[0] != "template 0 (+0,-1) turn 0 shot 0" || spec.ActionPlanes[131*4] != "escape" {
		t.Errorf("%d action planes from %q to %q", len(spec.ActionPlanes), spec.ActionPlanes[0], spec.ActionPlanes[len(spec.ActionPlanes)-1])
	}
	const h1, c3 = 7, 2*16 + 2
	for a, want := range map[int]env.ActionCell{
		0: {Plane: 0, Square: h1}, 131*4 + 6: {Plane: 6, Square: c3}, 5240: {Plane: 131 * 4, Square: h1},
	} {
		if got := spec.ActionCells[a]; got != want {
			t.Errorf("action %d lies at %+v, want %+v", a, got, want)
		}
	}
}

// TestSlotsOfUnequalArmiesHaveCellsOfTheirOwn gives each side a type that the
// other lacks, on squares that are the same in the owners' frames.
func TestSlotsOfUnequalArmiesHaveCellsOfTheirOwn(t *testing.T) {
	v := load(t, `tankchess/20x20{"layout":{"white":{"CLT":["j1"],"LT":["c3"],"MT":null,"HT":null,"TD":null,"HM":["d1"]},`+
		`"black":{"CLT":["k20"],"TD":["r18","q20"]}}}`)
	spec := v.Game.Spec()
	slots := (spec.Actions - 1) / 131 / 4
	if slots != 5 {
		t.Fatalf("%d slots, want CLT, LT, 2 TD, HM", slots)
	}
	taken := map[int16]bool{}
	for slot := range slots {
		square := spec.ActionCells[slot*131*4].Square
		if taken[square] {
			t.Errorf("slot %d shares square %d", slot, square)
		}
		taken[square] = true
	}
	if text := env.PositionText(env.NewState(v.Game)); text != "CLT@j1N,LT@c3N,HM@d1N CLT@k20S,TD@q20S,TD@r18S w 0 0" {
		t.Errorf("the start is %s", text)
	}
}

func TestShotNumbersFollowTheGuns(t *testing.T) {
	for patch, want := range map[string]int{
		`{"pieces":{"HT":{"gun":{"arcs":[-3,-2,-1,0,1,2,3,4]}}}}`:                            9,
		`{"pieces":{"HT":{"gun":{"arcs":[-1,0,1],"least":3,"greatest":5,"indirect":true}}}}`: 10,
		`{"pieces":{"HT":{"gun":{"arcs":[],"least":0}}}}`:                                    4,
		`{"pieces":{"HT":{"gun":{"arcs":[0],"least":0,"greatest":6,"indirect":true}}}}`:      7,
	} {
		if spec := load(t, "tankchess/16x16"+patch).Game.Spec(); spec.Actions != 10*131*want+1 {
			t.Errorf("%s: %d actions, want %d shot numbers", patch, spec.Actions, want)
		}
	}
}

func TestMaxLegalHoldsForSlotsThatTheLayoutLeavesEmpty(t *testing.T) {
	const fast = `,"value":1,"speed":7,"armour":{"front":0,"side":0,"rear":0},"power":0,"gun":{"arcs":[],"least":0}}`
	const variant = `tankchess/16x16{"pieces":{"FA":{"name":"A","order":901` + fast + `,"FB":{"name":"B","order":902` + fast + `},` +
		`"layout":{"obstacles":[],"white":{"CLT":["a1"],"LT":[],"MT":[],"HT":[],"FA":["c1","d1","e1"]},"black":{"CLT":["a16"],"FB":["c16","d16","e16"]}}}`
	s := setUp(t, variant, "CLT@a1N,FA@d8N,FA@i8N,FA@n8N,FB@d12N,FB@i12N,FB@n12N CLT@a16S w 0 0")
	most := load(t, variant).Game.Spec().MaxLegal
	buffer := make([]env.Action, most+64)
	if n := len(s.Legal(buffer[:0:most])); n > most {
		t.Errorf("%d legal actions, MaxLegal is %d", n, most)
	}
	if end := buffer[most:]; slices.Max(end) != 0 {
		t.Errorf("written behind MaxLegal: %v", end)
	}
}
