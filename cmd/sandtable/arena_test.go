package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
)

// matchReport runs arena with --json.
func matchReport(t *testing.T, args ...string) arena.Report {
	t.Helper()
	var r arena.Report
	if err := json.Unmarshal([]byte(done(t, "", append([]string{"arena", "--json"}, args...)...)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestArenaShowsThatGreedyBeatsRandom(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "match")
	args := []string{"arena", "trench/standard", "greedy", "random", "--pairs", "100", "--out", dir}
	out := done(t, "", args...)
	for _, want := range []string{"greedy against random, 100 pairs", "the built-in suite of 300, 100 distinct", "200, ", "side to move    won",
		"other side      won", "½:", "Elo             +", "normalized Elo  +", "LOS             >99.99 %", "side to move    score", "100 independent pairs", dir} {
		if !strings.Contains(out, want) {
			t.Errorf("arena does not tell %q:\n%s", want, out)
		}
	}
	if again := done(t, "", args...); again != out {
		t.Errorf("a finished match is told as\n%s\nand before as\n%s", again, out)
	}
	r := matchReport(t, args[1:]...)
	if r.All.Score.Low < .95 || r.All.Score.N != 200 || r.Elo.Low < 400 || r.Test != nil || r.ToMove.Wins+r.Waiting.Wins != r.All.Wins {
		t.Errorf("the report is %+v", r)
	}
	if d := info(t, dir); d.Summary.Episodes != 200 || d.Planned != 0 || d.Run != r.Run {
		t.Errorf("the data set holds %d episodes of run %s", d.Summary.Episodes, d.Run)
	}
	done(t, "", "dataset", "verify", dir)
}

func TestRepeatedGamesAreTold(t *testing.T) {
	const warning = "4 pairs repeat earlier ones"
	starts := filepath.Join(t.TempDir(), "starts.txt")
	done(t, "", "openings", "ntxuva/4", "--count", "2", "--agent", "alphabeta:depth=2,noise=0", "--out", starts)
	match := func(command string, agents ...string) string {
		return done(t, "", append([]string{command, "ntxuva/4", "--starts", starts, "--pairs", "6", "--out", filepath.Join(t.TempDir(), command)}, agents...)...)
	}
	for _, command := range []string{"arena", "rate"} {
		if out := match(command, "alphabeta:depth=1,noise=0", "alphabeta:depth=2,noise=0"); !strings.Contains(out, warning) {
			t.Errorf("%s does not tell %q:\n%s", command, warning, out)
		}
	}
	if out := match("arena", "greedy", "alphabeta:depth=2,noise=100"); strings.Contains(out, warning) {
		t.Errorf("arena tells of repeats:\n%s", out)
	}
}

func TestMorePairsContinueAMatch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "match")
	args := []string{"ntxuva/basic", "random", "greedy", "--out", dir, "--pairs"}
	short := matchReport(t, append(args, "20")...)
	long := matchReport(t, append(args, "50")...)
	again := matchReport(t, append(args, "20")...)
	if short.Pairs != 20 || long.Pairs != 50 || again.Pentanomial != short.Pentanomial {
		t.Errorf("20 pairs %v, 50 pairs %v, 20 pairs again %v", short.Pentanomial, long.Pentanomial, again.Pentanomial)
	}
	alone := matchReport(t, "ntxuva/basic", "random", "greedy", "--out", dir+"2", "--pairs", "50", "--workers", "3")
	if alone.Pentanomial != long.Pentanomial || info(t, dir).ContentDigest != info(t, dir+"2").ContentDigest {
		t.Errorf("50 pairs in two parts are %v, in one %v", long.Pentanomial, alone.Pentanomial)
	}
}

