package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/selfplay/learn"
	"github.com/sandtable-farm/sandtable/workers/natsq"
)

// trainArgs is a run that takes some tenths of a second.
func trainArgs(dir string, more ...string) []string {
	args := strings.Fields("train trench/standard --agent alphabeta:eval=score,nodes=40,hash=1 --episodes 250 --iterations 1 --mix 0 --gate elo0=0,elo1=50 --gate-pairs 200 --out")
	return append(append(args, dir), more...)
}

func training(t *testing.T, args ...string) learn.Outcome {
	t.Helper()
	var o learn.Outcome
	if err := json.Unmarshal([]byte(done(t, "", append(args, "--json")...)), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestTrainMakesWeightsThatAgentsTake(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	out := done(t, "", trainArgs(dir)...)
	for _, want := range []string{"iteration 1: 250 games, ", " below that of always predicting the mean; weights accepted after ", " pairs, Elo +", "1; new weights accepted in 1",
		"relative to the initial agent", filepath.Join(dir, "best.json"), filepath.Join(dir, "curve.svg"), "sandtable arena trench/standard alphabeta:"} {
		if !strings.Contains(out, want) {
			t.Errorf("train does not tell %q:\n%s", want, out)
		}
	}
	// The commands to try next work as they are told.
	for line := range strings.Lines(out) { // no word of them has a blank
		args, found := strings.CutPrefix(strings.TrimSpace(line), "sandtable arena ")
		if found {
			done(t, "", append(append([]string{"arena"}, strings.Fields(args)...), "--pairs", "2", "--out", filepath.Join(t.TempDir(), "match"))...)
		}
	}
	if svg, err := os.ReadFile(filepath.Join(dir, "curve.svg")); err != nil || !bytes.Contains(svg, []byte("trench/standard")) {
		t.Errorf("the curve is %.60q (%v)", svg, err)
	}
	o := training(t, trainArgs(dir)...)
	if len(o.Iterations) != 1 || o.Iterations[0].Fit.HeldOut.Gain.N < 20 || !strings.Contains(o.Best, o.Iterations[0].Weights) {
		t.Errorf("the outcome is %+v", o)
	}
	done(t, "", "dataset", "verify", filepath.Join(dir, "iterations", "0001", "data"))

	next := filepath.Join(t.TempDir(), "next")
	further := training(t, trainArgs(next, "--from", o.Weights)...)
	if further.Iterations[0].Player != o.Best {
		t.Errorf("--from %s plays with %s", o.Weights, further.Iterations[0].Player)
	}
}

func TestTrainLearnsTheSameOnAFarm(t *testing.T) {
	alone := training(t, trainArgs(filepath.Join(t.TempDir(), "run"))...)
	server, err := natsq.StartServer(t.Context(), natsq.ServerOptions{Dir: t.TempDir(), Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	dir := filepath.Join(t.TempDir(), "run")
	farm := training(t, trainArgs(dir, "--nats", server.URL())...)
	if farm.Best != alone.Best || !reflect.DeepEqual(farm.Curve, alone.Curve) {
		t.Errorf("on a farm it learns %s with %+v, alone %s with %+v", farm.Best, farm.Curve, alone.Best, alone.Curve)
	}
	if again := training(t, trainArgs(dir)...); again.Best != alone.Best {
		t.Errorf("alone it goes on to %s", again.Best)
	}
	o := sandtable(t, "", trainArgs(filepath.Join(t.TempDir(), "run"), "--nats", "nats://127.0.0.1:1")...)
	if o.code != exitFailed || !strings.Contains(o.err, "no NATS server at nats://127.0.0.1:1") {
		t.Errorf("without a server: code %d, %s", o.code, o.err)
	}
}

func TestTrainTellsWhatToTryWithRulesFromAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my rules.json")
	rules := strings.Replace(done(t, "", "rules", "trench/standard"), `"name": "trench/standard"`, `"name": "mine"`, 1)
	if err := os.WriteFile(file, []byte(rules), 0o666); err != nil {
		t.Fatal(err)
	}
	args := trainArgs(filepath.Join(t.TempDir(), "run"), "--gate", "elo0=-100,elo1=-50")
	args[1] = "@" + file
	if out := done(t, "", args...); !strings.Contains(out, "variant         mine (sha256:") || !strings.Contains(out, "\n  sandtable farm '@"+file+"' --agent alphabeta:") {
		t.Errorf("train tells\n%s", out)
	}
}

func TestAnInterruptedTrainingSaysHowToGoOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	var out, err bytes.Buffer
	code := run(ctx, trainArgs(dir), streams{in: strings.NewReader(""), out: &out, err: &err})
	if code != exitInterrupted || !strings.Contains(err.String(), "the same command resumes") || out.Len() > 0 {
		t.Errorf("code %d, %s%s", code, out.String(), err.String())
	}
	if o := training(t, trainArgs(dir)...); len(o.Iterations) != 1 {
		t.Errorf("%d iterations", len(o.Iterations))
	}
	other := sandtable(t, "", trainArgs(dir, "--seed", "2")...)
	if other.code != exitUsage || !strings.Contains(other.err, "belongs to a different run: seed is 1 there and 2 here") {
		t.Errorf("another seed: code %d, %s", other.code, other.err)
	}
}

func TestTrainingWithWrongWordsExitsWith2(t *testing.T) {
	for args, want := range map[string]string{
		"train":                                          "needs VARIANT",
		"train chess":                                    `game "chess" is unknown`,
		"train trench/standard --agent fly":              `--agent: agent "fly" is unknown`,
		"train trench/standard --agent greedy":           "agent greedy has no option eval, so there is no evaluator to train",
		"train trench/standard --from missing.json":      "--from: ",
		"train trench/standard --agent greedy --from x":  "--from: agent greedy has no option eval",
		"train trench/standard --episodes 5":             "episodes is 5, must be 10 to",
		"train trench/standard --positions 0":            "positions is 0",
		"train trench/standard --window 0":               "window is 0",
		"train trench/standard --mix 2":                  "mix is 2, must be 0",
		"train trench/standard --l2 0":                   "l2 is 0, must be more than 0",
		"train trench/standard --gate elo0=0":            "--gate: ",
		"train trench/standard --gate elo0=9,elo1=5":     "--gate: ",
		"train trench/standard --gate-pairs 0":           "gate: pairs is 0",
		"train trench/standard --gate-opening-plies 500": "gate: opening plies is 500",
		"train trench/standard --opening-plies -1":       "opening plies is -1",
		"train trench/standard --iterations -1":          "iterations is -1",
		"train trench/standard --for -1s":                "--for is -1s",
		"train trench/standard --until-elo -1":           "target Elo is -1",
		"train trench/standard --workers 0":              "--workers is 0",
	} {
		o := sandtable(t, "", strings.Fields(args)...)
		if o.code != exitUsage || !strings.Contains(o.err, want) || o.out != "" {
			t.Errorf("sandtable %s: code %d, %q and %q, want %q", args, o.code, o.err, o.out, want)
		}
	}
}

func TestTrainGoesOnUntilItsEloOrTimeIsReached(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	args := trainArgs(dir)
	o := training(t, append(args, "--iterations", "0", "--until-elo", "1")...)
	if n := len(o.Curve); n == 0 || o.Curve[n-1].Best.Estimate < 1 {
		t.Errorf("the curve is %+v", o.Curve)
	}
	if again := training(t, append(args, "--iterations", "0", "--for", "1ns")...); len(again.Curve) != len(o.Curve) {
		t.Errorf("after no time there are %d iterations, before there were %d", len(again.Curve), len(o.Curve))
	}
}
