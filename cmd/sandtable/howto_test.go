package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/games"
)

func TestRulesExplainEveryVariant(t *testing.T) {
	for _, name := range games.Presets() {
		text := done(t, "", "rules", name, "--text")
		if strings.HasSuffix(name, "/standard") || name == "ntxuva/basic" || name == "tankchess/16x16" {
			envtest.Golden(t, "testdata/howto/"+strings.ReplaceAll(name, "/", "-")+".txt", []byte(text))
		}
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimSpace(line)); n > textWidth {
				t.Errorf("%s: a line of %d characters: %s", name, n, line)
			}
		}
	}
}

func TestRulesExplainCustomPieces(t *testing.T) {
	text := done(t, "", "rules", `trench/standard{"pieces":{"P":{"longest_move":3}}}`, "--text")
	for _, want := range []string{"Soldier (P): moves 1 to 3 squares", "The text above the pieces describes trench/standard", "pieces.P.longest_move"} {
		if !strings.Contains(text, want) {
			t.Errorf("the rules lack %q:\n%s", want, text)
		}
	}
	if o := sandtable(t, "", "rules", "trench/standard", "--text", "--json"); o.code != exitUsage {
		t.Errorf("--text with --json: exit code %d", o.code)
	}
}
