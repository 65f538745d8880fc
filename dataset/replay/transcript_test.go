package replay_test

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

func TestATranscriptIsWhatTextWrote(t *testing.T) {
	for _, variant := range []string{"trench/standard", "ntxuva/basic", "tankchess/16x16", "tankbattle/standard"} {
		r := play(t, variant, "greedy", "random", 60) // cut off in some games
		v, err := games.Lookup(variant)
		if err != nil {
			t.Fatal(err)
		}
		for _, ep := range r.episodes {
			var out strings.Builder
			if err := replay.Text(&out, &r.settings, ep, false); err != nil {
				t.Fatal(err)
			}
			game, err := replay.ReadTranscript(strings.NewReader(out.String()))
			if err != nil {
				t.Fatalf("%v in\n%s", err, out.String())
			}
			if game.Headers[replay.DigestHeader] != v.Digest || game.Headers[replay.StartHeader] != ep.Start || len(game.Moves) != ep.Plies() {
				t.Errorf("%s: headers %v and %d moves of\n%s", variant, game.Headers, len(game.Moves), out.String())
			}
			_, moves, _ := strings.Cut(out.String(), "\n\n")
			for line := range strings.SplitSeq(moves, "\n") {
				if len(line) > 80 {
					t.Errorf("%s: a line of %d characters: %s", variant, len(line), line)
				}
			}
			s := env.NewState(v.Game)
			for _, move := range game.Moves {
				action, err := s.ParseAction(move)
				if err != nil {
					t.Fatal(err)
				}
				s.Apply(action)
			}
			if s.Hash() != ep.FinalHash {
				t.Errorf("%s: the moves of episode %d lead to %s", variant, ep.Number, env.PositionText(s))
			}
		}
	}
}

func TestTranscriptsHoldHeadersNumbersAndRemarks(t *testing.T) {
	for _, c := range []struct {
		text  string
		moves string
	}{
		{"", ""},
		{"d1-f3  e8-d7\n\tf3-f4", "d1-f3 e8-d7 f3-f4"},
		{"[Start \"a b\"]\r\n\r\n1. 5 3. 10\r\n", "5 10"},
		{"5{five}6 {two\n[Start \"x\"] lines} 7{}8", "5 6 7 8"},
		{"12.5 . x. 3.", "12.5 x."},
	} {
		game, err := replay.ReadTranscript(strings.NewReader(c.text))
		if err != nil || strings.Join(game.Moves, " ") != c.moves {
			t.Errorf("%q is read as %+v, %v; its moves are %s", c.text, game, err, c.moves)
		}
	}
	game, err := replay.ReadTranscript(strings.NewReader(`[Start "7g/8 \"b\" 0"]` + "\n[Start \"again\"]\n[A \"\"]\n"))
	if want := map[string]string{"Start": `7g/8 "b" 0`, "A": ""}; err != nil || !reflect.DeepEqual(game.Headers, want) {
		t.Errorf("headers %v, %v", game, err)
	}
}

func TestWrongTranscriptsAreRefusedByTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"5\n[Start]\n":            `line 2: header is "[Start]", must have the form [NAME "VALUE"]`,
		"[Start \"x\"\n":          `line 1: header is "[Start \"x\""`,
		"[\x1b[2J\n":              `line 1: header is`,
		"[ \"x\"]\n":              "must have the form",
		"[Start x]\n":             "must have the form",
		"5 {remark\n6\n":          "line 1: remark that begins with { has no }",
		"5 {a} {b\nc} 6\n{d\n{\n": "line 3: remark",
	} {
		if _, err := replay.ReadTranscript(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := replay.ReadTranscript(strings.NewReader("[" + strings.Repeat("x", 1<<20))); err == nil || len(err.Error()) > 200 {
		t.Errorf("a long header gives an error of %d bytes", len(err.Error()))
	}
	broken := errors.New("broken")
	if _, err := replay.ReadTranscript(io.MultiReader(strings.NewReader("5 "), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("an input that breaks off gives %v", err)
	}
}

func FuzzTranscript(f *testing.F) {
	f.Add("[Start \"x\"]\n\n1. d1-f3 e8-d7 {two}\n")
	f.Add("[a \"\\x00\"]{")
	f.Fuzz(func(t *testing.T, text string) {
		game, err := replay.ReadTranscript(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, move := range game.Moves {
			if move == "" || strings.ContainsAny(move, " \t\n{") {
				t.Errorf("%q has the move %q", text, move)
			}
		}
	})
}
