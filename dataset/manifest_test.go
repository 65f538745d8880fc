package dataset_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/datasettest"
)

const someDigest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func shard(t *testing.T, number int64, numbers ...int64) dataset.Shard {
	t.Helper()
	return dataset.Shard{
		Number: number, Jobs: jobs(t, numbers...),
		Episodes: dataset.File{Name: dataset.ShardFile(dataset.EpisodesFolder, number), Rows: 5 * int64(len(numbers)), Bytes: 1000, SHA256: someDigest},
		Steps:    dataset.File{Name: dataset.ShardFile(dataset.StepsFolder, number), Rows: 500, Bytes: 9000, SHA256: someDigest},
	}
}

// manifest returns one with three of four jobs, in two shards.
func manifest(t *testing.T) *dataset.Manifest {
	t.Helper()
	m := dataset.NewManifest(datasettest.Settings(1<<63, 20, 5))
	for i, s := range []dataset.Shard{shard(t, 0, 0, 2), shard(t, 1, 3)} {
		if err := m.Add(s); err != nil {
			t.Fatalf("shard %d: %v", i, err)
		}
	}
	return m
}

func TestManifestIsLoadedAsItWasSaved(t *testing.T) {
	dir := t.TempDir()
	m := manifest(t)
	if err := m.Save(dir); err != nil {
		t.Fatal(err)
	}
	back, err := dataset.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if back.Run != m.Run || back.Settings.Run() != m.Settings.Run() || !reflect.DeepEqual(back.Shards, m.Shards) || back.Complete {
		t.Errorf("loaded\n%+v\nsaved\n%+v", back, m)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("saving left %v, %v", entries, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, dataset.ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"schema_version": 2`, `"seed": "9223372036854775808"`, `"rows": "500"`, `"jobs": "0,2"`, `"file": "steps/00000001.parquet"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("manifest lacks %s:\n%s", want, text)
		}
	}
}

func TestManifestCounts(t *testing.T) {
	m := manifest(t)
	if m.Episodes() != 15 || m.Steps() != 1000 || m.Bytes() != 20000 || m.Jobs().String() != "0,2-3" {
		t.Errorf("manifest counts %d episodes, %d plies, %d bytes, jobs %s", m.Episodes(), m.Steps(), m.Bytes(), m.Jobs())
	}
	for job, want := range []bool{true, false, true, true, false} {
		if m.HasJob(int64(job)) != want {
			t.Errorf("HasJob(%d) is %v", job, !want)
		}
	}
	if m.Complete {
		t.Error("complete without job 1")
	}
	if err := m.Add(shard(t, 2, 1)); err != nil || !m.Complete {
		t.Errorf("not complete with all jobs: %v", err)
	}
}

func TestManifestRefusesAShardThatDoesNotFit(t *testing.T) {
	for name, s := range map[string]dataset.Shard{
		"a job that is there":  shard(t, 2, 1, 3),
		"a job after the last": shard(t, 2, 4),
		"a number that exists": shard(t, 1, 1),
		"a number of a gap":    shard(t, 0, 1),
		"a number too large":   shard(t, 1<<53+1, 1),
		"no job":               shard(t, 2),
		"no digest":            {Number: 2, Jobs: jobs(t, 1), Episodes: dataset.File{Name: "episodes/00000002.parquet"}},
	} {
		m := manifest(t)
		if err := m.Add(s); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if !reflect.DeepEqual(m, manifest(t)) {
			t.Errorf("%s: the refused shard changed the manifest", name)
		}
	}
}

