package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/export"
)

func TestDatasetExportAndSplit(t *testing.T) {
	dir := smallFarm(t)
	out := filepath.Join(t.TempDir(), "positions")
	first := done(t, "", "dataset", "export", dir, "--out", out, "--format", "jsonl", "--observations", "none", "--legal", "list")
	if !strings.HasPrefix(first, "60 games, ") || !strings.Contains(first, out+"/export.json") {
		t.Errorf("export prints %s", first)
	}
	if again := done(t, "", "dataset", "export", dir, "--out", out, "--format", "jsonl", "--observations", "none", "--legal", "list"); again != first {
		t.Errorf("the same command again prints %s, must print %s", again, first)
	}
	if o := sandtable(t, "", "dataset", "export", dir, "--out", out); o.code != exitUsage || !strings.Contains(o.err, "choose another --out") {
		t.Errorf("other options: code %d, %s", o.code, o.err)
	}
	var c export.Catalogue
	split := filepath.Join(t.TempDir(), "split")
	if err := json.Unmarshal([]byte(done(t, "", "dataset", "split", dir, "--out", split, "--validation", "0.3", "--test", "0", "--json")), &c); err != nil || !c.Complete {
		t.Fatalf("split --json: %v, %+v", err, c)
	}
	train, _, _ := c.Size("train")
	validation, _, _ := c.Size("validation")
	if train == 0 || validation == 0 || train+validation != 60 {
		t.Errorf("split gives %d and %d games", train, validation)
	}
	for _, args := range [][]string{
		{"export", dir}, {"export", dir, "--out", split, "--format", "hdf5"}, {"export", dir, "--out", split, "--threads", "0"},
		{"split", dir, "--out", split, "--test", "1"}, {"export", t.TempDir(), "--out", split}, {"merge", dir},
	} {
		if o := sandtable(t, "", append([]string{"dataset"}, args...)...); o.code != exitUsage || o.err == "" {
			t.Errorf("%q: code %d, %s", args, o.code, o.err)
		}
	}
}

func TestDatasetMergeAndLs(t *testing.T) {
	root := t.TempDir()
	whole := filepath.Join(root, "whole")
	done(t, "", "farm", "trench/standard", "--listen", "off", "--episodes", "60", "--out", whole)
	merged := filepath.Join(root, "sub", "merged")
	if out := done(t, "", "dataset", "merge", whole, whole, "--out", merged); !strings.HasPrefix(out, "60 games added; "+merged+" has 60 games") {
		t.Errorf("merge prints %s", out)
	}
	if a, b := info(t, whole), info(t, merged); a.ContentDigest != b.ContentDigest {
		t.Errorf("the contents are %s and %s", a.ContentDigest, b.ContentDigest)
	}
	other := smallFarm(t, "trench/standard", "--seed", "2")
	if o := sandtable(t, "", "dataset", "merge", whole, other, "--out", merged); o.code != exitUsage || !strings.Contains(o.err, "seed is 1 there and 2 here") {
		t.Errorf("another run: code %d, %s", o.code, o.err)
	}
	damaged := filepath.Join(root, "x")
	if err := os.Mkdir(damaged, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(damaged, dataset.ManifestName), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	var all struct {
		DataSets []dataSetJSON `json:"data_sets"`
	}
	err := json.Unmarshal([]byte(done(t, "", "dataset", "ls", root, "--json")), &all)
	if list := all.DataSets; err != nil || len(list) != 3 ||
		list[0].Dir != merged || list[1].Dir != whole || !list[1].Complete || list[1].Episodes != 60 || list[2].Fault == "" {
		t.Errorf("ls gives %+v, %v", all, err)
	}
	if text := done(t, "", "dataset", "ls", root); !strings.Contains(text, "damaged") || !strings.Contains(text, "complete  60") {
		t.Errorf("ls prints\n%s", text)
	}
	if o := sandtable(t, "", "dataset", "ls", filepath.Join(root, "none")); o.code != exitUsage {
		t.Errorf("a missing folder: code %d, %s", o.code, o.err)
	}
}
