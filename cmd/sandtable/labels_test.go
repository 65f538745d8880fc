package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestAgentsKeepTheirNames(t *testing.T) {
	dir := t.TempDir()
	match := []string{"arena", "ntxuva/4", "mine=alphabeta:depth=1", "best", "--pairs", "2", "--out", dir + "/m"}
	text := done(t, "", match...)
	for _, want := range []string{"mine against best, 2 pairs", "mine is alphabeta:depth=1", "best is alphabeta:", "results of mine:"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	var report struct {
		Agents [2]string
		Labels map[string]string `json:"agent_labels"`
	}
	if err := json.Unmarshal([]byte(done(t, "", append(match, "--json")...)), &report); err != nil {
		t.Fatal(err)
	}
	if report.Agents[0] != report.Labels["mine"] || report.Agents[1] != report.Labels["best"] || !strings.HasPrefix(report.Labels["mine"], "alphabeta:depth=1,") {
		t.Errorf("the report has %+v", report)
	}
	text = done(t, "", "rate", "ntxuva/4", "mine=greedy", "random", "--pairs", "2", "--out", dir+"/r")
	for _, want := range []string{"mine  ", "mine is greedy", "mine scores"} {
		if !strings.Contains(text, want) {
			t.Errorf("the standings lack %q:\n%s", want, text)
		}
	}
	text = done(t, "", "compare", "ntxuva/4", "--agent", "mine=alphabeta:noise=10", "--budgets", "10", "--games", "4", "--ladder-pairs", "2", "--json", "--out", dir+"/c")
	if !strings.Contains(text, `"agent_label": "mine"`) || !strings.Contains(text, `"games": 4,`) || strings.Contains(text, `"nodes": "`) {
		t.Errorf("the comparison is\n%s", text)
	}
}

func TestNamesOfAgentsAreChecked(t *testing.T) {
	for want, args := range map[string][]string{
		`the name in "=greedy" must be 1 to 40 letters`:         {"=greedy", "random"},
		`the name in "a b=greedy" must be 1 to 40`:              {"a b=greedy", "random"},
		`the name in "random=greedy" is that of an agent`:       {"random=greedy", "random"},
		"a=random: the name a is that of another agent, greedy": {"a=greedy", "a=random"},
		"b=greedy: the agent is the same as a":                  {"a=greedy", "b=greedy"},
	} {
		o := sandtable(t, "", append([]string{"arena", "ntxuva/4", "--pairs", "1"}, args...)...)
		if o.code != exitUsage || !strings.Contains(o.err, want) {
			t.Errorf("%v: code %d, want %d and %q\n%s", args, o.code, exitUsage, want, o.err)
		}
	}
}
