package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestACopyThatKeepsThePresetsNameIsWarnedOf(t *testing.T) {
	rules := done(t, "", "rules", "ntxuva/4")
	file := filepath.Join(t.TempDir(), "mine.json")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const check = `warning: name is "ntxuva/4", the name of a preset with other rules`
	const log = "the rules differ from the preset of the same name"
	farm := []string{"farm", "@" + file, "--agent", "random", "--episodes", "2", "--listen", "off", "--out", filepath.Join(t.TempDir(), "run")}
	changed := strings.Replace(rules, `"repetition": 3`, `"repetition": 4`, 1)
	if changed == rules {
		t.Fatalf("the rules are\n%s", rules)
	}
	// The digest of the copy is that of the preset, so an author removes it.
	lines := strings.SplitAfter(changed, "\n")
	for i, line := range lines {
		if strings.Contains(line, `"digest"`) {
			lines[i] = ""
		}
	}
	for text, warned := range map[string]bool{
		strings.Join(lines, ""): true,
		rules:                   false,
		strings.Replace(strings.Join(lines, ""), `"ntxuva/4"`, `"mine"`, 1): false,
	} {
		write(text)
		if o := sandtable(t, "", "rules", "--check", file); o.code != exitDone || strings.Contains(o.out, check) != warned {
			t.Errorf("warned should be %t: code %d\n%s%s", warned, o.code, o.out, o.err)
		}
		for _, args := range [][]string{{"show", "@" + file}, {"play", "@" + file}, farm} {
			if o := sandtable(t, "", args...); strings.Contains(o.err, log) != warned {
				t.Errorf("%v: warned should be %t:\n%s", args, warned, o.err)
			}
		}
		farm[len(farm)-1] = filepath.Join(t.TempDir(), "run")
	}
}
