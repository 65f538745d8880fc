package tankchess_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/tankchess"
)

func TestWhiteMovesFirstOnBoardsOfSixteenAndTwenty(t *testing.T) {
	for name, size := range map[string]int{"tankchess/16x16": 16, "tankchess/20x20": 20, "tankchess/lakes": 16} {
		game := load(t, name).Game
		if spec := game.Spec(); spec.Width != size || spec.Height != size || spec.Players != [2]string{"White", "Black"} {
			t.Errorf("%s: %d × %d, players %v", name, spec.Width, spec.Height, spec.Players)
		}
		if p := env.NewState(game).Player(); p != env.First {
			t.Errorf("%s: player %d moves first", name, p)
		}
	}
}

func TestTheMoversFrameIsTheBoardTurnedForBlack(t *testing.T) {
	// The start is the same for both sides: so are the numbers of their actions.
	for _, name := range []string{"tankchess/16x16", "tankchess/20x20", "tankchess/16x16/zh", "tankchess/lakes"} {
		white := env.NewState(load(t, name).Game)
		black := setUp(t, name, strings.Replace(env.PositionText(white), " w ", " b ", 1))
		if !slices.Equal(white.Legal(nil), black.Legal(nil)) {
			t.Errorf("%s: White and Black have different actions", name)
		}
	}
	white, black := setUp(t, open16, "CLT@h1N CLT@i16S w 0 0"), setUp(t, open16, "CLT@h1N CLT@i16S b 0 0")
	a, err := white.ParseAction("h1>j3/NE")
	if err != nil {
		t.Fatal(err)
	}
	if text := env.ActionText(black, a); text != "i16>g14/SW" {
		t.Errorf("for Black the action is %s", text)
	}
}

func TestPiecesHaveTheNumbersOfTheTable(t *testing.T) {
	three, ahead := []int{-1, 0, 1}, []int{0}
	want := map[string]tankchess.Piece{
		"CLT": {Name: "Command Tank", Order: 100, Value: 0, Speed: 5, Armour: tankchess.Armour{Front: 1}, Power: 1, Gun: tankchess.Gun{Arcs: three, Least: 2}},
		"LT":  {Name: "Light Tank", Order: 200, Value: 1, Speed: 5, Armour: tankchess.Armour{Front: 1}, Power: 1, Gun: tankchess.Gun{Arcs: three, Least: 2}},
		"MT":  {Name: "Medium Tank", Order: 300, Value: 2, Speed: 4, Armour: tankchess.Armour{Front: 2, Side: 1}, Power: 2, Gun: tankchess.Gun{Arcs: three, Least: 2}},
		"HT":  {Name: "Heavy Tank", Order: 400, Value: 3, Speed: 3, Armour: tankchess.Armour{Front: 3, Side: 2, Rear: 1}, Power: 3, Gun: tankchess.Gun{Arcs: three, Least: 2}},
		"TD":  {Name: "Tank Destroyer", Order: 500, Value: 3, Speed: 4, Armour: tankchess.Armour{Front: 2, Side: 1}, Power: 4, Gun: tankchess.Gun{Arcs: ahead, Least: 2}},
		"HM":  {Name: "Heavy Mortar", Order: 600, Value: 3, Speed: 3, Armour: tankchess.Armour{Front: 1}, Power: 5, Gun: tankchess.Gun{Arcs: ahead, Least: 3, Greatest: 5, Indirect: true}},
	}
	for _, name := range []string{"tankchess/16x16", "tankchess/20x20", "tankchess/20x20/zh", "tankchess/20x20/no-escape", "tankchess/lakes"} {
		for code, piece := range rulesOf(t, load(t, name)).Pieces {
			w, known := want[code]
			same := piece.Name == w.Name && piece.Order == w.Order && piece.Value == w.Value && piece.Speed == w.Speed && piece.Armour == w.Armour &&
				piece.Power == w.Power && slices.Equal(piece.Gun.Arcs, w.Gun.Arcs) && piece.Gun.Least == w.Gun.Least &&
				piece.Gun.Greatest == w.Gun.Greatest && piece.Gun.Indirect == w.Gun.Indirect && !piece.Amphibious
			if code == "ALT" && name == "tankchess/lakes" {
				known, same = true, piece.Amphibious
			}
			if !known || !same {
				t.Errorf("%s: %s is %+v, want %+v", name, code, piece, w)
			}
		}
	}
}

func TestPresetsDifferAsThePageSays(t *testing.T) {
	for name, want := range map[string][3]string{
		"": {"alone", "diagonal_barred", "off_board"}, "/zh": {"mixed", "barred", "last_rank"}, "/no-escape": {"alone", "diagonal_barred", "never"},
	} {
		for _, board := range []string{"tankchess/16x16", "tankchess/20x20"} {
			r := rulesOf(t, load(t, board+name))
			if got := [3]string{r.Reverse, r.CornerExit, r.Escape}; got != want || !r.BackwardEscape || r.NoProgress != 100 || r.Repetition != 3 {
				t.Errorf("%s%s: %v %v %d %d, want %v", board, name, got, r.BackwardEscape, r.NoProgress, r.Repetition, want)
			}
		}
	}
}

func TestLayoutsHaveTheArmiesAndObstaclesOfThePage(t *testing.T) {
	for name, want := range map[string]struct {
		army      map[string]int
		obstacles int
	}{
		"tankchess/16x16": {map[string]int{"CLT": 1, "LT": 4, "MT": 3, "HT": 2}, 50},
		"tankchess/20x20": {map[string]int{"CLT": 1, "LT": 4, "MT": 3, "HT": 2, "TD": 2, "HM": 2}, 78},
	} {
		layout := rulesOf(t, load(t, name)).Layout
		army := map[string]int{}
		for code, starts := range layout.White {
			army[code] = len(starts)
		}
		if !maps.Equal(army, want.army) || len(layout.Obstacles) != want.obstacles || layout.Black != nil || len(layout.Water)+len(layout.Low)+len(layout.Hedges) != 0 {
			t.Errorf("%s: army %v, %d obstacles", name, army, len(layout.Obstacles))
		}
	}
}