// Shards that are taken out leave gaps, and their numbers are not used again.
func TestRemovedShardsLeaveGaps(t *testing.T) {
	m := manifest(t) // shard 0 with jobs 0 and 2, and shard 1 with job 3
	rest := shard(t, 2, 2)
	if err := m.Remove(0, &rest); err != nil {
		t.Fatal(err)
	}
	if m.Jobs().String() != "2-3" || m.Removed.String() != "0" || m.Next() != 3 || m.Shards[0].Number != 1 || m.Shards[1].Number != 2 {
		t.Errorf("jobs %s, removed %s, next %d, shards %+v", m.Jobs(), m.Removed, m.Next(), m.Shards)
	}
	if err := m.Remove(2, nil); err != nil {
		t.Fatal(err)
	}
	if m.Jobs().String() != "3" || m.Removed.String() != "0,2" || m.Next() != 3 {
		t.Errorf("jobs %s, removed %s, next %d", m.Jobs(), m.Removed, m.Next())
	}
	if err := m.Remove(1, nil); err != nil || len(m.Shards) != 0 || m.Next() != 3 {
		t.Errorf("%d shards, next %d, error %v", len(m.Shards), m.Next(), err)
	}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := dataset.ParseManifest(data); err != nil || again.Removed.String() != "0-2" {
		t.Errorf("read back: error %v", err)
	}
	for number, by := range map[int64]dataset.Shard{0: shard(t, 2, 3), 7: shard(t, 2, 0)} {
		m := manifest(t)
		if err := m.Remove(number, &by); err == nil || !reflect.DeepEqual(m, manifest(t)) {
			t.Errorf("shard %d was replaced by one of jobs %s; error %v", number, by.Jobs, err)
		}
	}
}

func TestTheNumberOfAShardIsInTheNamesOfItsFiles(t *testing.T) {
	for name, want := range map[string]int64{"00000000.parquet": 0, "00000012.parquet": 12, "123456789.parquet": 123456789} {
		if number, ok := dataset.ShardNumber(dataset.StepsFolder, name); !ok || number != want {
			t.Errorf("%s: number %d, %v", name, number, ok)
		}
	}
	for _, name := range []string{"0.parquet", "00000001.parquet.tmp", "-0000001.parquet", "+0000001.parquet", "0000001x.parquet", "", ".parquet", "000000001.parquet", "99999999999999999999.parquet"} {
		if number, ok := dataset.ShardNumber(dataset.StepsFolder, name); ok {
			t.Errorf("%q has number %d", name, number)
		}
	}
}

func TestAFolderWithoutManifestIsNoDataSet(t *testing.T) {
	dir := t.TempDir()
	_, err := dataset.Load(dir)
	if !errors.Is(err, dataset.ErrNoDataSet) || err.Error() != dir+" is not a data set: missing manifest.json" {
		t.Errorf("error is %v", err)
	}
	if _, err := dataset.Load(filepath.Join(dir, "missing")); !errors.Is(err, dataset.ErrNoDataSet) {
		t.Errorf("a folder that is not there: error is %v", err)
	}
}

