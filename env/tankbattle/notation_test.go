package tankbattle_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/tankbattle"
	"github.com/sandtable-farm/sandtable/env/variant"
)

const startText = "ctttt6/tttt7/ttt8/tt9/11/11/11/9TT/8TTT/7TTTT/6TTTTC w 0 0"

func TestMoveTextsAreAbsoluteAndMarkCaptures(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "b", "Ta1 ta3 tk11")
	wantLegal(t, s, true, "a3xa1", "a3-a2", "k11-k10")
}

func TestMoveErrorsSayWhatWouldBeRight(t *testing.T) {
	s := pieces(t, "tankbattle/standard", "w", "Ta1 Cd4 te2 tb2")
	for text, want := range map[string]string{
		"":         "does not begin with a square",
		"l1-a4":    "off the board, which is a1 to k11",
		"a1":       "must be - or x and the landing square",
		"a1-":      "does not begin with a square",
		"a1 a2":    "must be - or x and the landing square",
		"a1-a2xb3": "the move is written a1-a2",
		"c3-c4":    "there is no piece on c3",
		"b2-b3":    "the Tank on b2 belongs to Black, and White is to move",
		"a1-c3":    "the Tank on a1 may go to a2, a3, a4",
		"a1-b2":    "the move is written a1xb2",
		"a1xa2":    "the move is written a1-a2",
	} {
		if _, err := s.ParseAction(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	over := pieces(t, "tankbattle/standard", "w", "Ca11 tb1")
	if _, err := over.ParseAction("b1-b2"); err == nil || !strings.Contains(err.Error(), "the game is over (all_home)") {
		t.Errorf("%v", err)
	}
	shut := pieces(t, "tankbattle/standard", "w", "Tg1 Th1 Ti1 Th2 Tg2 Tf1 Tf2 ta11")
	if _, err := shut.ParseAction("g1-g3"); err == nil || !strings.Contains(err.Error(), "the Tank on g1 has no legal move") {
		t.Errorf("%v", err)
	}
}

func TestPositionErrorsSayWhatWouldBeRight(t *testing.T) {
	s := env.NewState(load(t, "tankbattle/standard").Game)
	envtest.Play(t, s, "j4-i5")
	before := env.PositionText(s)
	const ten = "11/11/11/11/11/11/11/11/11/11/"
	for text, want := range map[string]string{
		"":                        "1 fields, must have 4",
		startText + " ":           "5 fields",
		" " + startText:           "5 fields",
		"11/11 w 0 0":             "2 rows, must have 11",
		ten + "10 w 0 0":          "with 10 squares, must have 11",
		ten + "T11 w 0 0":         "with 12 squares, must have 11",
		ten + "12 w 0 0":          "with 12 empty squares, must be 1 to 11",
		ten + "011 w 0 0":         "without leading zeros",
		ten + "T0C9 w 0 0":        "with 0 empty squares",
		ten + "99999999999 w 0 0": "must be 1 to 11",
		ten + "X10 w 0 0":         `with "X", must have pieces`,
		ten + "CC9 w 0 0":         "has 2 commanders of White, may have 1",
		"11/11/11/11/11/11/11/11/11/TTTTTTTTTTT/TTTTTT5 w 0 0": "mine d2",
		"11/11/11/11/11/11/11/TTTTTTTTTTT/11/11/TTT8 w 0 0":    "has 14 tanks of White, may have 13",
		"11/11/11/11/11/5t5/11/11/11/11/11 w 0 0":              "has t on the contaminated square f6",
		"11/11/11/11/11/11/2C8/11/11/11/11 w 0 0":              "has C on the mine c5",
		ten + "T10 x 0 0":          "must be w or b",
		ten + "T10 w 00 0":         "leading zeros",
		ten + "T10 w -1 0":         "not a whole number",
		ten + "T10 w 0 ":           "a number is missing",
		ten + "T10 w 0 2000000000": "too great",
	} {
		if err := s.SetPosition(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if env.PositionText(s) != before {
		t.Error("a refused position changed the state")
	}
}

func TestCountersThatContradictTheBoardAreAccepted(t *testing.T) {
	const text = "ctttt6/tttt7/ttt8/tt9/11/11/11/9TT/8TTT/7TTTT/6TTTTC b 99 3"
	if got := env.PositionText(position(t, "tankbattle/standard", text)); got != text {
		t.Errorf("%s", got)
	}
}

func FuzzSetPosition(f *testing.F) {
	f.Add(startText)
	f.Add("c2Tt6/tt7T1/2t3t2t1/tT9/10T/1t3C5/3t3t3/1T5T3/11/7T3/T3T1T1T2 b 1 60")
	s := env.NewState(load(f, "tankbattle/duel-either").Game)
	rules := rulesOf(f, "tankbattle/duel-either")
	f.Fuzz(func(t *testing.T, text string) {
		if s.SetPosition(text) != nil {
			return
		}
		if got := env.PositionText(s); got != text {
			t.Fatalf("%q prints as %q", text, got)
		}
		if err := agree(s, newReference(rules, text)); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzParseAction(f *testing.F) {
	f.Add("a1-a2")
	f.Add("a1xb2")
	s := pieces(f, "tankbattle/standard", "w", "Ta1 Cd4 te2 tb2")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := s.ParseAction(text)
		if err != nil {
			return
		}
		if full := env.ActionText(s, a); full != text {
			t.Fatalf("%q parses as %s", text, full)
		}
	})
}

func FuzzRules(f *testing.F) {
	f.Add(`{"layout":{"mines":["c5"]}}`)
	f.Add(mirrored[len("tankbattle/standard"):])
	f.Fuzz(func(t *testing.T, patch string) {
		v, err := variant.Load([]variant.Engine{tankbattle.Engine()}, "tankbattle/standard"+patch, nil)
		if err != nil {
			return
		}
		if s := env.NewState(v.Game); len(s.Legal(nil)) == 0 {
			t.Fatalf("%s starts without a legal move", patch)
		}
		v.Warnings()
		if _, err := variant.FromRules([]variant.Engine{tankbattle.Engine()}, v.Rules, v.Digest); err != nil {
			t.Fatal(err)
		}
	})
}
