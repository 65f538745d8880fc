package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// edited writes the rules of a preset to a file, changed as a designer would
// change them, and returns the file's name.
func edited(t *testing.T, preset string, change func(rules map[string]any)) string {
	t.Helper()
	var rules map[string]any
	if err := json.Unmarshal([]byte(done(t, "", "rules", preset)), &rules); err != nil {
		t.Fatal(err)
	}
	rules["name"] = "my game"
	change(rules)
	text, err := json.MarshalIndent(rules, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return ruleFile(t, string(text))
}

// inner returns an object inside of rules.
func inner(rules map[string]any, path ...string) map[string]any {
	for _, name := range path {
		rules = rules[name].(map[string]any)
	}
	return rules
}

func TestAGameOfOnesOwnIsAFile(t *testing.T) {
	for _, c := range []struct {
		what, preset string
		change       func(rules map[string]any)
		differs      string // what the check says
		shows        string // what the start looks like
	}{
		{"target, points, range and directions", "trench/standard", func(rules map[string]any) {
			rules["target_points"] = 12
			inner(rules, "pieces", "S")["points"] = 7
			inner(rules, "pieces", "G")["longest_move"] = 7
			inner(rules, "pieces", "P")["directions"] = []string{"NE", "N", "E"}
		}, `pieces.P.directions is ["N","NE","E"] instead of ["N","E","S","W"]`, "Black to move"},
		{"columns and seeds", "ntxuva/basic", func(rules map[string]any) {
			rules["columns"], rules["seeds"] = 5, 3
		}, "columns is 5 instead of 6", "South to move"},
		{"a new piece type in another army list", "tankchess/16x16", func(rules map[string]any) {
			inner(rules, "pieces")["SC"] = map[string]any{"name": "Scout Car", "order": 150, "value": 1, "speed": 7,
				"armour": map[string]any{"front": 0, "side": 0, "rear": 0}, "power": 1,
				"gun": map[string]any{"arcs": []int{-1, 0, 1, 4}, "least": 1, "greatest": 6}}
			white := inner(rules, "layout", "white")
			white["SC"] = []string{"g1", "i1NE"}
			white["HT"] = []string{"c1"}
		}, `layout.white.SC is added: ["g1","i1NE"]`, "White to move"},
		{"a small board with facings and obstacles of its own", "tankchess/16x16", func(rules map[string]any) {
			rules["layout"] = map[string]any{"size": 8, "obstacles": []string{"d4", "e5"},
				"white": map[string]any{"CLT": []string{"d1"}, "LT": []string{"b1NE", "f2W"}},
				"black": map[string]any{"CLT": []string{"e8"}, "LT": []string{"g8", "c7SW"}}}
		}, "layout.size is 8 instead of 16", "White to move"},
		{"the largest board", "tankchess/16x16", func(rules map[string]any) {
			rules["layout"] = map[string]any{"size": 24, "obstacles": []string{"l12"}, "water": []string{"a12", "x13"},
				"white": map[string]any{"CLT": []string{"l1"}, "HT": []string{"k3", "m3"}}}
		}, "layout.size is 24 instead of 16", "White to move"},
		{"layout and points", "tankbattle/standard", func(rules map[string]any) {
			inner(rules, "points")["elsewhere"] = 0
			layout := inner(rules, "layout")
			layout["mines"] = []string{"c3", "i9"}
			layout["contaminated"] = []string{}
		}, `layout.mines is ["c3","i9"] instead of`, "White to move"},
		{"a small board of tanks", "tankbattle/standard", func(rules map[string]any) {
			rules["layout"] = map[string]any{"size": 6, "white_base": []string{"e1", "f1", "f2"}, "white_commander": "f1",
				"black_base": []string{"a5", "a6", "b6"}, "black_commander": "a6", "contaminated": []string{"c3", "d4"}, "mines": []string{"b2", "e5"}}
		}, "layout.size is 6 instead of 11", "White to move"},
	} {
		file := edited(t, c.preset, c.change)
		check := done(t, "", "rules", "--check", file)
		if !strings.Contains(check, c.differs) {
			t.Errorf("%s: the check says\n%s\nwant %s", c.what, check, c.differs)
		}
		if show := done(t, "", "show", "@"+file); !strings.Contains(show, c.shows) {
			t.Errorf("%s: the board is\n%s", c.what, show)
		}
		if perft := done(t, "", "perft", "@"+file, "--depth", "1"); perft == "0\n" {
			t.Errorf("%s: there is no first move", c.what)
		}
		out := smallFarm(t, "@"+file, "--episodes", "4", "--max-plies", "60", "--workers", "1")
		if proved := done(t, "", "dataset", "verify", out); !strings.Contains(proved, "verified: 4 games") {
			t.Errorf("%s: %s", c.what, proved)
		}
		if info := done(t, "", "dataset", "info", out); !strings.Contains(info, "my game") {
			t.Errorf("%s: the data set does not name its rules:\n%s", c.what, info)
		}
	}
}
