package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
)

// info reads what dataset info --json tells.
func info(t *testing.T, dir string) dataDescription {
	t.Helper()
	var d dataDescription
	if err := json.Unmarshal([]byte(done(t, "", "dataset", "info", dir, "--json")), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// smallFarm plays a small run into a new folder and returns it.
func smallFarm(t *testing.T, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	done(t, "", append([]string{"farm", "--listen", "off", "--episodes", "60", "--out", dir}, args...)...)
	return dir
}

func TestFarmPlaysADataSetThatProves(t *testing.T) {
	for _, args := range [][]string{{"trench/standard"}, {"ntxuva/basic", "--agent", "random", "--vs", "greedy"}} {
		dir := smallFarm(t, args...)
		d := info(t, dir)
		if !d.Complete || d.Summary.Episodes != 60 || d.Variant != args[0] || d.BytesAPly <= 0 {
			t.Errorf("%s: %+v", args[0], d)
		}
		if out := done(t, "", "dataset", "verify", dir); !strings.Contains(out, "verified: 60 games") || !strings.Contains(out, d.ContentDigest) {
			t.Errorf("verify prints %s", out)
		}
		if _, err := os.Stat(filepath.Join(dir, natsFolder)); !os.IsNotExist(err) {
			t.Errorf("the store of the embedded server is left behind: %v", err)
		}
	}
}

func TestTheWorkerCountNeverChangesTheData(t *testing.T) {
	one := info(t, smallFarm(t, "trench/standard", "--workers", "1"))
	three := info(t, smallFarm(t, "trench/standard", "--workers", "3"))
	if one.ContentDigest != three.ContentDigest || one.Run != three.Run {
		t.Errorf("one worker gives %s, three %s", one.ContentDigest, three.ContentDigest)
	}
	if other := info(t, smallFarm(t, "trench/standard", "--seed", "2")); other.ContentDigest == one.ContentDigest {
		t.Error("another seed gives the same games")
	}
}

func TestTheSummaryTellsWhatAPersonWants(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	args := []string{"farm", "--listen", "off", "--episodes", "40", "--vs", "random", "--out", dir}
	out := done(t, "", args...)
	for _, want := range []string{"trench/standard", "first player", "won", "95 % confidence intervals", "20 independent pairs of games",
		"reasons", "game length", "distinct games", "plies/s", "bytes per ply", dir, "Next:", "sandtable dataset verify"} {
		if !strings.Contains(out, want) {
			t.Errorf("the summary does not tell %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "content ") {
		t.Error("the data set was read back to tell of it")
	}
	again := done(t, "", args...)
	if strings.Contains(again, "plies/s") || !strings.Contains(again, "content ") || !strings.Contains(again, "distinct games") {
		t.Errorf("a finished run is not only described:\n%s", again)
	}
	var d dataDescription
	if err := json.Unmarshal([]byte(done(t, "", append(args, "--json")...)), &d); err != nil || d.Summary.Episodes != 40 {
		t.Errorf("farm --json gives %v, %d episodes", err, d.Summary.Episodes)
	}
}

func TestARunForATimeEndsWithWholeJobs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	done(t, "", "farm", "ntxuva/basic", "--listen", "off", "--agent", "random", "--for", "1ms", "--out", dir, "--max-plies", "12")
	d := info(t, dir)
	m, err := dataset.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if d.Summary.Episodes == 0 || d.Summary.Episodes%m.Settings.JobEpisodes != 0 || d.Planned != 0 {
		t.Errorf("%d episodes in jobs of %d", d.Summary.Episodes, m.Settings.JobEpisodes)
	}
	done(t, "", "dataset", "verify", dir)
}

// TestFarmDeletesNothingThatIsNotItsOwn is the reproduction of three losses: foreign
// files in the folders of the tables and of the server, and a data set whose manifest
// is lost.
func TestFarmDeletesNothingThatIsNotItsOwn(t *testing.T) {
	farm := func(dir string) (code int, stderr string) {
		o := sandtable(t, "", "farm", "trench/standard", "--listen", "off", "--episodes", "60", "--out", dir)
		return o.code, o.err
	}
	write := func(path, content string) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(content), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	thesis := filepath.Join(dir, "episodes", "thesis.txt")
	write(thesis, "thesis")
	if code, stderr := farm(dir); code != exitUsage || !strings.Contains(stderr, thesis) {
		t.Errorf("a folder with a foreign file: code %d, %s", code, stderr)
	}
	if data, err := os.ReadFile(thesis); err != nil || string(data) != "thesis" {
		t.Errorf("the foreign file is now %q, %v", data, err)
	}

	lost := smallFarm(t, "trench/standard")
	if err := os.Remove(filepath.Join(lost, dataset.ManifestName)); err != nil {
		t.Fatal(err)
	}
	shard := filepath.Join(lost, "episodes", "00000000.parquet")
	if code, stderr := farm(lost); code != exitUsage || !strings.Contains(stderr, shard) {
		t.Errorf("a data set without its manifest: code %d, %s", code, stderr)
	}
	if _, err := os.Stat(shard); err != nil {
		t.Errorf("the shard is lost: %v", err)
	}

	mine := t.TempDir()
	note := filepath.Join(mine, natsFolder, "note.txt")
	write(note, "note")
	if code, stderr := farm(mine); code != exitDone {
		t.Errorf("a folder with a file beside the server's: code %d, %s", code, stderr)
	}
	if data, err := os.ReadFile(note); err != nil || string(data) != "note" {
		t.Errorf("the note is now %q, %v", data, err)
	}
	if _, err := os.Stat(filepath.Join(mine, natsFolder, "jetstream")); !os.IsNotExist(err) {
		t.Errorf("the server's store is left behind: %v", err)
	}
}

func TestOtherSettingsIntoTheSameFolderAreRefused(t *testing.T) {
	dir := smallFarm(t, "trench/standard")
	before := info(t, dir)
	o := sandtable(t, "", "farm", "--listen", "off", "--episodes", "60", "--seed", "9", "--out", dir)
	if o.code != exitUsage || !strings.Contains(o.err, "belongs to a different run: seed is") {
		t.Errorf("code %d, %s", o.code, o.err)
	}
	if after := info(t, dir); after.ContentDigest != before.ContentDigest {
		t.Error("the refused run changed the data")
	}
}

func TestAFolderInUseIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	lock, err := dataset.AcquireLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	o := sandtable(t, "", "farm", "--listen", "off", "--episodes", "60", "--out", dir)
	if o.code != exitFailed || !strings.Contains(o.err, fmt.Sprintf("another sandtable (process %d) is writing %s", os.Getpid(), dir)) {
		t.Errorf("code %d, %s", o.code, o.err)
	}
}

func TestAPortInUseIsFoundBeforeAnythingIsWritten(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	dir := filepath.Join(t.TempDir(), "data")
	o := sandtable(t, "", "farm", "--listen", busy.Addr().String(), "--episodes", "60", "--out", dir)
	if o.code != exitFailed || !strings.Contains(o.err, "address already in use; choose another with --listen") {
		t.Errorf("code %d, %s", o.code, o.err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Error("something was written")
	}
}

func TestAServerThatIsNotThereIsNamed(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "nats://" + free.Addr().String()
	free.Close()
	for _, args := range [][]string{
		{"farm", "--listen", "off", "--episodes", "2", "--out", filepath.Join(t.TempDir(), "data")},
		{"worker", "--wait", "0"},
		{"worker", "--wait", "100ms"},
		{"coordinator", "trench/standard", "--wait", "0"},
		{"collector", "--run", "0123456789abcdef", "--out", filepath.Join(t.TempDir(), "data"), "--wait", "0"},
		{"runs"},
		{"run", "status", "0123"},
		{"workers"},
		{"top"},
	} {
		o := sandtable(t, "", append(args, "--nats", url)...)
		if o.code != exitFailed || !strings.Contains(o.err, "no NATS server at "+url) {
			t.Errorf("%s: code %d, %s", args[0], o.code, o.err)
		}
	}
	o := sandtable(t, "", "worker", "--nats", "http://x")
	if o.code == exitDone || !strings.Contains(o.err, "nats://HOST:PORT") {
		t.Errorf("code %d, %s", o.code, o.err)
	}
}

func TestRolesApartNeedAServer(t *testing.T) {
	for _, args := range [][]string{{"worker"}, {"coordinator", "trench/standard"}, {"collector", "--out", "x"}} {
		if o := sandtable(t, "", args...); o.code != exitUsage || !strings.Contains(o.err, "needs --nats") {
			t.Errorf("%s: code %d, %s", args[0], o.code, o.err)
		}
	}
	if o := sandtable(t, "", "collector", "--nats", "nats://127.0.0.1:1"); o.code != exitUsage || !strings.Contains(o.err, "needs --out") {
		t.Errorf("code %d, %s", o.code, o.err)
	}
}

func TestAStoppedFarmSaysHowToGoOnAndDoes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	args := []string{"farm", "--listen", "off", "--episodes", "60", "--out", dir}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errOut bytes.Buffer
	code := run(ctx, args, streams{in: strings.NewReader(""), out: &out, err: &errOut})
	if code != exitInterrupted || !strings.Contains(errOut.String(), "contains the games so far, and the same command resumes") {
		t.Errorf("code %d, %s", code, errOut.String())
	}
	done(t, "", args...)
	if d := info(t, dir); d.Summary.Episodes != 60 || d.ContentDigest != info(t, smallFarm(t)).ContentDigest {
		t.Errorf("after going on the data set holds %+v", d.Summary)
	}
}

func TestDatasetCommandsRefuseWhatIsNoDataSet(t *testing.T) {
	empty := t.TempDir()
	for _, args := range [][]string{{"info", empty}, {"verify", empty}, {"show", empty, "0"}, {"requeue", empty}} {
		o := sandtable(t, "", append([]string{"dataset"}, args...)...)
		if o.code != exitUsage || !strings.Contains(o.err, empty+" is not a data set") {
			t.Errorf("dataset %s: code %d, %s", args[0], o.code, o.err)
		}
	}
}

func TestDatasetShowWritesAGame(t *testing.T) {
	dir := smallFarm(t)
	out := done(t, "", "dataset", "show", dir, "7")
	for _, want := range []string{`[Variant "trench/standard"]`, `[Episode "7"]`, "result: "} {
		if !strings.Contains(out, want) {
			t.Errorf("show does not tell %s:\n%s", want, out)
		}
	}
	if boards := done(t, "", "dataset", "show", dir, "7", "--boards"); len(boards) < 10*len(out) {
		t.Errorf("show --boards is hardly longer than show: %d, %d bytes", len(boards), len(out))
	}
	if o := sandtable(t, "", "dataset", "show", dir, "60"); o.code != exitUsage || !strings.Contains(o.err, "episode 60 is not in the data set") {
		t.Errorf("code %d, %s", o.code, o.err)
	}
}

func TestVerifyNamesTheFaultAndExitsWith3(t *testing.T) {
	dir := smallFarm(t)
	m, err := dataset.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, filepath.FromSlash(m.Shards[0].Steps.Name))
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	o := sandtable(t, "", "dataset", "verify", dir)
	if o.code != exitFault || !strings.Contains(o.err, m.Shards[0].Steps.Name) {
		t.Errorf("code %d, %s", o.code, o.err)
	}
	o = sandtable(t, "", "dataset", "verify", dir, "--json")
	var v verifyJSON
	if err := json.Unmarshal([]byte(o.out), &v); err != nil || o.code != exitFault || v.Proved || v.Fault == "" {
		t.Errorf("code %d, %s (%v)", o.code, o.out, err)
	}
}

func TestACutFileIsAFault(t *testing.T) {
	dir := smallFarm(t)
	m, err := dataset.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{m.Shards[0].Steps.Name, m.Shards[0].Episodes.Name, dataset.ManifestName} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, whole[:len(whole)*2/3], 0o644); err != nil {
			t.Fatal(err)
		}
		for _, command := range [][]string{{"verify", dir}, {"info", dir}, {"show", dir, "59"}} {
			if name == m.Shards[0].Steps.Name && command[0] == "show" {
				continue // may not need what was cut off
			}
			o := sandtable(t, "", append([]string{"dataset"}, command...)...)
			if o.code != exitFault || o.err == "" {
				t.Errorf("%s cut, dataset %s: code %d, %s", name, command[0], o.code, o.err)
			}
		}
		if err := os.WriteFile(file, whole, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLogsCanBeJSON(t *testing.T) {
	o := sandtable(t, "", "farm", "--listen", "off", "--episodes", "4", "-v", "--log-format", "json", "--out", filepath.Join(t.TempDir(), "data"))
	if o.code != exitDone || o.err == "" {
		t.Fatalf("code %d, logs %q", o.code, o.err)
	}
	for line := range strings.Lines(o.err) {
		if !json.Valid([]byte(line)) {
			t.Errorf("the log has the line %s", line)
		}
	}
}

func TestFarmWarnsOfAgentsThatThinkInSeconds(t *testing.T) {
	for agent, want := range map[string]bool{"alphabeta:depth=1,time=1s": true, "alphabeta:depth=1": false} {
		o := sandtable(t, "", "farm", "ntxuva/4", "--agent", agent, "--episodes", "2", "--out", t.TempDir()+"/run")
		if o.code != exitDone || strings.Contains(o.err, "has a time limit") != want {
			t.Errorf("%s: exit code %d, warned must be %v\n%s", agent, o.code, want, o.err)
		}
	}
}
