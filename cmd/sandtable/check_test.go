package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env/games"
)

// ruleFile writes a rule file and returns its name.
func ruleFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "my.json")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

const faulty = `{
  "base": "trench/standard",
  "target_points": -1,
  "moves_eahc": 3,
  "pieces": {"G": {"longest_move": 9, "directions": ["N", "UP"]}}
}`

var faultyLines = []string{
	"3:3: error: target_points is -1, must be 0 to 16000",
	"4:3: error: moves_eahc is unknown; did you mean moves_each?",
	"5:20: error: pieces.G.longest_move is 9, must be 1 to 7",
	`5:39: error: pieces.G.directions must be a list of directions: direction "UP" is not one of`,
}

func TestCheckExplainsEveryFaultOfAFileAtItsPlace(t *testing.T) {
	file := ruleFile(t, faulty)
	for _, arg := range []string{file, "@" + file} {
		o := sandtable(t, "", "rules", "--check", arg)
		if o.code != exitFault || !strings.Contains(o.err, "my.json has 4 faults") {
			t.Errorf("code %d, %s", o.code, o.err)
		}
		lines := strings.Split(o.out, "\n")
		if len(lines) != 5 {
			t.Fatalf("check prints\n%s", o.out)
		}
		for i, want := range faultyLines {
			if !strings.HasPrefix(lines[i], file+":"+want) {
				t.Errorf("line %d is %s, want %s", i+1, lines[i], want)
			}
		}
	}
}

func TestEveryCommandTellsTheFaultsOfAFileWithTheirPlaces(t *testing.T) {
	file := ruleFile(t, faulty)
	for _, command := range []string{"rules", "legal", "show", "farm", "bench"} {
		o := sandtable(t, "", command, "@"+file)
		for _, want := range faultyLines {
			if want = file + ":" + strings.Replace(want, "error: ", "", 1); o.code != exitUsage || !strings.Contains(o.err, want) {
				t.Errorf("%s: code %d, says %s, want %s", command, o.code, o.err, want)
			}
		}
	}
}

func TestCheckReadsStandardInput(t *testing.T) {
	o := sandtable(t, "{\"base\":\"ntxuva/8\",\n \"columns\": 9,\n}", "rules", "--check", "-")
	if want := "stdin:2:14: error: is not JSON: there must be no comma after the last value, columns\n"; o.code != exitFault || o.out != want {
		t.Errorf("code %d, prints %s", o.code, o.out)
	}
	if out := done(t, `{"base":"ntxuva/basic"}`, "rules", "--check", "-"); !strings.Contains(out, "same rules as ntxuva/basic") {
		t.Errorf("prints %s", out)
	}
}

func TestCheckOfASoundRuleSetSaysWhatDiffersAndWarns(t *testing.T) {
	file := ruleFile(t, "{\"base\":\"trench/short-2013\",\n \"target_points\": 50,\n \"pieces\":{\"P\":{\"points\":2}}}")
	out := done(t, "", "rules", "--check", file)
	for _, want := range []string{
		file + ":2:2: warning: target_points is 50 and cannot be reached: a whole army is worth 42\n",
		": valid, 1 warning\ntrench/my sha256:",
		"same as trench/short-2013, except\n  pieces.P.points is 2 instead of 1\n  target_points is 50 instead of 0\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("prints\n%s\nwant %s", out, want)
		}
	}
	for _, engine := range games.Engines() {
		name := engine.PresetNames()[0]
		if out := done(t, "", "rules", "--check", name); !strings.Contains(out, ": valid, ") || !strings.HasSuffix(out, "\nsame rules as "+name+"\n") {
			t.Errorf("prints %s", out)
		}
	}
}

func TestCheckAsJSON(t *testing.T) {
	var report checkJSON
	o := sandtable(t, "", "rules", "--check", "--json", `trench/standard{"target_points":-1}`)
	if err := json.Unmarshal([]byte(o.out), &report); err != nil || o.code != exitFault {
		t.Fatalf("code %d, %v", o.code, err)
	}
	want := findingJSON{Field: "target_points", Text: "is -1, must be 0 to 16000", Source: "override", Line: 1, Column: 2}
	if report.Sound || len(report.Faults) != 1 || report.Faults[0] != want {
		t.Errorf("report is %+v", report)
	}
	out := done(t, "", "rules", "--check", "--json", `trench/standard{"target_points":40}`)
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	if !report.Sound || len(report.Warnings) != 1 || report.Nearest != "trench/standard" || len(report.Differences) != 1 ||
		string(report.Differences[0].To) != "40" || !strings.HasPrefix(report.Digest, "sha256:") {
		t.Errorf("report is %+v", report)
	}
}

func TestCheckOfWhatCannotBeReadIsWrongUsage(t *testing.T) {
	for _, args := range []string{"rules --check missing.json", "rules --check @missing", "rules --check trench/none", "rules --check", "rules --json trench/standard"} {
		if o := sandtable(t, "", strings.Fields(args)...); o.code != exitUsage || o.out != "" {
			t.Errorf("%s: code %d, prints %q", args, o.code, o.out)
		}
	}
}

func TestCheckOfAFileThatIsNotThereSaysSo(t *testing.T) {
	for _, name := range []string{"/nowhere/my", "rules.jsn"} {
		if o := sandtable(t, "", "rules", "--check", name); o.code != exitUsage || !strings.Contains(o.err, "a file "+name) {
			t.Errorf("code %d, %s", o.code, o.err)
		}
	}
}
