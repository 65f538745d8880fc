package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
)

// damage overwrites a file of a data set with the first bytes of it.
func damage(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.Truncate(filepath.Join(dir, filepath.FromSlash(name)), 50); err != nil {
		t.Fatal(err)
	}
}

func TestVerifyListsAllFaults(t *testing.T) {
	dir := smallFarm(t)
	m, err := dataset.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{m.Shards[0].Episodes.Name, m.Shards[0].Steps.Name}
	for _, name := range names {
		damage(t, dir, name)
	}
	for _, args := range [][]string{{}, {"--quick"}} {
		args = append([]string{"dataset", "verify", dir}, args...)
		o := sandtable(t, "", args...)
		if o.code != exitFault || !strings.Contains(o.err, dir+" has 2 faults:") || !strings.Contains(o.err, "sandtable dataset repair "+dir) {
			t.Errorf("%q: code %d, %s", args, o.code, o.err)
		}
		for _, name := range names {
			if !strings.Contains(o.err, name+": size is 50 bytes") {
				t.Errorf("%q does not name %s: %s", args, name, o.err)
			}
		}
		o = sandtable(t, "", append(args, "--json")...)
		var v verifyJSON
		if err := json.Unmarshal([]byte(o.out), &v); err != nil || o.code != exitFault || v.Proved || len(v.Faults) != 2 ||
			v.Faults[1].File != names[1] || v.Faults[1].Episode != dataset.None || v.Faults[1].What != "size" || v.Faults[1].Found != "50 bytes" {
			t.Errorf("%q --json: code %d, %s (%v)", args, o.code, o.out, err)
		}
	}
}

// Each kind of damage has exit code 3, whatever the operating system says of it.
func TestEveryKindOfDamageHasItsExitCode(t *testing.T) {
	for name, change := range map[string]func(dir, steps string) error{
		"a shard is a folder":    func(_, steps string) error { return errors.Join(os.Remove(steps), os.Mkdir(steps, 0o777)) },
		"a shard is missing":     func(_, steps string) error { return os.Remove(steps) },
		"a shard is a loop":      func(_, steps string) error { return errors.Join(os.Remove(steps), os.Symlink(steps, steps)) },
		"the manifest is lost":   func(dir, _ string) error { return os.Remove(filepath.Join(dir, dataset.ManifestName)) },
		"the manifest is empty":  func(dir, _ string) error { return os.Truncate(filepath.Join(dir, dataset.ManifestName), 0) },
		"the manifest is broken": func(dir, _ string) error { return os.Truncate(filepath.Join(dir, dataset.ManifestName), 99) },
	} {
		dir := smallFarm(t)
		if err := change(dir, filepath.Join(dir, "steps", "00000000.parquet")); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"dataset", "verify", dir}, {"dataset", "verify", dir, "--quick"}, {"dataset", "verify", dir, "--json"}} {
			if o := sandtable(t, "", args...); o.code != exitFault {
				t.Errorf("%s: %q: code %d, %s", name, args[2:], o.code, o.err)
			}
		}
	}
}

func TestVerifyQuickDoesNotReadGames(t *testing.T) {
	dir := smallFarm(t)
	if err := os.WriteFile(filepath.Join(dir, "episodes", "00000001.parquet.tmp"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	out := done(t, "", "dataset", "verify", dir, "--quick")
	if want := "temporary files of a writer that is running or was killed:\n  episodes/00000001.parquet.tmp\nchecked: the files of 1 shard match the manifest; games were not read\n"; out != want {
		t.Errorf("verify prints %s, want %s", out, want)
	}
	var v verifyJSON
	if err := json.Unmarshal([]byte(done(t, "", "dataset", "verify", dir, "--quick", "--json")), &v); err != nil || !v.Proved || !v.Quick || !v.Complete || v.Episodes != 0 || len(v.Leftovers) != 1 {
		t.Errorf("%+v (%v)", v, err)
	}
}