func TestADataSetOfAnotherVersionIsNotDamaged(t *testing.T) {
	dir := t.TempDir()
	for version, damaged := range map[string]bool{"1": false, "3": false, "0": true, "-1": true, `"2"`: true} {
		text := `{"schema_version": ` + version + `, "what": "no other version knows"}`
		if err := os.WriteFile(filepath.Join(dir, dataset.ManifestName), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := dataset.Load(dir)
		if errors.Is(err, dataset.ErrManifest) != damaged || errors.Is(err, dataset.ErrSchema) == damaged {
			t.Errorf("version %s: error is %v", version, err)
		}
	}
}

func TestEveryTruncationOfAManifestIsAnError(t *testing.T) {
	data, err := json.Marshal(manifest(t))
	if err != nil {
		t.Fatal(err)
	}
	for n := range data {
		if _, err := dataset.ParseManifest(data[:n]); err == nil {
			t.Fatalf("%d of %d bytes were read as a manifest", n, len(data))
		}
	}
}

func TestDamagedManifestsAreRefusedWithTheReason(t *testing.T) {
	data, err := json.Marshal(manifest(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, says string }{
		{`"schema_version":2`, `"schema_version":1`, "unsupported schema version: schema_version is 1, this program reads 2; use the version of Sandtable that wrote the data set"},
		{`"schema_version":2`, `"schema_version":0`, "schema_version is 0, must be 2"},
		{`"run":"`, `"run":"0`, "the id of its settings"},
		{`"complete":false`, `"complete":true`, "complete is true, but it has 3 of 4 jobs"},
		{`"complete":false`, `"complete":false,"more":1`, `unknown field "more"`},
		{`"max_plies":200`, `"max_plies":200,"max_moves":9`, `unknown field "max_moves"`},
		{`"max_plies":200`, `"max_plies":-1`, "max_plies is -1, must be 0 (no limit) or more"},
		{`"max_plies":200`, `"max_plies":100`, "the id of its settings"},
		{`"job_episodes":"5"`, `"job_episodes":"0"`, "job_episodes is 0, must be 1 or more"},
		{`"jobs":"0,2"`, `"jobs":"0,3"`, "job 3 occurs twice"},
		{`"jobs":"0,2"`, `"jobs":"2,0"`, "must be ascending numbers"},
		{`"jobs":"3"`, `"jobs":"7"`, "it has job 7, but the run has only 4 jobs"},
		{`"jobs":"3"`, `"jobs":""`, "shard 1: it has no jobs"},
		{"steps/00000001.parquet", "/etc/passwd", `must be "steps/00000001.parquet"`},
		{"episodes/00000000.parquet", "../00000000.parquet", `must be "episodes/00000000.parquet"`},
		{`"rows":"10"`, `"rows":"11"`, "shard 0: it has 11 episodes, must have 10, those of jobs 0,2"},
		{`"jobs":"3"`, `"jobs":"3-9223372036854775807"`, "it has job 9223372036854775807, but the run has only 4 jobs"},
		{`"number":"1"`, `"number":"0"`, "shards[1]: number is 0, must be 1 or more"},
		{`"number":"0"`, `"number":"-1"`, "shards[0]: number is -1, must be 0 or more"},
		{`"number":"1"`, `"number":"4"`, `must be "episodes/00000004.parquet"`},
		{`"complete":false`, `"complete":false,"removed":"1"`, "shard 1: it is also in removed"},
		{`"rows":"500"`, `"rows":"-500"`, "must be 0 or more"},
		{`"rows":"500"`, `"rows":500`, "invalid JSON"},
		{"sha256:0123", "sha256:XYZ3", "must be sha256: and 64 hexadecimal digits"},
		{`"shards"`, `"shard"`, `unknown field "shard"`},
	} {
		text := strings.Replace(string(data), c.old, c.new, 1)
		if text == string(data) {
			t.Fatalf("the manifest lacks %s: %s", c.old, data)
		}
		if _, err := dataset.ParseManifest([]byte(text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error is %v, want it to say %q", c.new, err, c.says)
		}
	}
	if _, err := dataset.ParseManifest(append(data, " {}"...)); err == nil {
		t.Error("a second object after the manifest was accepted")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, dataset.ManifestName), data[:100], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := dataset.Load(dir); !errors.Is(err, dataset.ErrManifest) || !strings.Contains(err.Error(), dir) {
		t.Errorf("a cut manifest: error is %v, want ErrManifest and the path", err)
	}
}

func TestAJobOfAnEndlessRunHasItsLimits(t *testing.T) {
	m := dataset.NewManifest(datasettest.Settings(1, 0, 5))
	if err := m.Add(shard(t, 0, 1<<61)); err == nil || !strings.Contains(err.Error(), "is too large") {
		t.Errorf("error is %v", err)
	}
	if err := m.Add(shard(t, 0, 1<<60)); err != nil || m.Complete {
		t.Errorf("a run without an end: complete is %v, error %v", m.Complete, err)
	}
}

func TestSettingsThatDifferAreNamed(t *testing.T) {
	a := datasettest.Settings(1, 20, 5)
	for _, c := range []struct {
		says   string
		change func(s *dataset.Settings)
	}{
		{"seed is 1 there and 2 here", func(s *dataset.Settings) { s.Seed = 2 }},
		{"max_plies is 200 there and 0 here", func(s *dataset.Settings) { s.MaxPlies = 0 }},
		{`agents is ["random","random"] there and ["random","greedy"] here`, func(s *dataset.Settings) { s.Agents[1] = "greedy" }},
		{"rules is", func(s *dataset.Settings) { s.Rules = json.RawMessage(`{"x":"` + strings.Repeat("y", 500) + `"}`) }},
	} {
		b := a
		c.change(&b)
		err := a.Differs(&b)
		if err == nil || !strings.Contains(err.Error(), c.says) || len(err.Error()) > 300 {
			t.Errorf("error is %v, want it to say %q", err, c.says)
		}
	}
	same := a
	same.Rules = json.RawMessage("{ \"game\": \"toy\",\n\"name\": \"toy/standard\" }")
	if err := a.Differs(&same); err != nil {
		t.Errorf("white space in the rules makes a difference: %v", err)
	}
}