func wantStart(t *testing.T, variant, want string) {
	t.Helper()
	if got := env.PositionText(env.NewState(load(t, variant).Game)); got != want {
		t.Errorf("%s starts with\n%s, want\n%s", variant, got, want)
	}
}

// smallArmies begins a patch that leaves two types a side.
const smallArmies = `tankchess/16x16{"layout":{"obstacles":[],"size":8,"white":{"MT":null,"HT":null,`

func TestBlackStartsAreWhitesTurnedUnlessTheFileGivesThem(t *testing.T) {
	wantStart(t, smallArmies+`"CLT":["c1"],"LT":["a2"]}}}`, "CLT@c1N,LT@a2N CLT@f8S,LT@h7S w 0 0")
	wantStart(t, smallArmies+`"CLT":["c1"],"LT":["a2"]},"black":{"CLT":["a8"],"LT":["c8","d7"]}}}`, "CLT@c1N,LT@a2N CLT@a8S,LT@c8S,LT@d7S w 0 0")
}

func TestPiecesFaceTheEnemyUnlessTheStartNamesAFacing(t *testing.T) {
	wantStart(t, smallArmies+`"CLT":["c1NE"],"LT":["a2W"]}}}`, "CLT@c1NE,LT@a2W CLT@f8SW,LT@h7E w 0 0")
	wantStart(t, smallArmies+`"CLT":["c1NE"],"LT":["a2W"]},"black":{"CLT":["a8"],"LT":["c8E"]}}}`, "CLT@c1NE,LT@a2W CLT@a8S,LT@c8E w 0 0")
}

func TestALayoutIsValidatedOnLoad(t *testing.T) {
	for patch, want := range map[string]string{
		`{"layout":{"obstacles":["q1"]}}`:                                 "layout.obstacles[0]",
		`{"layout":{"obstacles":["a5","a5"]}}`:                            "layout.obstacles[1]",
		`{"layout":{"white":{"LT":["c3","c3"]}}}`:                         "layout.white.LT[1]",
		`{"layout":{"white":{"LT":["c3","h1"]}}}`:                         "layout.white.",
		`{"layout":{"white":{"LT":["a17"]}}}`:                             "layout.white.LT[0]",
		`{"layout":{"white":{"LT":["k2"]}}}`:                              "layout.white.LT[0]",
		`{"layout":{"white":{"CLT":["h1","g1"]}}}`:                        "CLT",
		`{"layout":{"white":{"CLT":null}}}`:                               "CLT",
		`{"layout":{"black":{"LT":["a16"]}}}`:                             "CLT",
		`{"layout":{"white":{"XT":["a1"]}}}`:                              "layout.white.XT",
		`{"layout":{"obstacles":[],"hedges":["a5"],"water":["a5"]}}`:      "a5",
		`{"layout":{"obstacles":[],"low":["h1"]}}`:                        "layout.white.CLT[0]",
		`{"layout":{"obstacles":[],"water":["h1"]}}`:                      "layout.white.CLT[0]",
		`{"layout":{"white":{"LT":["c3Q"]}}}`:                             "layout.white.LT[0]",
		`{"layout":{"obstacles":["q1"],"size":16,"white":{"XT":["a1"]}}}`: "layout.obstacles[0]",
	} {
		wantFaults(t, "tankchess/16x16", patch, want)
	}
	wantFaults(t, "tankchess/16x16", `{"layout":{"obstacles":["q1"],"white":{"XT":["a1"]}}}`, "layout.obstacles[0]", "layout.white.XT")
	load(t, `tankchess/16x16{"layout":{"obstacles":[],"hedges":["h1"]}}`)
}

func wantWarning(t *testing.T, variant, want string) {
	t.Helper()
	var texts []string
	for _, w := range load(t, variant).Warnings() {
		if strings.Contains(w.Text, want) {
			return
		}
		texts = append(texts, w.Text)
	}
	t.Errorf("%s: warnings are %q, want one of %q", variant, texts, want)
}

func TestALayoutThatMayNotBeMeantIsWarnedOf(t *testing.T) {
	wantWarning(t, `tankchess/16x16{"layout":{"obstacles":["a5"]}}`, "not the same for both sides")
	wantWarning(t, smallArmies+`"CLT":["c1"],"LT":["a1"]},"black":{"CLT":["h8"],"LT":["a5W"]}}}`, "lets White destroy")
	wantWarning(t, `tankchess/16x16{"layout":{"obstacles":["g2","h2","i2","g1","i1"],"white":{"LT":null}}}`, "no way")
	for _, name := range []string{"tankchess/16x16", "tankchess/20x20", "tankchess/lakes"} {
		if w := load(t, name).Warnings(); len(w) > 0 {
			t.Errorf("%s is warned of: %v", name, w)
		}
	}
}

func TestTheScoreIsTheValueOfTheLiving(t *testing.T) {
	s := setUp(t, open20, "CLT@a1N,LT@c3N,MT@d3#,HT@e3N CLT@k20S,TD@f19S,HM@c20S,HM@d20# w 0 0")
	if white, black := s.Points(env.First), s.Points(env.Second); white != 1+3 || black != 3+3 {
		t.Errorf("points are %d and %d, want 4 and 6", white, black)
	}
	if score := env.Score(s, env.First); score != -2 {
		t.Errorf("White's score is %d", score)
	}
}
