package trench_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/trench"
	"github.com/sandtable-farm/sandtable/env/variant"
)

const startText = "4sclg/4pscl/4ppsc/4ppps/SPPP4/CSPP4/LCSP4/GLCS4 b 0-0 0 0"

func TestMoveTextListsCapturesInWalkingOrder(t *testing.T) {
	s := position(t, "trench/standard", "8/8/5G2/4p3/3p4/8/8/7g b 0-0 0 0")
	a, err := s.ParseAction("f6-e5xe5")
	if err != nil || env.ActionText(s, a) != "f6-e5xe5" {
		t.Errorf("%v %v", a, err)
	}
}

func TestParsingAcceptsTheTwoSquaresAlone(t *testing.T) {
	s := position(t, "trench/standard", "8/8/8/8/4Gpp1/8/8/7g b 0-0 0 0")
	short, err := s.ParseAction("e4-g4")
	if err != nil {
		t.Fatal(err)
	}
	if long, err := s.ParseAction("e4-g4xf4xg4"); err != nil || long != short {
		t.Errorf("%d (%v), want %d", long, err, short)
	}
}

func TestMoveErrorsSayWhatWouldBeRight(t *testing.T) {
	s := position(t, "trench/standard", "8/8/8/8/4Gpp1/8/8/P6g b 0-0 0 0")
	for text, want := range map[string]string{
		"":               "does not begin with a square",
		"e9-e4":          "off the board",
		"e4":             "must be - and the landing square",
		"e4-":            "does not begin with a square",
		"e4 g4":          "must be - and the landing square",
		"b2-b3":          "there is no piece on b2",
		"f4-f5":          "belongs to White, and Black is to move",
		"a1-b2":          "the Soldier on a1 may go to a2, b1",
		"e4-g4xf4":       "the move is written e4-g4xf4xg4",
		"e4-g4xg4xf4":    "the move is written e4-g4xf4xg4",
		"e4-e5xe5":       "the move is written e4-e5",
		"e4-g4xf4xg4xh4": "the move is written e4-g4xf4xg4",
	} {
		if _, err := s.ParseAction(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	over := position(t, "trench/standard", "7g/8/8/8/8/8/8/G7 b 0-25 0 0")
	if _, err := over.ParseAction("a1-a2"); err == nil || !strings.Contains(err.Error(), "the game is over (points)") {
		t.Errorf("%v", err)
	}
}

func TestPositionErrorsSayWhatWouldBeRight(t *testing.T) {
	s := env.NewState(load(t, "trench/standard").Game)
	envtest.Play(t, s, "a4-a5")
	before := env.PositionText(s)
	for text, want := range map[string]string{
		"":                                    "1 fields, must have 5",
		startText + " ":                       "6 fields",
		" " + startText:                       "6 fields",
		"8/8/8/8/8/8/8 b 0-0 0 0":             "7 rows",
		"8/8/8/8/8/8/8/7 b 0-0 0 0":           "rank 1 with 7 squares",
		"8/8/8/8/8/8/8/9 b 0-0 0 0":           "9 empty squares, must be 1 to 8",
		"8/8/8/8/8/8/8/44 b 0-0 0 0":          "44 empty squares, must be 1 to 8",
		"8/8/8/8/8/8/8/X7 b 0-0 0 0":          `with "X", must have pieces (GLCSP, glcsp) and digits`,
		"8/8/8/8/8/8/8/GG6 b 0-0 0 0":         "more than 1 G",
		"8/8/8/8/8/8/8/PPPPPPPP b 0-0 0 0":    "more than 6 P",
		"8/8/8/8/8/8/8/GGGGGGGGG b 0-0 0 0":   "9 squares",
		"8/8/8/8/8/8/8/G7 x 0-0 0 0":          "must be b or w",
		"8/8/8/8/8/8/8/G7 b 0 0 0":            "such as 12-7",
		"8/8/8/8/8/8/8/G7 b 00-0 0 0":         "leading zeros",
		"8/8/8/8/8/8/8/G7 b -1-0 0 0":         "a number is missing",
		"8/8/8/8/8/8/8/G7 b 0-0 +1 0":         "not a whole number",
		"8/8/8/8/8/8/8/G7 b 0-0 0 ":           "a number is missing",
		"8/8/8/8/8/8/8/G7 b 0-0 0 2000000000": "too great",
	} {
		if err := s.SetPosition(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if env.PositionText(s) != before {
		t.Error("a refused position changed the state")
	}
}

func TestContradictoryPointsAndCountersAreAccepted(t *testing.T) {
	const text = "4sclg/4pscl/4ppsc/4ppps/SPPP4/CSPP4/LCSP4/GLCS4 b 24-24 99 0"
	if got := env.PositionText(position(t, "trench/standard", text)); got != text {
		t.Errorf("%s", got)
	}
}

func FuzzSetPosition(f *testing.F) {
	f.Add(startText)
	f.Add("8/8/8/8/4Gpp1/8/8/P6g w 3-5 7 9")
	s := env.NewState(load(f, "trench/equal-turns").Game)
	f.Fuzz(func(t *testing.T, text string) {
		if s.SetPosition(text) != nil {
			return
		}
		if got := env.PositionText(s); got != text {
			t.Fatalf("%q prints as %q", text, got)
		}
		if err := agree(s, newReference(rulesOf(t, "trench/equal-turns"), text)); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzParseAction(f *testing.F) {
	f.Add("a4-c6")
	f.Add("e4-g4xf4xg4")
	s := position(f, "trench/standard", "8/8/8/8/4Gpp1/8/8/P6g b 0-0 0 0")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := s.ParseAction(text)
		if err != nil {
			return
		}
		if full := env.ActionText(s, a); !strings.HasPrefix(full, text) {
			t.Fatalf("%q parses as %s", text, full)
		}
	})
}

func TestRuleFaultsNameTheirFields(t *testing.T) {
	for patch, want := range map[string]string{
		`{"target_points":-1}`:                      "target_points is -1, must be 0 to 16000",
		`{"moves_each":10001}`:                      "moves_each is 10001, must be 0 to 10000",
		`{"repetition":1}`:                          "repetition is 1, must be 2 to 100",
		`{"no_progress":0}`:                         "no_progress is 0, must be 1 to 1000",
		`{"pieces":{"G":{"longest_move":8}}}`:       "pieces.G.longest_move is 8, must be 1 to 7",
		`{"pieces":{"P":{"points":1001}}}`:          "pieces.P.points is 1001, must be 0 to 1000",
		`{"pieces":{"P":{"directions":[]}}}`:        "pieces.P.directions is empty",
		`{"pieces":{"P":{"directions":["N","N"]}}}`: "pieces.P.directions names N twice",
		`{"pieces":{"P":{"directions":["U"]}}}`:     `pieces.P.directions must be a list of directions: direction "U"`,
		`{"pieces":{"P":{"directions":"N"}}}`:       "pieces.P.directions must be a list of directions",
		`{"pieces":{"P":{"name":""}}}`:              "pieces.P.name is \"\", must be plain ASCII",
		`{"pieces":{"P":null}}`:                     "pieces.P is missing",
		`{"pieces":{"Q":{"name":"Queen","longest_move":1,"points":1,"directions":["N"]}}}`: "pieces.Q is unknown",
		`{"start":"8/8/8/8/8/8/8/8"}`: "start has 0 G for Black, must have 1",
		`{"start":"8"}`:               "start is \"8\" with 1 rows",
		`{"start":"sssscccl/pppppplg/8/8/8/8/GLPPPPPP/LCCCSSSS","pieces":{"G":{"directions":["S"]},"L":{"directions":["S"]},"C":{"directions":["S"]},"S":{"directions":["S"]},"P":{"directions":["S"]}}}`: "which leaves Black without a legal move",
		`{"white":{"Q":{"longest_move":1}}}`: "white.Q is unknown",
		`{"white":{"P":{"longest_move":1}}}`: "white.P.longest_move is 1 as for Black; leave it out",
		`{"white":{"P":{"longest_move":8}}}`: "white.P.longest_move is 8, must be 1 to 7",
		`{"white":{"P":{}}}`:                 "white.P.longest_move is missing",
		`{"speed":1}`:                        "speed is unknown",
	} {
		_, err := variant.Load([]variant.Engine{trench.Engine()}, "trench/standard"+patch, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", patch, err, want)
		}
	}
}

func TestDirectionsAreCanonical(t *testing.T) {
	a := load(t, `trench/standard{"pieces":{"P":{"directions":["W","S","E","N"]}}}`)
	if b := load(t, "trench/standard"); a.Digest != b.Digest {
		t.Error("the order of directions changes the digest")
	}
}

func TestNewRefusesFaultyRules(t *testing.T) {
	if _, err := trench.New(trench.Rules{}); err == nil || !strings.Contains(err.Error(), "pieces.G is missing") {
		t.Errorf("%v", err)
	}
}

func TestActionCountFollowsTheLongestMove(t *testing.T) {
	for longest, want := range map[string]int{"5": 2560, "7": 3584, "1": 2048} {
		spec := load(t, `trench/standard{"pieces":{"G":{"longest_move":`+longest+`}}}`).Game.Spec()
		if spec.Actions != want || len(spec.ActionCells) != want || len(spec.ActionPlanes) != want/64 {
			t.Errorf("longest %s: %d actions, want %d", longest, spec.Actions, want)
		}
	}
}

func TestEndsMarkHouseRules(t *testing.T) {
	var got []string
	for _, end := range load(t, generalAndTurns).Game.Spec().Ends {
		text := end.Reason.String()
		if end.HouseRule {
			text += "*"
		}
		got = append(got, text)
	}
	if want := "points general annihilated armistice* no_move* repetition*"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func FuzzRules(f *testing.F) {
	f.Add(`{"pieces":{"G":{"longest_move":7}}}`)
	f.Fuzz(func(t *testing.T, patch string) {
		v, err := variant.Load([]variant.Engine{trench.Engine()}, "trench/standard"+patch, nil)
		if err != nil {
			return
		}
		if s := env.NewState(v.Game); len(s.Legal(nil)) == 0 {
			t.Fatalf("%s starts without a legal move", patch)
		}
		if _, err := variant.FromRules([]variant.Engine{trench.Engine()}, v.Rules, v.Digest); err != nil {
			t.Fatal(err)
		}
	})
}
