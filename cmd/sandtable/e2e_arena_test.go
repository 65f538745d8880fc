//go:build e2e

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
)

// arenaArgs is a match that takes long enough to be killed twice.
func arenaArgs(dir string) []string {
	return []string{"arena", "ntxuva/basic", "greedy", "random", "--pairs", "60000", "--out", dir}
}

// kept returns how many games of a match are safe.
func kept(dir string) int64 {
	m, err := dataset.Load(dir)
	if err != nil {
		return 0
	}
	return m.Episodes()
}

func TestAKilledMatchGoesOnWithEachGameOnce(t *testing.T) {
	dir, whole := filepath.Join(t.TempDir(), "match"), filepath.Join(t.TempDir(), "whole")
	for range 2 {
		before := kept(dir)
		p := start(t, "sandtable", arenaArgs(dir)...)
		until(t, "games are safe", func() bool { return kept(dir) > before })
		p.signal(syscall.SIGKILL)
		p.wait()
	}
	if n := kept(dir); n == 0 || n >= 120_000 {
		t.Fatalf("%d games were safe when the match was killed", n)
	}
	resumed := start(t, "sandtable", arenaArgs(dir)...).succeed()
	straight := start(t, "sandtable", arenaArgs(whole)...).succeed()
	if strings.ReplaceAll(resumed, dir, whole) != straight {
		t.Errorf("the match that was killed ends with\n%s\nanother with\n%s", resumed, straight)
	}
	if a, b := info(t, dir), info(t, whole); a.ContentDigest != b.ContentDigest || a.Summary.Episodes != 120_000 {
		t.Errorf("the data are %d games %s, want %s", a.Summary.Episodes, a.ContentDigest, b.ContentDigest)
	}
}

func TestAnInterruptedMatchKeepsWhatWasPlayed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "match")
	p := start(t, "sandtable", arenaArgs(dir)...)
	until(t, "the match begins", func() bool { _, err := dataset.Load(dir); return err == nil })
	until(t, "games are safe", func() bool { return kept(dir) > 0 })
	p.signal(syscall.SIGINT)
	if o := p.wait(); o.code != exitInterrupted || !strings.Contains(o.err, "the same command resumes") {
		t.Errorf("code %d\n%s", o.code, o.err)
	}
	start(t, "sandtable", "dataset", "verify", dir).succeed()
}
