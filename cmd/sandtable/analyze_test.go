package main

import (
	"encoding/json"
	"strings"
	"testing"
)

const winNow = "7g/8/8/8/8/3Gs3/8/8 b 23-0 0 0"

func TestAnalyzeShowsTheWinningMove(t *testing.T) {
	o := sandtable(t, "", "analyze", "trench/standard", "--position", winNow, "--depth", "3", "--lines", "2")
	if o.code != exitDone || !strings.Contains(o.out, "    win in 1  at depth 3   d3-e3xe3\n") || !strings.Contains(o.out, "Black to move; depth ") {
		t.Errorf("exit code %d\n%s%s", o.code, o.out, o.err)
	}
	if lines := strings.Count(o.out[strings.Index(o.out, "\n\n"):], "\n") - 2; lines != 2 {
		t.Errorf("%d lines in\n%s", lines, o.out)
	}
	if !strings.HasPrefix(o.err, "depth 1  win in 1  ") {
		t.Errorf("it thinks\n%s", o.err)
	}
}

func TestAnalyzeWritesJSON(t *testing.T) {
	for _, variant := range []string{"trench/standard", "ntxuva/basic", "tankchess/16x16", "tankbattle/standard"} {
		text := done(t, "", "analyze", variant, "--nodes", "2000", "--lines", "3", "--json")
		var got analysisJSON
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if got.Variant != variant || got.Nodes != 2000 || len(got.Lines) != 3 || got.Interrupted || got.NodesPerSecond <= 0 {
			t.Errorf("%+v", got)
		}
		for i, line := range got.Lines {
			if line.Depth != got.Depth || i > 0 && line.Score > got.Lines[i-1].Score {
				t.Errorf("%s: the lines are not those of depth %d in order: %+v", variant, got.Depth, got.Lines)
			}
		}
		firsts := map[string]bool{}
		for _, line := range got.Lines {
			firsts[line.Moves[0]] = true
			replayed := sandtable(t, strings.Join(line.Moves, " "), "replay", variant)
			if replayed.code != exitDone {
				t.Errorf("%s: line %v is not legal: %s", variant, line.Moves, replayed.err)
			}
		}
		if len(firsts) != 3 {
			t.Errorf("%s: the lines begin with %v", variant, firsts)
		}
	}
}

func TestAnalyzeTwiceFindsTheSame(t *testing.T) {
	analysis := func() (got analysisJSON) {
		text := done(t, "", "analyze", "ntxuva/basic", "--agent", "alphabeta:nodes=3000,noise=9", "--lines", "2", "--json")
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		got.Seconds, got.NodesPerSecond = 0, 0
		return got
	}
	one, err := json.Marshal(analysis())
	if err != nil {
		t.Fatal(err)
	}
	if two, err := json.Marshal(analysis()); err != nil || string(one) != string(two) {
		t.Errorf("%s\n%s\n%v", one, two, err)
	}
}

func TestAnalyzeSaysWhatIsWrong(t *testing.T) {
	over := "7g/8/8/8/8/8/8/7G w 25-0 0 0"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--agent", "greedy"}, "agent greedy does not report lines of play"},
		{[]string{"--agent", "alphabeta:depth=2", "--depth", "3"}, "--agent excludes --depth and --nodes"},
		{[]string{"--depth", "0"}, "must limit the search"},
		{[]string{"--depth", "-1"}, `option depth is "-1"`},
		{[]string{"--lines", "0"}, "--lines is 0, must be 1 or more"},
		{[]string{"--position", over}, "the game is over in this position: first, points"},
		{[]string{"--position", "x"}, "position"},
	} {
		o := sandtable(t, "", append([]string{"analyze", "trench/standard"}, c.args...)...)
		if o.code != exitUsage || !strings.Contains(o.err, c.want) || o.out != "" {
			t.Errorf("%v: exit code %d, %s%s; must say %s", c.args, o.code, o.out, o.err, c.want)
		}
	}
}
