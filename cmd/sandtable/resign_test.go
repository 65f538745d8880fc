package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env"
)

func TestAFarmResignsAndTellsHowOftenThatIsWrong(t *testing.T) {
	args := []string{"--agent", "alphabeta:depth=1", "--vs", "greedy", "--episodes", "200", "--resign", "100", "--resign-plies", "2", "--resign-playon", "0.4", "--openings", "random:8"}
	dir := smallFarm(t, args...)
	d := info(t, dir)
	if want := (dataset.Resign{Score: 100, Plies: 2, PlayOn: .4}); d.Resign != want {
		t.Errorf("the rule is told as %+v, want %+v", d.Resign, want)
	}
	r := d.Summary.Resignation
	if r == nil || r.Resigned < 20 || r.PlayedOn < 10 || r.Error.N != r.PlayedOn {
		t.Fatalf("resignation is %+v", r)
	}
	var forfeits int64
	for _, f := range d.Summary.Forfeits {
		if f.Reason != env.Resigned.String() {
			t.Errorf("nobody forfeits but by resigning: %+v", f)
		}
		forfeits += f.Episodes
	}
	if forfeits != r.Resigned {
		t.Errorf("%d games are forfeits, %d resigned", forfeits, r.Resigned)
	}
	if out := done(t, "", "dataset", "verify", dir); !strings.Contains(out, "verified: 200 games") || !strings.Contains(out, d.ContentDigest) {
		t.Errorf("verify prints %s", out)
	}
	text := done(t, "", "dataset", "info", dir)
	for _, want := range []string{
		fmt.Sprintf("%-15s %d games resigned; in %d control games that continued past a resignation, the rule was wrong in ", "resignation", r.Resigned, r.PlayedOn),
		"resigned           ", " by alphabeta:depth=1", " by greedy\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("info does not tell %q:\n%s", want, text)
		}
	}
	if other := info(t, smallFarm(t, append(args, "--workers", "1")...)); other.ContentDigest != d.ContentDigest {
		t.Error("one worker gives other games")
	}
}

// A resigned game is over by no rule: its moves lead to a running one.
func TestReplayOfAResignedGameLeadsToWhereItWasResigned(t *testing.T) {
	dir := smallFarm(t, "--resign", "100", "--resign-plies", "1", "--resign-playon", "0")
	if text := done(t, "", "dataset", "info", dir); !strings.Contains(text, "no control game continued past a resignation") || strings.Contains(text, "the rule was wrong") {
		t.Errorf("without games played on info tells\n%s", text)
	}
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for ep, err := range reader.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		if ep.Reason != env.Resigned {
			continue
		}
		text := done(t, "", "dataset", "show", dir, fmt.Sprint(ep.Number))
		if want := "result: " + ep.Result.String() + ", reason: resigned"; !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
		if out := done(t, text, "replay", "trench/standard"); !strings.Contains(out, "result: none\nreason: none\n") {
			t.Errorf("replay tells of a game that ended:\n%s", out)
		}
		return
	}
	t.Fatal("no game was resigned")
}

// A program may give up by itself, which is not what the rule is judged by.
func TestAProgramThatResignsIsNoWorkOfTheRule(t *testing.T) {
	dir := smallFarm(t, "trench/standard", "--agent", "exec:mine,time=30s", "--vs", "random", "--episodes", "4",
		"--resign", "100", "--resign-playon", "0.5", programArg(t, "resigns"))
	s := info(t, dir).Summary
	if len(s.Forfeits) != 1 || s.Forfeits[0].Reason != env.Resigned.String() || s.Forfeits[0].Episodes != 4 || s.Resignation != nil {
		t.Errorf("forfeits are %+v, resignation %+v", s.Forfeits, s.Resignation)
	}
	if out := done(t, "", "dataset", "verify", dir); !strings.Contains(out, "verified: 4 games") {
		t.Errorf("verify prints %s", out)
	}
}

func TestRateTellsWhoForfeited(t *testing.T) {
	out := done(t, "", "rate", "trench/standard", "exec:mine,time=30s", "random", "greedy", "--pairs", "1",
		"--out", t.TempDir(), programArg(t, "resigns"))
	if want := "forfeits: resigned 2 by exec:mine,"; strings.Count(out, want) != 2 {
		t.Errorf("rate does not tell twice %q:\n%s", want, out)
	}
}

func TestWrongResignationFlags(t *testing.T) {
	for _, c := range []struct{ flags, want string }{
		{"--resign -1", "--resign is -1, must be 0 (never) or more"},
		{"--resign-plies 2", "need --resign"},
		{"--resign-playon 0.5", "need --resign"},
		{"--resign 100 --resign-plies 0", "plies is 0, must be 1 or more"},
		{"--resign 100 --resign-playon 1.1", "play_on is 1.1, must be 0 to 1"},
		{"--resign 1.5", "invalid argument"},
	} {
		for _, command := range []string{"farm --listen off --out " + filepath.Join(t.TempDir(), "x"), "coordinator trench/standard --nats nats://127.0.0.1:1"} {
			o := sandtable(t, "", strings.Fields(command+" "+c.flags)...)
			if o.code != exitUsage || !strings.Contains(o.err, c.want) {
				t.Errorf("%s %s: exit code %d, want %d and %q\n%s", command, c.flags, o.code, exitUsage, c.want, o.err)
			}
		}
	}
}
