package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBenchReportsEveryMode(t *testing.T) {
	var report benchReport
	out := done(t, "", "bench", "ntxuva/basic", "--agent", "random", "--rounds", "2", "--round", "5ms", "--json")
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	modes := map[string]int{}
	for _, row := range report.Rows {
		modes[row.Mode]++
		p := row.PliesPerSecond
		if p.N != 2 || p.Low > p.Estimate || p.Estimate > p.High || p.Low <= 0 || p.Level != 0.5 {
			t.Errorf("%s on %d cores: %+v", row.Mode, row.Cores, p)
		}
	}
	if len(modes) != 6 || modes["random"] != len(coreCounts()) {
		t.Errorf("rows by mode: %v", modes)
	}
	if text := done(t, "", "bench", "trench/standard", "--rounds", "1", "--round", "5ms"); !strings.Contains(text, "playout") {
		t.Errorf("bench prints\n%s", text)
	}
}

func TestBenchComparesWithAnEarlierRun(t *testing.T) {
	bench := func(variant string, args ...string) outcome {
		return sandtable(t, "", append([]string{"bench", variant, "--rounds", "1", "--round", "2ms"}, args...)...)
	}
	file := filepath.Join(t.TempDir(), "before.json")
	first := bench("ntxuva/basic", "--json")
	if first.code != exitDone {
		t.Fatal(first.err)
	}
	var before benchReport
	if err := json.Unmarshal([]byte(first.out), &before); err != nil {
		t.Fatal(err)
	}
	// Other figures than measured, and one mode missing.
	for i := range before.Rows {
		p := &before.Rows[i].PliesPerSecond
		p.Estimate, p.Low, p.High = 4, 0.5, 8
	}
	before.Rows = before.Rows[1:]
	data, err := json.Marshal(before)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	var now benchReport
	o := bench("ntxuva/basic", "--json", "--compare", file)
	if err := json.Unmarshal([]byte(o.out), &now); err != nil {
		t.Fatalf("%v: %s", err, o.err)
	}
	if now.Rows[0].Ratio != nil {
		t.Error("a mode that was not measured before has a ratio")
	}
	for _, row := range now.Rows[1:] {
		p := row.PliesPerSecond
		if r := row.Ratio; r == nil || r.Estimate != p.Estimate/4 || r.Low != p.Low/8 || r.High != p.High/0.5 || r.Level != 0 {
			t.Errorf("%s: ratio is %+v of %+v", row.Mode, r, p)
		}
	}
	if o := bench("ntxuva/basic", "--compare", file); !strings.Contains(o.out, "at least") {
		t.Errorf("the table has no ratios:\n%s", o.out)
	}
	if o := bench("trench/standard", "--compare", file); o.code != exitUsage || !strings.Contains(o.err, "none of these") {
		t.Errorf("code %d: %s", o.code, o.err)
	}
	if o := bench("ntxuva/basic", "--compare", file+"x"); o.code != exitUsage || !strings.Contains(o.err, file+"x") {
		t.Errorf("code %d: %s", o.code, o.err)
	}
	if err := os.WriteFile(file, []byte("[]"), 0o644); err != nil {
		t.Fatal(err)
	}
	if o := bench("ntxuva/basic", "--compare", file); o.code != exitUsage || !strings.Contains(o.err, "is not a report") {
		t.Errorf("code %d: %s", o.code, o.err)
	}
}
