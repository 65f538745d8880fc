package tankchess_test

import (
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
)

// number returns the action of a move text.
func number(t *testing.T, variant, position, text string) int {
	t.Helper()
	a, err := setUp(t, variant, position).ParseAction(text)
	if err != nil {
		t.Fatal(err)
	}
	return int(a)
}

func wantNumber(t *testing.T, variant, position, text string, slot, template, shot int) {
	t.Helper()
	game := newReferenceGame(rulesOf(t, load(t, variant)))
	if got, want := number(t, variant, position, text), (slot*game.T+template)*game.S+shot; got != want {
		t.Errorf("%s in %s: %s is action %d, want slot %d, template %d, shot %d = %d", variant, position, text, got, slot, template, shot, want)
	}
}

func TestSlotsFollowTheTypesThenTheStartSquaresInTheOwnersFrame(t *testing.T) {
	wantStart(t, "tankchess/16x16", "CLT@h1N,LT@c3N,LT@f3N,LT@j3N,LT@m3N,MT@f1N,MT@j1N,MT@h3N,HT@c1N,HT@m1N "+
		"CLT@i16S,LT@n14S,LT@k14S,LT@g14S,LT@d14S,MT@k16S,MT@g16S,MT@i14S,HT@n16S,HT@d16S w 0 0")
	wantStart(t, smallArmies+`"CLT":["c1"],"LT":["b2","d1","a2"]}}}`, "CLT@c1N,LT@d1N,LT@a2N,LT@b2N CLT@f8S,LT@e8S,LT@h7S,LT@g7S w 0 0")
}

func TestOtherTypesComeByTheirOrder(t *testing.T) {
	const extra = `"X":{"name":"extra","order":150,"value":1,"speed":1,"armour":{"front":0,"side":0,"rear":0},"power":1,"gun":{"arcs":[0],"least":2}}`
	wantStart(t, `tankchess/16x16{"pieces":{`+extra+`},"layout":{"obstacles":[],"size":8,"white":{"MT":null,"HT":null,"CLT":["c1"],"LT":["a2"],"X":["h2"]}}}`,
		"CLT@c1N,X@h2N,LT@a2N CLT@f8S,X@a7S,LT@h7S w 0 0")
}

func TestAWreckKeepsItsSlot(t *testing.T) {
	const after = "CLT@p1N,LT@c3#,LT@f3N CLT@a16S w 0 0"
	if number(t, open16, after, "f3>f4/N") != number(t, open16, "CLT@p1N,LT@c3N,LT@f3N CLT@a16S w 0 0", "f3>f4/N") {
		t.Error("the second light tank has another slot once the first is a wreck")
	}
}

func TestATypeHasAsManySlotsAsTheSideWithMoreOfIt(t *testing.T) {
	const unequal = smallArmies + `"CLT":["c1"],"LT":["a2","b2"]},"black":{"CLT":["f8"],"HT":["d8"]}}}`
	wantStart(t, unequal, "CLT@c1N,LT@a2N,LT@b2N CLT@f8S,HT@d8S w 0 0")
	if got := load(t, unequal).Game.Spec().Actions; got != (1+2+1)*131*4+1 {
		t.Errorf("%d actions", got)
	}
	wantNumber(t, unequal, "CLT@c1N,LT@a2N CLT@f8S,HT@d8S b 0 0", "d8>d8/SW", 3, 1, 0)
}

func TestTheReverseStepIsTemplateZero(t *testing.T) {
	for _, variant := range []string{open16, zhOpen} {
		for facing, text := range map[string]string{"N": "e8>e7/N", "NE": "e8>d7/NE", "E": "e8>d8/E", "SW": "e8>f9/SW", "NW": "e8>f7/NW"} {
			wantNumber(t, variant, "CLT@p1N,LT@e8"+facing+" CLT@a16S w 0 0", text, 1, 0, 0)
		}
	}
}

func TestTemplatesGoByStepsThenDyDxTurn(t *testing.T) {
	// One step: the turns on the spot, then forward. Two steps: the turns by two,
	// then what lies on rank 9 from the d to the f file, then rank 10.
	const position = "CLT@p1N,LT@e8N CLT@a16S w 0 0"
	for i, text := range []string{"e8>e7/N", "e8>e8/NE", "e8>e8/NW", "e8>e9/N", "e8>e8/E", "e8>e8/W", "e8>d9/NW", "e8>e9/NE", "e8>e9/NW", "e8>f9/NE", "e8>e10/N"} {
		wantNumber(t, open16, position, text, 1, i, 0)
	}
	// The list of NE is one of its own; SE turns it by 90°.
	for i, text := range []string{"e8>d9/SE", "e8>e8/S", "e8>e8/E", "e8>f7/SE"} {
		wantNumber(t, open16, "CLT@p1N,LT@e8SE CLT@a16S w 0 0", text, 1, i, 0)
	}
}