func TestArenaEndsWithASequentialTest(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "match")
	args := []string{"arena", "ntxuva/basic", "greedy", "random", "--sprt", "elo0=0,elo1=50,alpha=0.1", "--out", dir}
	out := done(t, "", args...)
	if !strings.Contains(out, "SPRT            H1 accepted: LLR +2.") || !strings.Contains(out, "alpha 0.1, beta 0.05") {
		t.Errorf("arena --sprt prints\n%s", out)
	}
	r := matchReport(t, args[1:]...)
	if r.Test == nil || r.Test.Verdict != "H1" || r.Test.LLR < r.Test.Upper || r.Pairs > 200 || info(t, dir).Summary.Episodes != 2*r.Pairs {
		t.Errorf("%d pairs, %+v", r.Pairs, r.Test)
	}
}

func TestAMatchInTheFolderOfAnotherIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "match")
	done(t, "", "arena", "trench/standard", "greedy", "random", "--pairs", "2", "--out", dir)
	o := sandtable(t, "", "arena", "trench/standard", "greedy", "random", "--pairs", "2", "--max-plies", "7", "--out", dir)
	if o.code != exitUsage || !strings.Contains(o.err, "belongs to a different run: max_plies is") {
		t.Errorf("code %d, %s", o.code, o.err)
	}
	if err := os.WriteFile(filepath.Join(dir, dataset.ManifestName), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if o := sandtable(t, "", "arena", "trench/standard", "greedy", "random", "--out", dir); o.code != exitFault {
		t.Errorf("a damaged manifest: code %d, %s", o.code, o.err)
	}
}

func TestAnInterruptedMatchSaysHowToGoOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "match")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	var out, err bytes.Buffer
	code := run(ctx, []string{"arena", "trench/standard", "greedy", "random", "--out", dir}, streams{in: strings.NewReader(""), out: &out, err: &err})
	if code != exitInterrupted || !strings.Contains(err.String(), "the same command resumes") || out.Len() > 0 {
		t.Errorf("code %d, %s%s", code, out.String(), err.String())
	}
}

