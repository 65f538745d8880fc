package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/external/externaltest"
)

// programArg is the --exec that makes a program of a manner the agent exec:mine.
func programArg(t *testing.T, manner string) string {
	t.Helper()
	var quoted []string
	for _, word := range externaltest.Command(t, manner) {
		quoted = append(quoted, fmt.Sprintf("%q", word))
	}
	return "--exec=mine=" + strings.Join(quoted, " ")
}

func TestWrongProgramsExitWith2(t *testing.T) {
	for args, want := range map[string]string{
		"arena ntxuva/basic exec:mine random":                             "external program has no command on this machine; --exec mine=COMMAND gives one",
		"rate ntxuva/basic exec:mine random greedy":                       "external program has no command on this machine",
		"farm ntxuva/basic --agent exec:mine":                             "external program has no command on this machine",
		"play ntxuva/basic --vs exec:mine":                                "--vs: agent exec:mine,depth=0,nodes=0,time=1s: external program has no command on this machine",
		"play ntxuva/basic --hint exec:mine":                              "--hint: agent exec:mine",
		"arena ntxuva/basic exec:mine random --exec mine":                 `--exec is "mine", must be of the form NAME=COMMAND`,
		"farm ntxuva/basic --agent exec:mine --exec m/n=x":                `--exec: "m/n" is not a program name`,
		"farm ntxuva/basic --agent exec:mine --exec mine=":                "--exec mine: the command is empty",
		"farm ntxuva/basic --agent exec:mine --exec mine=\"":              "--exec mine: command \"\\\"\": the quote",
		"arena ntxuva/basic exec:mine random --exec mine=a --exec mine=b": "--exec gives mine twice",
		"worker --nats nats://localhost:1 --exec mine":                    `--exec is "mine"`,
		"analyze ntxuva/basic --agent exec:mine":                          "does not report lines of play",
		"bench ntxuva/basic --agent exec:mine":                            "is an external program; bench measures only",
		"coordinator ntxuva/basic --nats nats://localhost:1 --exec a=b":   "unknown flag: --exec",
	} {
		words := strings.Fields(args)
		if words[0] == "arena" || words[0] == "rate" || words[0] == "farm" {
			words = append(words, "--out", filepath.Join(t.TempDir(), "out"))
		}
		if o := sandtable(t, "", words...); o.code != exitUsage || !strings.Contains(o.err, want) {
			t.Errorf("%s: exit code %d, must be 2 and say %q:\n%s", args, o.code, want, o.err)
		}
	}
}

func TestAProgramThatCannotBeStartedLeavesNoFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "match")
	o := sandtable(t, "", "arena", "ntxuva/basic", "exec:mine", "random", "--exec", "mine=/no/such/program", "--out", dir)
	if o.code != exitFailed || !strings.Contains(o.err, "/no/such/program") {
		t.Errorf("exit code %d\n%s", o.code, o.err)
	}
	if _, err := dataset.Load(dir); err == nil {
		t.Error("a match is there")
	}
}

func TestAProgramPlaysAMatch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "match")
	args := []string{"ntxuva/basic", "exec:mine,time=30s", "random", "--pairs", "4", "--out", dir}
	r := matchReport(t, append(args, programArg(t, "legal"))...)
	if r.Pairs != 4 || len(r.Forfeits) != 0 || r.Agents[0] != "exec:mine,depth=0,nodes=0,time=30s" {
		t.Errorf("%+v", r)
	}
	// What was played needs no program.
	if again := matchReport(t, args...); again.Pentanomial != r.Pentanomial {
		t.Errorf("the match is told as %v, then as %v", r.Pentanomial, again.Pentanomial)
	}
	if out := done(t, "", "dataset", "verify", dir); !strings.Contains(out, "verified: 8 games") {
		t.Errorf("verify prints %s", out)
	}
}

func TestLossesByConductAreCountedAndLogged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "match")
	o := sandtable(t, "", "arena", "trench/standard", "exec:mine,time=30s", "random", "--pairs", "2", "--workers", "1", "--out", dir, programArg(t, "exits"))
	if o.code != exitDone || !strings.Contains(o.out, env.Crashed.String()) || strings.Count(o.err, "out of memory") != 4 {
		t.Errorf("exit code %d\n%s%s", o.code, o.out, o.err)
	}
	if out := done(t, "", "dataset", "verify", dir); !strings.Contains(out, "verified: 4 games") {
		t.Errorf("verify prints %s", out)
	}
}

func TestAProgramPlaysInAFarm(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	done(t, "", "farm", "ntxuva/basic", "--listen", "off", "--episodes", "6", "--agent", "greedy", "--vs", "exec:mine,time=30s", "--out", dir, programArg(t, "legal"))
	if d := info(t, dir); !d.Complete || d.Summary.Episodes != 6 || len(d.Summary.Forfeits) != 0 {
		t.Errorf("%+v", d)
	}
}

// The program of the tests crashes when it is told another game than is played.
func TestAPersonPlaysAProgram(t *testing.T) {
	for variant, move := range playedGames {
		o := sandtable(t, move+"\nundo\n"+move+"\nhint\nundo\n"+move+"\nposition\n",
			"play", variant, "--vs", "exec:mine,time=30s", "--hint", "exec:mine,time=30s", programArg(t, "legal"))
		if o.code != exitDone || strings.Contains(o.out, "gives up") || strings.Contains(o.out, "gives no hint") || len(movesOf(o.out)) != 6 {
			t.Errorf("%s: exit code %d\n%s%s", variant, o.code, o.out, o.err)
		}
	}
}

func TestFilesOfWeightsAreBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "weights.json")
	if err := os.WriteFile(file, make([]byte, mostRead+1), 0o666); err != nil {
		t.Fatal(err)
	}
	o := sandtable(t, "", "arena", "ntxuva/basic", "alphabeta:eval="+file, "random")
	if want := "is larger than 524288 bytes"; o.code != exitUsage || !strings.Contains(o.err, want) {
		t.Errorf("exit code %d, must be 2 and say %q:\n%s", o.code, want, o.err)
	}
}
