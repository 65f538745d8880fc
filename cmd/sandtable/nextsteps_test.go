package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// words returns the arguments with which a shell calls sandtable for a line.
func words(t *testing.T, line string) (calls [][]string) {
	t.Helper()
	const called = `sandtable() { for word; do printf '%s\n' "$word"; done; printf '\f'; }; `
	out, err := exec.CommandContext(t.Context(), "sh", "-c", called+line).Output()
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	for call := range strings.SplitSeq(strings.TrimSuffix(string(out), "\f"), "\f") {
		calls = append(calls, strings.Split(strings.TrimSuffix(call, "\n"), "\n"))
	}
	return calls
}

// Every command that a first screen advises can be pasted into a shell.
func TestTheNextStepsOfReportsRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	t.Chdir(t.TempDir())
	done(t, "", "farm", `trench/standard{"target_points":20}`, "--agent", "greedy", "--listen", "off", "--episodes", "60", "--out", dir)
	for _, args := range [][]string{
		{"balance", dir},
		{"balance", "--handicap", "ntxuva/4", "--agent", "greedy", "--pairs", "5"},
		{"balance", "--handicap", smallTanks, "--openings", "start", "--agent", "random", "--pairs", "2", "--type", "Light Tank", "--change", "speed+1,armour+1", "--control", "0", "--max-plies", "60"},
		{"compare", "ntxuva/4", `ntxuva/4{"columns":5}`, "ntxuva/4", "--budgets", "10,20", "--games", "6", "--ladder-pairs", "2"},
		{"compare", "ntxuva/4", "--agent", "greedy", "--budgets", "none", "--games", "6"},
	} {
		var r struct {
			First struct {
				Answers []string
				Next    []struct{ Why, Command string }
			}
		}
		if err := json.Unmarshal([]byte(done(t, "", append(args, "--json")...)), &r); err != nil {
			t.Fatal(err)
		}
		if len(r.First.Answers) == 0 || len(r.First.Next) < 2 {
			t.Errorf("%q answers %q and advises %q", args, r.First.Answers, r.First.Next)
		}
		for _, step := range r.First.Next {
			for _, call := range words(t, step.Command) {
				// The same with less work; the last value of a flag counts.
				switch {
				case call[0] == "farm":
					call = append(call, "--episodes", "20", "--listen", "off")
				case call[0] == "compare":
					call = append(call, "--dry-run", "--report=")
				case call[0] == "balance" && strings.HasPrefix(call[1], "--handicap"):
					call = append(call, "--pairs", "1", "--control", "0", "--max-plies", "60", "--agent", "random", "--openings", "start", "--out", t.TempDir())
				}
				if o := sandtable(t, "", call...); o.code != exitDone {
					t.Errorf("%q advises %s: exit code %d\n%s", args, step.Command, o.code, o.err)
				}
			}
		}
	}
}