func TestGamesOfAMatchReplayToTheirResult(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "match")
	starts := filepath.Join(t.TempDir(), "starts.txt")
	const start = "2,2,2,2,2,2,2,2,2,2,2,2 2,2,2,2,2,2,2,2,2,2,2,2 n 0 0"
	if err := os.WriteFile(starts, []byte(start+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	done(t, "", "arena", "ntxuva/basic", "greedy", "random", "--pairs", "3", "--out", dir, "--starts", starts)
	for number := range 6 {
		text := done(t, "", "dataset", "show", dir, fmt.Sprint(number))
		moves := done(t, "", "dataset", "show", dir, fmt.Sprint(number), "--moves")
		var end replayJSON
		if err := json.Unmarshal([]byte(done(t, text, "replay", "ntxuva/basic", "--json")), &end); err != nil {
			t.Fatal(err)
		}
		if byMoves := done(t, moves, "replay", "ntxuva/basic", "--position", start); !strings.HasSuffix(byMoves, "position: "+end.Position+"\n") {
			t.Errorf("episode %d replays to %s, its moves alone to\n%s", number, end.Position, byMoves)
		}
		if !strings.Contains(text, fmt.Sprintf("[Result %q]\n[Reason %q]\n", end.Result, end.Reason)) || end.Result == "none" {
			t.Errorf("episode %d replays to %+v:\n%s", number, end, text)
		}
	}
}

func TestRateRanksAgents(t *testing.T) {
	dir := t.TempDir()
	args := []string{"rate", "trench/standard", "random", "greedy", "alphabeta:depth=1,eval=score", "--pairs", "12", "--out", dir}
	if out := done(t, "", args...); !strings.Contains(out, "- alphabeta:depth=1,eval=score is stronger than greedy: ") || !strings.Contains(out, "\n3     random") {
		t.Errorf("the first screen is\n%s", out)
	}
	out := done(t, "", append(args, "--full")...)
	for _, want := range []string{"rank  agent", "   1  ", "   3  random", "side to move", "draws between equals", "greedy against random", "in 12 pairs", "based on 72 games"} {
		if !strings.Contains(out, want) {
			t.Errorf("rate does not tell %q:\n%s", want, out)
		}
	}
	var s arena.Standings
	if err := json.Unmarshal([]byte(done(t, "", append(args, "--json")...)), &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Agents) != 3 || len(s.Matches) != 3 || s.Agents[2].Agent != "random" || s.Agents[0].Elo.N != 48 {
		t.Errorf("standings are %+v", s.Agents)
	}
	// A match of arena is one of rate.
	m := s.Matches[2]
	if r := matchReport(t, "trench/standard", m.Agents[0], m.Agents[1], "--pairs", "12", "--out", m.Dir); r.Pentanomial != m.Pentanomial {
		t.Errorf("arena says %v of %v, rate %v", r.Pentanomial, m.Agents, m.Pentanomial)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 || !strings.HasPrefix(entries[0].Name(), "arena-trench-standard-") {
		t.Errorf("the folder holds %v (%v)", entries, err)
	}
}

func TestMatchesWithWrongWordsExitWith2(t *testing.T) {
	for args, want := range map[string]string{
		"arena":                                                     "needs VARIANT",
		"arena trench/standard greedy":                              "needs VARIANT AGENT AGENT",
		"arena trench/standard greedy greedy":                       "both agents are greedy, must be two different agents",
		"arena trench/standard greedy fly":                          `agent "fly" is unknown`,
		"arena chess greedy random":                                 `game "chess" is unknown`,
		"arena trench/standard a b --pairs 0":                       "--pairs is 0",
		"arena trench/standard a b --workers 0":                     "--workers is 0",
		"arena trench/standard greedy random --sprt elo0=0":         "must contain both elo0= and elo1=",
		"arena trench/standard greedy random --sprt elo0=0,elo1=x":  `elo1 is "x", must be a number`,
		"arena trench/standard greedy random --sprt elo0=0,elo0=1":  `"elo0=1" is not one of`,
		"arena trench/standard greedy random --sprt elo0=20,elo1=0": "must be less than elo1",
		"arena trench/standard greedy random --opening-plies -1":    "opening plies is -1",
		"arena trench/standard greedy random --starts /nowhere":     "--starts: ",
		"rate trench/standard greedy":                               "needs VARIANT AGENT AGENT…",
		"rate trench/standard greedy random greedy":                 "greedy is given twice",
		"rate trench/standard greedy fly":                           `agent "fly" is unknown`,
		"dataset show " + t.TempDir() + " 0 --moves --boards":       "exclude each other",
	} {
		o := sandtable(t, "", strings.Fields(args)...)
		if o.code != exitUsage || !strings.Contains(o.err, want) || o.out != "" {
			t.Errorf("sandtable %s: code %d, %q and %q, want %q", args, o.code, o.err, o.out, want)
		}
	}
}

func TestCompletionOfAMatchOffersVariantsThenAgents(t *testing.T) {
	if out := done(t, "", "__complete", "arena", ""); !strings.Contains(out, "trench/standard\n") {
		t.Errorf("completion of a VARIANT offers %s", out)
	}
	if out := done(t, "", "__complete", "rate", "trench/standard", "greedy", ""); !strings.Contains(out, "random\n") {
		t.Errorf("completion of an AGENT offers %s", out)
	}
}

func TestAMatchWithoutAFolderGoesBelowRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	out := done(t, "", "arena", "ntxuva/basic", "greedy", "random", "--pairs", "2")
	folders, err := filepath.Glob("runs/arena-ntxuva-basic-????????????????")
	if err != nil || len(folders) != 1 || !strings.Contains(out, "data            "+folders[0]+"\n") {
		t.Fatalf("the folders are %v, %v; arena prints\n%s", folders, err, out)
	}
	if m, err := dataset.Load(folders[0]); err != nil || m.Episodes() != 4 {
		t.Errorf("the match is not in %s: %v", folders[0], err)
	}
}