func TestTemplateCountsOfThePage(t *testing.T) {
	for _, c := range []struct {
		reverse string
		speed   int
		counts  [2]int
	}{{"alone", 5, [2]int{131, 131}}, {"alone", 4, [2]int{64, 64}}, {"alone", 3, [2]int{28, 28}}, {"mixed", 5, [2]int{171, 177}}} {
		rules := rulesOf(t, load(t, open16))
		rules.Reverse = c.reverse
		for code, piece := range rules.Pieces {
			piece.Speed = c.speed
			rules.Pieces[code] = piece
		}
		g := newReferenceGame(rules)
		if got := [2]int{len(g.templates[0]), len(g.templates[1])}; got != c.counts {
			t.Errorf("%s, speed %d: %v end states, want %v", c.reverse, c.speed, got, c.counts)
		}
	}
	if got := load(t, zhOpen).Game.Spec().Actions; got != 10*177*4+1 {
		t.Errorf("mixed: %d actions", got)
	}
}

func TestShotsOfThreeDirectionGunsAreLeftAheadRight(t *testing.T) {
	const position = "CLT@p1N,LT@h8NE CLT@a16S,LT@e11E,LT@h11E,LT@k11N w 0 0"
	for shot, text := range []string{"h8>h8/N", "h8>h8/N(e11)", "h8>h8/N(h11)", "h8>h8/N(k11)"} {
		wantNumber(t, open16, position, text, 1, 2, shot)
	}
}

func TestTheShotOfAOneDirectionGunIsTwo(t *testing.T) {
	wantNumber(t, open20, "CLT@t1N,TD@h8NE CLT@a20S,LT@h11E w 0 0", "h8>h8/N(h11)", 10, 2, 2)
}

func TestShotsOfTheMortarAreItsDistances(t *testing.T) {
	const position = "CLT@t1N,HM@h8NE CLT@a20S,LT@h11E,LT@h12E,LT@h13E w 0 0"
	for shot, text := range []string{"h8>h8/N", "h8>h8/N(h11)", "h8>h8/N(h12)", "h8>h8/N(h13)"} {
		wantNumber(t, open20, position, text, 12, 2, shot)
	}
}

func TestShotsAreNumberedByArcThenDistance(t *testing.T) {
	const odd = `tankchess/16x16{"pieces":{"LT":{"gun":{"arcs":[-3,0,4],"least":2,"greatest":3,"indirect":true}},"MT":{"gun":{"arcs":[1,2]}}},` + openBoard + `}`
	// Facing N from h8: −3 is SW, 4 is S.
	const position = "CLT@p1N,LT@h8NE,MT@b8NE CLT@a16S,LT@f6E,LT@e5E,LT@h10E,HT@h5N w 0 0"
	for text, shot := range map[string]int{"h8>h8/N(f6)": 1, "h8>h8/N(e5)": 2, "h8>h8/N(h10)": 3} {
		wantNumber(t, odd, position, text, 1, 2, shot)
	}
	wantNumber(t, odd, "CLT@p1N,LT@h8NE CLT@a16S,LT@h6E w 0 0", "h8>h8/N(h6)", 1, 2, 5)
	wantNumber(t, odd, "CLT@p1N,MT@b8NE CLT@a16S,LT@e11E,LT@d8E w 0 0", "b8>b8/N(e11)", 5, 2, 1)
	wantNumber(t, odd, "CLT@p1N,MT@b8NE CLT@a16S,LT@e11E,LT@d8E w 0 0", "b8>b8/N(d8)", 5, 2, 2)
	if got := load(t, odd).Game.Spec().Actions; got != 10*131*7+1 {
		t.Errorf("%d actions, want S = 7", got)
	}
}

func TestTheEscapeIsTheLastActionAndCountedAlways(t *testing.T) {
	for variant, actions := range map[string]int{"tankchess/16x16": 5241, "tankchess/20x20": 7337, "tankchess/16x16/no-escape": 5241, "tankchess/16x16/zh": 7081} {
		if got := load(t, variant).Game.Spec().Actions; got != actions {
			t.Errorf("%s: %d actions, want %d", variant, got, actions)
		}
	}
	if got := number(t, open16, "CLT@h16N CLT@a1S w 0 0", "h16>off"); got != 5240 {
		t.Errorf("the escape is action %d", got)
	}
	if legal := setUp(t, "tankchess/16x16/no-escape", "CLT@h16N CLT@a1S w 0 0").Legal(nil); slices.Contains(legal, 5240) {
		t.Error("the escape is legal without leaving")
	}
}

// What a position text may leave out, and how its entries are given their slots.

func TestATextMayListFewerPieces(t *testing.T) {
	for _, text := range []string{"CLT@h1N CLT@i16S w 0 0", "CLT@h1N,HT@a1N CLT@i16S,LT@c3#,MT@d8E b 7 9", "CLT@h1N,LT@c3N,LT@d3#,HT@a1N CLT@i16S w 0 0"} {
		if got := env.PositionText(setUp(t, open16, text)); got != text {
			t.Errorf("%s reads back as %s", text, got)
		}
	}
}

