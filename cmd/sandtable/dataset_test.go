package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/workers"
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

// sixtyGames plays a small run.
func sixtyGames(t *testing.T) (dir, digest string) {
	t.Helper()
	whole := smallFarm(t, "ntxuva/4", "--agent", "random", "--episodes", "60")
	return whole, info(t, whole).ContentDigest
}

// rewritten writes the games of a data set into two shards of smaller jobs, which name
// two workers in turn.
func rewritten(t *testing.T, from string, jobEpisodes int64) string {
	t.Helper()
	reader, err := parquetio.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	settings := reader.Manifest().Settings
	settings.JobEpisodes = jobEpisodes
	dir := filepath.Join(t.TempDir(), "data")
	lock, err := dataset.AcquireLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	w, err := parquetio.OpenWriter(lock, &settings)
	if err != nil {
		t.Fatal(err)
	}
	jobs := settings.Jobs()
	for _, part := range [][2]int64{{0, jobs / 2}, {jobs / 2, jobs}} {
		var numbers []int64
		for job := part[0]; job < part[1]; job++ {
			numbers = append(numbers, job)
		}
		_, err := w.Commit(numbers, func(yield func(*dataset.Episode, error) bool) {
			for ep, err := range reader.Episodes() {
				job := ep.Number / jobEpisodes
				if err != nil || job < part[0] || job >= part[1] {
					continue
				}
				ep.Run, ep.Worker = settings.Run(), []string{"heron", "ibis"}[job%2]
				if !yield(ep, nil) {
					return
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestDamageIsRepairedAndPlayedAgain damages a data set, repairs it by the command that
// verify names, and completes it by the one that repair names.
func TestDamageIsRepairedAndPlayedAgain(t *testing.T) {
	whole, digest := sixtyGames(t)
	dir := rewritten(t, whole, 6)
	damage(t, dir, "steps/00000001.parquet")
	if err := os.Remove(filepath.Join(dir, dataset.ManifestName)); err != nil {
		t.Fatal(err)
	}
	if o := sandtable(t, "", "dataset", "verify", dir); o.code != exitFault || !strings.Contains(o.err, "sandtable dataset repair "+dir) {
		t.Errorf("verify: code %d, %s", o.code, o.err)
	}
	dry := done(t, "", "dataset", "repair", dir, "--dry-run")
	if _, err := os.Stat(filepath.Join(dir, dataset.ManifestName)); err == nil {
		t.Error("a dry run wrote a manifest")
	}
	out := done(t, "", "dataset", "repair", dir)
	if dry != "a repair would make these changes:\n"+out {
		t.Errorf("the dry run prints %s, the repair %s", dry, out)
	}
	for _, want := range []string{"manifest made again: manifest.json: file is missing", "1 shard listed again: 0\n",
		"moved into damaged: episodes/00000001.parquet, steps/00000001.parquet\n  steps/00000001.parquet: ",
		"missing: 30 episodes in jobs 5-9; this command plays them:\n  sandtable dataset complete " + dir} {
		if !strings.Contains(out, want) {
			t.Errorf("repair prints %s, want %q", out, want)
		}
	}
	if again := done(t, "", "dataset", "repair", dir); again != dir+" is sound; nothing was changed\nmissing: 30 episodes in jobs 5-9; this command plays them:\n  sandtable dataset complete "+dir+"\n" {
		t.Errorf("a second repair prints %s", again)
	}
	if out := done(t, "", "dataset", "complete", dir); out != "played 30 episodes; no job is missing in "+dir+"\n" {
		t.Errorf("complete prints %s", out)
	}
	if out := done(t, "", "dataset", "verify", dir); !strings.Contains(out, digest) {
		t.Errorf("verify prints %s, want content %s", out, digest)
	}
	if out := done(t, "", "dataset", "complete", dir); out != "no job is missing in "+dir+"\n" {
		t.Errorf("a second complete prints %s", out)
	}
}

func TestTheGamesOfAWorkerAreDroppedAndPlayedAgain(t *testing.T) {
	whole, digest := sixtyGames(t)
	dir := rewritten(t, whole, 6)
	status := done(t, "", "dataset", "status", dir)
	for _, want := range []string{"60 of 60 planned", "2 shards", "workers         heron              30 episodes in jobs 0,2,4,6,8\n", "ibis               30 episodes in jobs 1,3,5,7,9\n"} {
		if !strings.Contains(status, want) {
			t.Errorf("status prints %s, want %q", status, want)
		}
	}
	for _, args := range [][]string{{"--worker", "ibis", "--jobs", "0"}, {"--worker", "ibis", "--jobs", "0", "--json"}} {
		o := done(t, "", append([]string{"dataset", "drop", dir, "--dry-run"}, args...)...)
		if strings.HasPrefix(o, "{") {
			var d dropJSON
			if err := json.Unmarshal([]byte(o), &d); err != nil || !d.DryRun || d.Jobs.String() != "0-1,3,5,7,9" || d.Episodes != 36 || len(d.Shards) != 2 || d.MissingEpisodes != 36 {
				t.Errorf("drop --json prints %s (%v)", o, err)
			}
		} else if !strings.HasPrefix(o, "would drop: 36 episodes in jobs 0-1,3,5,7,9, from 2 shards\n") {
			t.Errorf("drop prints %s", o)
		}
	}
	if o := done(t, "", "dataset", "drop", dir, "--worker", "ibis"); o != "dropped: 30 episodes in jobs 1,3,5,7,9, from 2 shards\nmissing: 30 episodes in jobs 1,3,5,7,9; this command plays them:\n  sandtable dataset complete "+dir+"\n" {
		t.Errorf("drop prints %s", o)
	}
	var s statusJSON
	if err := json.Unmarshal([]byte(done(t, "", "dataset", "status", dir, "--json")), &s); err != nil ||
		s.Complete || s.Episodes != 30 || s.Planned != 60 || s.Jobs != 5 || s.Missing.String() != "1,3,5,7,9" || len(s.Workers) != 1 || s.Workers[0].Worker != "heron" || s.Bytes <= 0 {
		t.Errorf("status is %+v (%v)", s, err)
	}
	done(t, "", "dataset", "complete", dir)
	if out := done(t, "", "dataset", "verify", dir); !strings.Contains(out, digest) {
		t.Errorf("verify prints %s, want content %s", out, digest)
	}
}

func TestStatusNamesDamage(t *testing.T) {
	whole, _ := sixtyGames(t)
	dir := rewritten(t, whole, 6)
	damage(t, dir, "steps/00000000.parquet")
	damage(t, dir, "episodes/00000001.parquet")
	if err := os.WriteFile(filepath.Join(dir, "steps", "00000002.parquet.tmp"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	letter := `{"run":"r","job":"3","first":"18","count":"6","error":"out of luck"}`
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, workers.DeadFolder), 0o777), os.WriteFile(workers.DeadLetterPath(dir, 3), []byte(letter), 0o666)); err != nil {
		t.Fatal(err)
	}
	out := done(t, "", "dataset", "status", dir)
	for _, want := range []string{"damaged         steps/00000000.parquet: size: 50 bytes\n", "episodes/00000001.parquet: size: 50 bytes\n",
		"temporary       steps/00000002.parquet.tmp\n", "heron              18 episodes in jobs 0,2,4\n", "failed          jobs 3; dataset requeue removes their dead letters\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("status prints %s, want %q", out, want)
		}
	}
	if err := os.Remove(filepath.Join(dir, dataset.ManifestName)); err != nil {
		t.Fatal(err)
	}
	if o := sandtable(t, "", "dataset", "status", dir); o.code != exitFault {
		t.Errorf("without a manifest: code %d, %s", o.code, o.err)
	}
}

func TestRepairAndDropRefuseBadInput(t *testing.T) {
	dir := smallFarm(t)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"drop", dir}, exitUsage, "drop needs --worker NAME or --jobs LIST"},
		{[]string{"drop", dir, "--jobs", "7-3"}, exitUsage, `--jobs: jobs are "7-3", must be ascending numbers and ranges such as 0-3,7`},
		{[]string{"drop", dir, "--jobs", "99999"}, exitUsage, "lacks jobs 99999"},
		{[]string{"drop", dir, "--worker", "stork"}, exitUsage, `names worker "stork"`},
		{[]string{"drop", t.TempDir(), "--jobs", "1"}, exitUsage, "is not a data set"},
		{[]string{"repair", t.TempDir()}, exitUsage, "is not a data set"},
		{[]string{"complete", t.TempDir()}, exitUsage, "is not a data set"},
		{[]string{"status", t.TempDir()}, exitUsage, "is not a data set"},
		{[]string{"complete", dir, "--workers", "0"}, exitUsage, "--workers is 0"},
	} {
		if o := sandtable(t, "", append([]string{"dataset"}, c.args...)...); o.code != c.code || !strings.Contains(o.err, c.want) {
			t.Errorf("%q: code %d, %s; want %d, %q", c.args, o.code, o.err, c.code, c.want)
		}
	}
	for _, table := range []string{"episodes", "steps"} {
		if err := os.WriteFile(filepath.Join(dir, table, "00000000.parquet"), []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, dataset.ManifestName)); err != nil {
		t.Fatal(err)
	}
	if o := sandtable(t, "", "dataset", "repair", dir); o.code != exitFault || !strings.Contains(o.err, "no file names the run") {
		t.Errorf("nothing to repair from: code %d, %s", o.code, o.err)
	}
}

func TestTheNumberOfDistinctGamesSaysWhetherItIsAnEstimate(t *testing.T) {
	exact := dataset.Summary{Episodes: 400, Distinct: 300}
	if text := distinctText(&exact); text != "75.00 %  (300 of 400)" {
		t.Errorf("exact: %s", text)
	}
	estimate := dataset.Summary{Episodes: 1_300_000, Distinct: 1_234_567, DistinctError: dataset.DistinctError}
	if text := distinctText(&estimate); text != "about 95 %  (about 1,234,567 distinct games ±1 %, of 1,300,000)" {
		t.Errorf("estimate: %s", text)
	}
}
