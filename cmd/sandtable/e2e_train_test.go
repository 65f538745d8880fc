//go:build e2e

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// learningArgs is a run that takes long enough to be killed in each stage.
func learningArgs(dir string) []string {
	return strings.Fields("train trench/standard --agent alphabeta:eval=score,nodes=100,hash=1 --episodes 1000 --iterations 2 --mix 0 --gate elo0=0,elo1=30 --gate-pairs 2000 --out " + dir)
}

func TestAKilledTrainingGoesOnToTheSameRun(t *testing.T) {
	dir, whole := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "whole")
	for _, begun := range []string{
		"iterations/0001/data/manifest.json", "iterations/0001/weights.json", "iterations/0001/gate/manifest.json", "iterations/0002/data/manifest.json",
	} {
		p := start(t, "sandtable", learningArgs(dir)...)
		until(t, begun, func() bool { _, err := os.Stat(filepath.Join(dir, begun)); return err == nil })
		p.signal(syscall.SIGKILL)
		p.wait()
	}
	start(t, "sandtable", learningArgs(dir)...).succeed()
	start(t, "sandtable", learningArgs(whole)...).succeed()
	for _, name := range []string{
		"train.json", "best.json", "curve.json", "curve.svg", "iterations/0001/fit.json", "iterations/0001/weights.json", "iterations/0001/report.json",
		"iterations/0002/fit.json", "iterations/0002/weights.json", "iterations/0002/report.json",
	} {
		got, err1 := os.ReadFile(filepath.Join(dir, name))
		want, err2 := os.ReadFile(filepath.Join(whole, name))
		if err1 != nil || err2 != nil || string(got) != string(want) {
			t.Errorf("%s of the run that was killed is\n%s (%v)\nof another\n%s (%v)", name, got, err1, want, err2)
		}
	}
	for _, data := range []string{"iterations/0001/data", "iterations/0002/data", "iterations/0001/gate"} {
		if a, b := info(t, filepath.Join(dir, data)), info(t, filepath.Join(whole, data)); a.ContentDigest != b.ContentDigest {
			t.Errorf("%s of the run that was killed is %s, of another %s", data, a.ContentDigest, b.ContentDigest)
		}
	}
}

func TestAKilledTrainingOnAFarmLearnsWhatOneAloneDoes(t *testing.T) {
	_, url := natsServer(t, freeAddress(t), t.TempDir())
	start(t, "sandtable", "worker", "--nats", url, "--workers", "1")
	dir, alone := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "alone")
	onFarm := append(learningArgs(dir), "--nats", url, "--workers", "1")
	p := start(t, "sandtable", onFarm...)
	until(t, "the first gate", func() bool {
		_, err := os.Stat(filepath.Join(dir, "iterations/0001/gate/manifest.json"))
		return err == nil
	})
	p.signal(syscall.SIGKILL)
	p.wait()
	start(t, "sandtable", onFarm...).succeed() // after the server gives up on what the first one held
	start(t, "sandtable", learningArgs(alone)...).succeed()
	for _, name := range []string{"train.json", "best.json", "curve.json", "iterations/0001/report.json", "iterations/0002/report.json"} {
		got, err1 := os.ReadFile(filepath.Join(dir, name))
		want, err2 := os.ReadFile(filepath.Join(alone, name))
		if err1 != nil || err2 != nil || string(got) != string(want) {
			t.Errorf("%s of the run on a farm is\n%s (%v)\nof one alone\n%s (%v)", name, got, err1, want, err2)
		}
	}
}