func TestEachEntryTakesTheFirstFreeSlotOfItsType(t *testing.T) {
	wantNumber(t, open16, "CLT@h1N,HT@e8NE CLT@a16S w 0 0", "e8>e8/N", 8, 2, 0)
	wantNumber(t, open16, "CLT@h1N,LT@m9#,LT@e8NE CLT@a16S w 0 0", "e8>e8/N", 2, 2, 0)
	// In any order within a type, which then gives the slots.
	wantNumber(t, open16, "CLT@h1N,LT@m9N,LT@e8NE,LT@c3N CLT@a16S w 0 0", "e8>e8/N", 2, 2, 0)
	wantNumber(t, open16, "CLT@h1N,LT@c3N,LT@m9N,LT@e8NE CLT@a16S w 0 0", "e8>e8/N", 3, 2, 0)
}

func TestOnlyPositionsThatPrintWouldWriteAreAccepted(t *testing.T) {
	game := load(t, "tankchess/16x16").Game
	s := env.NewState(game)
	for name, text := range map[string]string{
		"types out of order":           "LT@c3N,CLT@h1N CLT@i16S w 0 0",
		"more of a type than slots":    "CLT@h1N,HT@a1N,HT@b1N,HT@d1N CLT@i16S w 0 0",
		"no command tank":              "LT@c3N CLT@i16S w 0 0",
		"two command tanks":            "CLT@h1N,CLT@g1N CLT@i16S w 0 0",
		"two pieces on a square":       "CLT@h1N,LT@h1N CLT@i16S w 0 0",
		"a piece on a wreck":           "CLT@h1N,LT@c3# CLT@i16S,LT@c3N w 0 0",
		"a piece on an obstacle":       "CLT@h1N,LT@k2N CLT@i16S w 0 0",
		"a wreck with a facing":        "CLT@h1N,LT@c3N# CLT@i16S w 0 0",
		"a piece without a facing":     "CLT@h1N,LT@c3 CLT@i16S w 0 0",
		"another piece off the board":  "CLT@h1N,LT@off CLT@i16S w 0 0",
		"the mover off the board":      "CLT@off CLT@i16S w 0 0",
		"both off the board":           "CLT@off CLT@off b 0 0",
		"a type of no army":            "CLT@h1N,TD@c3N CLT@i16S w 0 0",
		"a square off the board":       "CLT@h17N CLT@i16S w 0 0",
		"an empty side":                " CLT@i16S w 0 0",
		"two blanks":                   "CLT@h1N  CLT@i16S w 0 0",
		"a field missing":              "CLT@h1N CLT@i16S w 0",
		"a side that is none":          "CLT@h1N CLT@i16S x 0 0",
		"a leading zero":               "CLT@h1N CLT@i16S w 00 0",
		"a sign":                       "CLT@h1N CLT@i16S w +1 0",
		"a comma at the end":           "CLT@h1N, CLT@i16S w 0 0",
		"a lost tank of the one moved": "CLT@h1N CLT@i16# w 0 0",
	} {
		if err := s.SetPosition(text); err == nil {
			t.Errorf("%s is accepted: %q", name, text)
		}
		if got := env.PositionText(s); got != game.Spec().StartText {
			t.Fatalf("%s leaves %s", name, got)
		}
	}
	for _, variant := range []string{"tankchess/16x16/zh", "tankchess/16x16/no-escape"} {
		if err := env.NewState(load(t, variant).Game).SetPosition("CLT@off CLT@i16S b 1 1"); err == nil {
			t.Errorf("%s: a command tank has left the board", variant)
		}
	}
}

func TestAPositionTextCarriesNoHistory(t *testing.T) {
	s := setUp(t, open16, "CLT@h1N CLT@i16S w 0 0")
	for range 3 {
		playTexts(t, s, "h1>h2/N", "i16>i15/S", "h2>h1/N", "i15>i16/S")
		wantEnd(t, s, 0, env.NoReason)
		if err := s.SetPosition(env.PositionText(s)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOnlyTheWrittenFormOfAMoveIsAccepted(t *testing.T) {
	wantIllegal(t, open16, "CLT@h16N,LT@e4NE CLT@a1S,LT@e6E w 0 0",
		"", "e4", "e4>e4", "e4>e4/", "e4>e4/n", "e4-e4/N", "e4>e4/N ", " e4>e4/N", "e4>e4/N()", "e4>e4/N(e6", "e4>e4/N(e6))", "e4>e4/Ne6", "e4>e4/N(e7)",
		"E4>e4/N", "e04>e4/N", "h16>OFF", "h16>off/N", "h16>off(e6)", "e4>off")
}
