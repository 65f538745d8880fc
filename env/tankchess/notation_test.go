package tankchess_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
)

func TestMoveTextsNameSquaresFacingAndTarget(t *testing.T) {
	s := setUp(t, "tankchess/16x16{"+openBoard+"}", "CLT@h15N,LT@h2N CLT@a16S,LT@h10E w 0 0")
	for _, text := range []string{"h2>h3/N", "h2>h3/N(h10)", "h2>h2/NE", "h2>h1/N", "h15>off"} {
		a, err := s.ParseAction(text)
		if err != nil {
			t.Errorf("%v", err)
		} else if got := env.ActionText(s, a); got != text {
			t.Errorf("%q is written %q", text, got)
		}
	}
}

func TestMoveErrorsSayWhatIsWrong(t *testing.T) {
	s := setUp(t, "tankchess/16x16", "CLT@h1N,LT@h2N,LT@b2# CLT@a16S,LT@h10E w 0 0")
	for text, want := range map[string]string{
		"":              "does not begin with a square such as a1; a move is h3>f5/NW",
		"h2-h3/N":       "must be > and the end square, or >off",
		"h2":            "must be > and the end square, or >off",
		"h2>":           "does not begin with a square",
		"h2>q3/N":       "off the board",
		"h2>h3":         "must be / and the new facing",
		"h2>h3/":        `direction "" is not one of`,
		"h2>h3/n":       `direction "n" is not one of`,
		"h2>h8/N":       "the Light Tank on h2 cannot reach h8 facing N",
		"h2>h2/N":       "the Light Tank on h2 cannot reach h2 facing N",
		"h2>h3/N(":      "does not begin with a square",
		"h2>h3/N(h10":   "must be )",
		"h2>h3/N(h10)x": "must be )",
		"h2>h3/N(h11)":  "cannot destroy anything on h11 from h3 facing N",
		"h2>off":        "the Light Tank on h2 cannot leave the board",
		"h1>off":        "the Command Tank on h1 cannot leave the board",
		"c2>c3/N":       "no piece stands on c2",
		"b2>b3/N":       "the Light Tank on b2 is a wreck",
		"h10>h9/S":      "the piece on h10 is Black's, but White is to move",
		"h2>h3/N ":      `direction "N " is not one of`,
	} {
		if _, err := s.ParseAction(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	over := setUp(t, "tankchess/16x16", "CLT@h1N CLT@a16# b 0 0")
	if _, err := over.ParseAction("a16>a15/S"); err == nil || !strings.Contains(err.Error(), "the game is over (command_destroyed)") {
		t.Errorf("%v", err)
	}
}

func TestPositionErrorsSayWhatIsWrong(t *testing.T) {
	s := setUp(t, "tankchess/lakes", "CLT@h1N,ALT@c8N CLT@i16S w 3 9")
	for text, want := range map[string]string{
		"":                                     "has 1 fields, must have 5",
		"CLT@h1N CLT@i16S w 0 0 ":              "has 6 fields, must have 5",
		"CLT@h1N CLT@i16S w 0":                 "has 4 fields, must have 5",
		" CLT@i16S w 0 0":                      `White: entry "" is not a piece`,
		"CLT@h1N CLT@i16S x 0 0":               `side to move is "x", must be w or b`,
		"CLT@h1N CLT@i16S wb 0 0":              `side to move is "wb", must be w or b`,
		"CLT@h1N CLT@i16S w 01 0":              `quiet plies: "01" is not a whole number`,
		"CLT@h1N CLT@i16S w 0 ":                "plies played: a number is missing",
		"CLT@h1N CLT@i16S w 0 1000000001":      "plies played: 1000000001 is too great",
		"CLT@h1N CLT@i16S w 0 -1":              `plies played: "-1" is not a whole number`,
		"CLT@h1 CLT@i16S w 0 0":                `entry "CLT@h1": direction "" is not one of`,
		"CLT@h1n CLT@i16S w 0 0":               "# stands for a wreck",
		"CLT@h17N CLT@i16S w 0 0":              "square h17 is off the board",
		"CLT CLT@i16S w 0 0":                   `entry "CLT" is not a piece`,
		"CLT@h1N,XX@a1N CLT@i16S w 0 0":        `no slot is left for "XX@a1N"`,
		"CLT@h1N,CLT@a1N CLT@i16S w 0 0":       `no slot is left for "CLT@a1N"`,
		"CLT@h1N,MT@a1N,LT@a2N CLT@i16S w 0 0": "the slots are, in this order: 1 CLT, 2 LT, 2 ALT, 3 MT, 2 HT",
		"LT@a1N CLT@i16S w 0 0":                "White has no CLT, must have exactly 1",
		"CLT@h1N LT@a1N w 0 0":                 "Black has no CLT, must have exactly 1",
		"CLT@h1N,LT@off CLT@i16S w 0 0":        "White's Light Tank cannot be off the board",
		"CLT@h1N,LT@i16N CLT@i16S w 0 0":       "two pieces stand on i16",
		"CLT@h1N CLT@i16S,LT@b5# w 0 0":        "Black's Light Tank cannot stand on b5, whose terrain is closed to it",
		"CLT@h1N,LT@c8N CLT@i16S w 0 0":        "White's Light Tank cannot stand on c8",
		"CLT@h1N,ALT@a5N CLT@i16S w 0 0":       "White's Amphibious Light Tank cannot stand on a5",
		"CLT@off CLT@i16S w 0 0":               "the other player must be to move",
		"CLT@h1# CLT@i16S b 0 0":               "has lost the Command Tank; that player must be to move",
		"CLT@off CLT@i16# b 0 0":               "one Command Tank is off the board and the other destroyed",
		"CLT@h1N,LT@a1#N CLT@i16S w 0 0":       `direction "#N" is not one of`,
	} {
		if err := s.SetPosition(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if got := env.PositionText(s); got != "CLT@h1N,ALT@c8N CLT@i16S w 3 9" {
		t.Errorf("refused texts changed the position to %s", got)
	}
	never := setUp(t, "tankchess/16x16/no-escape", "CLT@h1N CLT@i16S w 0 0")
	if err := never.SetPosition("CLT@off CLT@i16S b 0 0"); err == nil {
		t.Error("a Command Tank can be off the board in a game without escape")
	}
}

func TestEntriesOfATypeGiveTheSlotsInTheirOrder(t *testing.T) {
	const text = "CLT@h1N,LT@m3N,LT@c3N,HT@a1# CLT@i16S b 7 200"
	s := setUp(t, "tankchess/16x16", text)
	if got := env.PositionText(s); got != text {
		t.Errorf("%s, want %s", got, text)
	}
	squares := map[int16]int16{}
	for _, p := range s.Pieces(nil) {
		squares[p.ID] = p.Square
	}
	if squares[1] != 2*16+12 || squares[2] != 2*16+2 || squares[8] != 0 || squares[10] != 15*16+8 || len(squares) != 5 {
		t.Errorf("pieces stand on %v by id", squares)
	}
}
