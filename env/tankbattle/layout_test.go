package tankbattle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/tankbattle"
	"github.com/sandtable-farm/sandtable/env/variant"
)

func TestRuleFaultsNameTheirFields(t *testing.T) {
	for patch, want := range map[string]string{
		`{"duel":"both"}`:                       `duel is "both", must be one of target, either`,
		`{"end_check":"none"}`:                  `end_check is "none", must be one of both, mover`,
		`{"points":{"elsewhere":-1}}`:           "points.elsewhere is -1, must be 0 to 1000",
		`{"points":{"commander_home":1001}}`:    "points.commander_home is 1001",
		`{"points":{"mine":1}}`:                 "points.mine is unknown",
		`{"repetition":1}`:                      "repetition is 1, must be 2 to 100",
		`{"no_progress":0}`:                     "no_progress is 0, must be 1 to 1000",
		`{"layout":{"size":12}}`:                "layout.size is 12, must be 5 to 11",
		`{"layout":{"size":4}}`:                 "layout.size is 4, must be 5 to 11",
		`{"layout":{"mines":["c5","c5"]}}`:      "layout.mines[1] is c5, which is also layout.mines[0]",
		`{"layout":{"mines":["c5","k1"]}}`:      "layout.mines[1] is k1, which is also layout.white_base[",
		`{"layout":{"mines":["e5"]}}`:           "layout.mines[0] is e5, which is also layout.contaminated[0]",
		`{"layout":{"mines":["l1"]}}`:           "layout.mines[0] is \"l1\", must be a square from a1 to k11",
		`{"layout":{"mines":["a1b"]}}`:          `layout.mines[0] is "a1b", must be a square`,
		`{"layout":{"contaminated":["a11"]}}`:   "layout.contaminated[0] is a11, which is also layout.black_base[",
		`{"layout":{"white_commander":"g2"}}`:   `layout.white_commander is "g2", must be a square of layout.white_base`,
		`{"layout":{"white_base":["k1","j1"]}}`: "layout.white_base has 2 squares, must have 14 on a board of size 11",
		`{"layout":{"black_base":[]}}`:          "layout.black_base has 0 squares, must have 14",
		`{"layout":{"size":10}}`:                "must be a square from a1 to j10",
		`{"layout":{"mines":[5]}}`:              "layout.mines[0]",
		`{"layout":{"mines":null}}`:             "layout.mines",
		`{"speed":1}`:                           "speed is unknown",
		`{"layout":{"mines":["f1","g4","h4","f2","f3","g3","i4","i5","h3","j5","k5"],"contaminated":[]}}`: "",
	} {
		_, err := variant.Load([]variant.Engine{tankbattle.Engine()}, "tankbattle/standard"+patch, nil)
		if want == "" {
			if err != nil {
				t.Errorf("%s: %v", patch, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", patch, err, want)
		}
	}
}

func TestEveryFaultIsToldAtOnce(t *testing.T) {
	_, err := variant.Load([]variant.Engine{tankbattle.Engine()},
		`tankbattle/standard{"duel":"x","points":{"elsewhere":-1},"layout":{"mines":["z1","e5","e5"],"white_commander":"a1"}}`, nil)
	for _, want := range []string{"duel", "points.elsewhere", "layout.mines[0]", "layout.mines[1]", "layout.mines[2]", "layout.white_commander"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %s", err, want)
		}
	}
}

func TestALayoutThatShutsWhiteInIsRefused(t *testing.T) {
	_, err := variant.Load([]variant.Engine{tankbattle.Engine()}, `tankbattle/standard{"layout":{"size":5,"white_base":["a1"],`+
		`"white_commander":"a1","black_base":["e5"],"black_commander":"e5","contaminated":[],"mines":["a2","b1","b2"]}}`, nil)
	if err == nil || !strings.Contains(err.Error(), "layout leaves White without a legal move") {
		t.Errorf("%v", err)
	}
}

func TestTheOrderOfSquaresDoesNotCount(t *testing.T) {
	a := load(t, `tankbattle/standard{"layout":{"mines":["j5","c5","i7","e9","g3","d2","h10","b7"]}}`)
	if b := load(t, "tankbattle/standard"); a.Digest != b.Digest {
		t.Error("the order of the mines changes the digest")
	}
	if !strings.Contains(string(load(t, "tankbattle/no-mines").Rules), `"mines": []`) {
		t.Error("no mines are not written as an empty list")
	}
}

func TestNoMinesIsTheStandardWithoutMines(t *testing.T) {
	rules := rulesOf(t, "tankbattle/standard")
	rules.Layout.Mines = variant.Squares{}
	g, err := tankbattle.New(rules)
	if err != nil {
		t.Fatal(err)
	}
	a, b := env.NewState(g), env.NewState(load(t, "tankbattle/no-mines").Game)
	if !slices.Equal(a.Legal(nil), b.Legal(nil)) || slices.Equal(a.Legal(nil), env.NewState(load(t, "tankbattle/standard").Game).Legal(nil)) {
		t.Error("legal actions differ")
	}
}

func TestSmallBoardsHaveTheirOwnActionCount(t *testing.T) {
	for text, want := range map[string]int{"tankbattle/standard": 9680, mirrored: 7 * 7 * 8 * 6, minedCorner: 5 * 5 * 8 * 4} {
		spec := load(t, text).Game.Spec()
		if spec.Actions != want || len(spec.ActionCells) != want {
			t.Errorf("%s: %d actions, want %d", text, spec.Actions, want)
		}
	}
}

func TestCustomBoardsPassTheKit(t *testing.T) {
	for _, text := range []string{mirrored, minedCorner, gappedBase, `tankbattle/standard{"repetition":0,"no_progress":0,"points":{"commander_home":900}}`} {
		t.Run("", func(t *testing.T) { envtest.Run(t, load(t, text)) })
	}
}

func TestOnlyTheBoardWithoutMinesIsWarnedOf(t *testing.T) {
	for _, name := range presetNames {
		var want []variant.Warning
		if name == "tankbattle/no-mines" {
			want = []variant.Warning{
				{Field: "layout", Text: "allows the capture h1xa8 at the first ply"},
				{Field: "layout", Text: "allows the capture k4xd11 at the first ply"},
			}
		}
		if got := load(t, name).Warnings(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestWarningsTellWhatAnAuthorMayNotHaveMeant(t *testing.T) {
	for patch, want := range map[string]variant.Warning{
		`{"layout":{"mines":["c5"]}}`:                  {Field: "layout.mines", Text: "is not layout.mines turned by half a circle"},
		`{"layout":{"contaminated":["e5","g7","f7"]}}`: {Field: "layout.contaminated", Text: "is not layout.contaminated turned"},
		`{"layout":{"white_commander":"g1"}}`:          {Field: "layout.white_commander", Text: "is not layout.black_commander turned"},
		`{"layout":{"size":5,"white_base":["a1"],"white_commander":"a1","black_base":["e5","a5"],"black_commander":"e5","contaminated":[],"mines":[]}}`: {
			Field: "layout.white_base", Text: "is not layout.black_base turned"},
		`{"layout":{"size":5,"white_base":["a1"],"white_commander":"a1","black_base":["e5"],"black_commander":"e5","contaminated":["d4","d5","e4"],"mines":[]}}`: {
			Field: "layout.black_base", Text: "has e5, which no tank of White reaches on the empty board"},
		`{"layout":{"size":5,"white_base":["a1"],"white_commander":"a1","black_base":["e5","b2"],"black_commander":"e5","contaminated":[],"mines":[]}}`: {
			Field: "layout", Text: "allows the capture a1xb2 at the first ply"},
	} {
		list := load(t, "tankbattle/standard"+patch).Warnings()
		if !slices.ContainsFunc(list, func(w variant.Warning) bool { return w.Field == want.Field && strings.HasPrefix(w.Text, want.Text) }) {
			t.Errorf("%s: %v, want %v", patch, list, want)
		}
	}
}

func TestEndsMarkHouseRules(t *testing.T) {
	var got []string
	for _, end := range load(t, "tankbattle/standard").Game.Spec().Ends {
		text := end.Reason.String()
		if end.HouseRule {
			text += "*"
		}
		got = append(got, text)
	}
	if want := "all_home no_progress* repetition* no_move*"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}
