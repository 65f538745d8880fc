package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestRunsWithOtherSettingsHaveOtherFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range []string{
		"farm", "farm --agent random", "farm --episodes 6", "farm --seed 2", `farm trench{"target_points":20}`, "farm --agent greedy --vs random",
	} {
		all := append(strings.Fields(args), "--listen", "off")
		if !strings.Contains(args, "--episodes") {
			all = append(all, "--episodes", "4")
		}
		if out := done(t, "", all...); strings.Contains(out, "nothing was played") {
			t.Errorf("sandtable %s plays nothing", args)
		}
		if out := done(t, "", all...); !strings.Contains(out, "is complete; nothing was played") {
			t.Errorf("sandtable %s, again, prints\n%s", args, out)
		}
	}
	if folders, err := os.ReadDir("runs"); err != nil || len(folders) != 6 {
		t.Errorf("runs has %d folders (%v), want 6", len(folders), err)
	}
}

// Runs were in folders that the digest of the rules and the seed named.
func TestARunStaysInAFolderOfTheOlderName(t *testing.T) {
	t.Chdir(t.TempDir())
	done(t, "", "farm", "trench/standard", "--episodes", "4", "--listen", "off", "--out", "runs/trench-standard-c7ca57e7-1")
	out := done(t, "", "farm", "trench/standard", "--episodes", "4", "--listen", "off")
	if !strings.Contains(out, "The run in "+filepath.Join("runs", "trench-standard-c7ca57e7-1")+" is complete; nothing was played.") {
		t.Errorf("farm prints\n%s", out)
	}
}

func TestARefusalEndsWithWhatToType(t *testing.T) {
	dir := smallFarm(t)
	o := sandtable(t, "", "farm", "--listen", "off", "--seed", "2", "--out", dir)
	if o.code != exitUsage || !strings.Contains(o.err, "seed is") || !strings.HasSuffix(o.err, "choose another folder with --out DIR\n") {
		t.Errorf("code %d, %s", o.code, o.err)
	}
}

func TestRunsListsTheDataSetsOfAFolder(t *testing.T) {
	t.Setenv("SANDTABLE_NATS_URL", "")
	t.Chdir(t.TempDir())
	if out := done(t, "", "runs"); !strings.Contains(out, "runs contains no data sets; sandtable farm writes one") {
		t.Errorf("runs prints\n%s", out)
	}
	done(t, "", "farm", "ntxuva/4", "--episodes", "6", "--listen", "off", "--out", "runs/a/b")
	done(t, "", "arena", "ntxuva/4", "greedy", "random", "--pairs", "3", "--out", "runs/match")
	if err := os.MkdirAll("runs/broken", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("runs/broken/manifest.json", []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := done(t, "", "runs")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 4 || !regexp.MustCompile(`^runs.a.b +complete +6 +[\d.]+ kB +ntxuva/4 +greedy$`).MatchString(lines[1]) ||
		!strings.Contains(lines[2], "faulty") || !strings.Contains(lines[3], "greedy against random") {
		t.Errorf("runs prints\n%s", out)
	}
	var list struct{ Datasets []folderRun }
	if err := json.Unmarshal([]byte(done(t, "", "runs", "runs", "--json")), &list); err != nil || len(list.Datasets) != 3 ||
		list.Datasets[0].Episodes != 6 || !list.Datasets[0].Complete || list.Datasets[1].Fault == "" {
		t.Errorf("%+v, %v", list, err)
	}
	for _, args := range [][]string{{"runs", "none"}, {"runs", "runs", "--nats", "nats://127.0.0.1:1"}} {
		if o := sandtable(t, "", args...); o.code != exitUsage {
			t.Errorf("%v: code %d, %s", args, o.code, o.err)
		}
	}
}

// A safeBuffer may be written and read at the same time.
type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(data []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(data)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func TestASharedFarmPrintsTheCommandOfItsWorkers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	var out, log safeBuffer
	ended := make(chan int)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		ended <- run(ctx, strings.Fields("farm ntxuva/4 --for 1h --workers 1 --agent alphabeta:nodes=200 --share 127.0.0.1:0 --listen off --out "+dir),
			streams{in: strings.NewReader(""), out: &out, err: &log})
	}()
	var found []string
	for wait := 0; found == nil; wait++ {
		found = regexp.MustCompile(`(SANDTABLE_NATS_TOKEN)=(\w{26}) sandtable (worker --nats nats://127\.0\.0\.1:\d+)\n`).FindStringSubmatch(log.String())
		if time.Sleep(50 * time.Millisecond); wait > 600 {
			t.Fatalf("the farm says\n%s", log.String())
		}
	}
	if o := sandtable(t, "", append(strings.Fields(found[3]), "--wait", "0")...); o.code == exitDone {
		t.Error("a worker without the token is let in")
	}
	t.Setenv(found[1], found[2])
	working, stop := context.WithCancel(t.Context())
	defer stop()
	var seen safeBuffer
	worked := make(chan int)
	go func() {
		worked <- run(working, append(strings.Fields(found[3]), "--name", "guest", "--workers", "1"), streams{in: strings.NewReader(""), out: &out, err: &seen})
	}()
	for wait := 0; !strings.Contains(seen.String(), "playing a run"); wait++ {
		if time.Sleep(50 * time.Millisecond); wait > 600 {
			t.Fatalf("the worker says\n%s", seen.String())
		}
	}
	stop()
	if code := <-worked; code != exitDone || !strings.Contains(seen.String(), "msg=played worker=guest") {
		t.Errorf("the worker: code %d\n%s", code, seen.String())
	}
	cancel()
	if code := <-ended; code != exitInterrupted {
		t.Errorf("the farm: code %d\n%s", code, log.String())
	}
}

func TestAWrongShareIsRefused(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"farm --share 4222", `--share is "4222", must be HOST:PORT or :PORT, such as :4222`},
		{"farm --share :x", "must be HOST:PORT"},
		{"farm --share :4222 --nats nats://x:1", "excludes --nats"},
	} {
		if o := sandtable(t, "", strings.Fields(c.args)...); o.code != exitUsage || !strings.Contains(o.err, c.want) {
			t.Errorf("sandtable %s: code %d, %s", c.args, o.code, o.err)
		}
	}
}
