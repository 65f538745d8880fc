package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// fakeServer is what operators see of a server. It records orders.
type fakeServer struct {
	runs    []queue.RunState
	workers []queue.WorkerState
	orders  map[string]queue.Orders
	gone    []string // forgotten runs and pardoned workers
	err     error
}

func (s *fakeServer) AllRuns(context.Context) ([]queue.RunState, error)    { return s.runs, s.err }
func (s *fakeServer) Workers(context.Context) ([]queue.WorkerState, error) { return s.workers, s.err }

func (s *fakeServer) PutOrders(_ context.Context, run string, orders queue.Orders) error {
	if s.orders == nil {
		s.orders = map[string]queue.Orders{}
	}
	s.orders[run] = orders
	return s.err
}

func (s *fakeServer) Pardon(_ context.Context, worker string) error {
	s.gone = append(s.gone, worker)
	return s.err
}

func (s *fakeServer) Forget(_ context.Context, run string) error {
	s.gone = append(s.gone, run)
	return s.err
}

func jobs(t *testing.T, text string) (j dataset.Jobs) {
	t.Helper()
	if err := j.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return j
}

// playingRun is a run of 100 jobs with 10 games each, of which 25 are in the data set.
func playingRun(t *testing.T, id string) queue.RunState {
	t.Helper()
	return queue.RunState{
		Run: id, Jobs: 100,
		Settings: &dataset.Settings{Variant: "trench/standard", Agents: [2]string{"greedy", "random"}, Episodes: 1000, JobEpisodes: 10},
		Queued:   queue.Queued{Jobs: map[int64]bool{30: true, 31: true, 32: true}, Results: map[int64]bool{29: true}, Waiting: 1},
		Progress: queue.Progress{
			Run: id, Jobs: jobs(t, "0-24"), Episodes: 250, Shards: 2, Bytes: 5e6, Speed: 2.5,
			Arrived: queue.Arrived{Jobs: 1, Episodes: 10}, At: time.Now().Add(-2 * time.Second),
		},
	}
}

func testWorker(name string, playing map[string]int) queue.WorkerState {
	return queue.WorkerState{
		Name: name, Host: "node7", Version: "v1.2.3", Cores: 8, Workers: 4, Playing: playing,
		Done: 1234, Failed: 2, Games: 1.25, Plies: 4321, At: time.Now().Add(-time.Second),
	}
}

func TestRunsSayWhatTheyDoOrWaitFor(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		change  func(*queue.RunState)
		workers []queue.WorkerState
		state   runStatus
		eta     bool
		note    string // part of what is said below the table; "" means none
	}{
		"playing":  {func(*queue.RunState) {}, []queue.WorkerState{testWorker("node7/1", map[string]int{"aa00": 2})}, runPlaying, true, ""},
		"complete": {func(r *queue.RunState) { r.Progress.Jobs = jobs(t, "0-99"); r.Orders.Cancelled = true }, nil, runComplete, false, ""},
		"complete with failures": {func(r *queue.RunState) { r.Progress.Jobs, r.Progress.Dead = jobs(t, "0-98"), jobs(t, "99") },
			nil, runComplete, false, "1 job failed; dataset requeue"},
		"paused":    {func(r *queue.RunState) { r.Orders.Paused = true }, nil, runPaused, false, ""},
		"cancelled": {func(r *queue.RunState) { r.Orders.Cancelled = true }, nil, runCancelled, false, ""},
		"no collector": {func(r *queue.RunState) { r.Progress.At = now.Add(-2 * time.Minute) }, nil, runNoCollector, false,
			"sandtable collector --nats URL --run aa00 --out DIR"},
		"no collector yet": {func(r *queue.RunState) { r.Progress = queue.Progress{} }, nil, runNoCollector, false, "no collector reports"},
		"no worker":        {func(r *queue.RunState) { r.Queued.Waiting = 3 }, nil, runNoWorker, false, "sandtable worker --nats URL"},
		"collecting":       {func(r *queue.RunState) { r.Queued.Jobs, r.Queued.Waiting = nil, 0 }, nil, runCollecting, false, ""},
		"no coordinator":   {func(r *queue.RunState) { r.Queued = queue.Queued{} }, nil, runNoCoordinator, false, "start its coordinator again"},
		"without an end":   {func(r *queue.RunState) { r.Jobs, r.Settings.Episodes = -1, 0 }, nil, runPlaying, false, ""},
		"lost settings":    {func(r *queue.RunState) { r.Settings = nil }, nil, runPlaying, false, ""},
		"a silent worker": {func(*queue.RunState) {}, []queue.WorkerState{func() queue.WorkerState {
			w := testWorker("node7/1", map[string]int{"aa00": 1})
			w.At = now.Add(-18 * time.Second)
			return w
		}()}, runPlaying, true, "waiting for 1 job of node7/1, which last reported 18 s ago; it is delivered again in 12 s"},
		"a refusal": {func(*queue.RunState) {}, []queue.WorkerState{func() queue.WorkerState {
			w := testWorker("node7/1", nil)
			w.Refused = map[string]string{"aa00": "needs 64 GiB\x1b[2J"}
			return w
		}()}, runPlaying, true, "node7/1 does not play it: needs 64 GiB\uFFFD[2J"},
	} {
		t.Run(name, func(t *testing.T) {
			run := playingRun(t, "aa00")
			c.change(&run)
			r := describeRun(&run, c.workers, now)
			if r.State != c.state || (r.ETA != nil) != c.eta {
				t.Errorf("state %q, ETA %v; must be %q, ETA known %v", r.State, r.ETA, c.state, c.eta)
			}
			table := runsTable([]runJSON{r})
			_, notes, _ := strings.Cut(table, "\n\n")
			if c.note == "" && notes != "" || !strings.Contains(notes, c.note) {
				t.Errorf("the notes are %q, must be %q", notes, c.note)
			}
		})
	}
}

func TestRunsAreListedAsATableAndAsJSON(t *testing.T) {
	s := &fakeServer{
		runs:    []queue.RunState{playingRun(t, "aa00"), playingRun(t, "bb11")},
		workers: []queue.WorkerState{testWorker("node7/1", map[string]int{"aa00": 3}), testWorker("w", map[string]int{"aa00": 1})},
	}
	var out bytes.Buffer
	a := &app{streams: streams{out: &out}}
	if err := a.listRuns(t.Context(), s, false); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	want := "aa00  playing  260 of 1,000  2.50/s  4 min 56 s  4        0       trench/standard"
	if len(lines) < 3 || lines[1] != want || !strings.HasPrefix(lines[0], "RUN   STATE") {
		t.Errorf("the table is\n%s\nmust have the line\n%s", out.String(), want)
	}
	out.Reset()
	var all struct {
		Runs []json.RawMessage `json:"runs"`
	}
	if err := errors.Join(a.listRuns(t.Context(), s, true), json.Unmarshal(out.Bytes(), &all)); err != nil || len(all.Runs) != 2 {
		t.Fatalf("%d runs, %v", len(all.Runs), err)
	}
	for _, part := range []string{`"episodes": 260`, `"planned_episodes": 1000`, `"eta_seconds": 296`, `"workers": 4`, `"processes": 2`, `"waiting_jobs": 1`, `"held_jobs": 2`, `"state": "playing"`} {
		if text := string(all.Runs[0]); !strings.Contains(text, part) {
			t.Errorf("the JSON lacks %s:\n%s", part, text)
		}
	}
	out.Reset()
	if err := writeRuns(&out, nil); err != nil || out.String() != "The server has no runs.\n" {
		t.Errorf("without runs it prints %q", out.String())
	}
}

func TestARunIsFoundByTheBeginningOfItsId(t *testing.T) {
	s := &fakeServer{runs: []queue.RunState{{Run: "aa00"}, {Run: "aa0011"}, {Run: "ab00"}}}
	for text, want := range map[string]string{"aa00": "aa00", "aa001": "aa0011", "ab": "ab00"} {
		if run, err := findRun(t.Context(), s, text); err != nil || run.Run != want {
			t.Errorf("%s is %v, %v; must be %s", text, run, err, want)
		}
	}
	for text, want := range map[string]string{"a": "aa00, aa0011, ab00 begin with it", "c": `run "c" is unknown to the server`} {
		_, err := findRun(t.Context(), s, text)
		var coded exitError
		if !errors.As(err, &coded) || coded.code != exitUsage || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, must be %s", text, err, want)
		}
	}
}

func TestStatusOfARunShowsEverything(t *testing.T) {
	run := playingRun(t, "aa00")
	run.Orders.Workers, run.Progress.Dead = 6, jobs(t, "40-41")
	now := time.Now()
	r := describeRun(&run, []queue.WorkerState{testWorker("node7/1", map[string]int{"aa00": 3})}, now)
	var out bytes.Buffer
	if err := r.write(&out, now); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"run        aa00\n", "agents     greedy against random\n", "state      playing\n", "games      260 of 1,000 (26.0 %)\n",
		"speed      2.50/s; time left 4 min 56 s\n", "workers    3 in 1 process; at most 6 are allowed\n",
		"jobs       1 waiting, 2 held by workers, 1 with results that wait for the collector\n",
		"failed     2 jobs: 40-41\n", "data       5.0 MB in 2 shards\n", "collector  last reported 2 s ago\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("status lacks %q:\n%s", want, out.String())
		}
	}
}

func TestOrdersAreGivenAndConfirmed(t *testing.T) {
	type orders = queue.Orders
	complete := func(r *queue.RunState) { r.Progress.Jobs = jobs(t, "0-99") }
	for _, c := range []struct {
		order  func(*app, context.Context, queue.Operator, *queue.RunState) error
		change func(*queue.RunState)
		want   *orders // nil if none may be given
		says   string  // output or error
	}{
		{(*app).pauseRun, nil, &orders{Paused: true}, "run aa00 is paused; workers finish the jobs that they hold\n"},
		{(*app).pauseRun, func(r *queue.RunState) { r.Orders.Workers = 3 }, &orders{Paused: true, Workers: 3}, "is paused"},
		{(*app).pauseRun, func(r *queue.RunState) { r.Orders.Paused = true }, nil, "run aa00 was paused already\n"},
		{(*app).pauseRun, complete, nil, "run aa00 is complete; there is nothing to pause"},
		{(*app).resumeRun, func(r *queue.RunState) { r.Orders = orders{Paused: true, Workers: 3} }, &orders{Workers: 3}, "run aa00 continues\n"},
		{(*app).resumeRun, func(r *queue.RunState) { r.Orders = orders{Cancelled: true} }, &orders{}, "start its coordinator and its collector again"},
		{(*app).resumeRun, nil, nil, "run aa00 was not paused\n"},
		{(*app).cancelRun, nil, &orders{Cancelled: true}, "run aa00 is cancelled; the data set keeps the games that it has\n"},
		{(*app).cancelRun, func(r *queue.RunState) { r.Orders.Cancelled = true }, nil, "run aa00 was cancelled already\n"},
		{(*app).cancelRun, complete, nil, "run aa00 is complete; there is nothing to cancel"},
		{scaleTo("4"), func(r *queue.RunState) { r.Orders.Paused = true }, &orders{Paused: true, Workers: 4}, "run aa00 is played by at most 4 workers at a time\n"},
		{scaleTo("1"), nil, &orders{Workers: 1}, "at most 1 worker at a time\n"},
		{scaleTo("0"), func(r *queue.RunState) { r.Orders.Workers = 4 }, &orders{}, "run aa00 is played by any number of workers\n"},
		{scaleTo("-1"), nil, nil, `WORKERS is "-1", must be a whole number from 0 (no limit) to`},
		{scaleTo("many"), nil, nil, `WORKERS is "many"`},
	} {
		run := playingRun(t, "aa00")
		if c.change != nil {
			c.change(&run)
		}
		s := &fakeServer{runs: []queue.RunState{run}}
		var out bytes.Buffer
		says := ""
		if err := c.order(&app{streams: streams{out: &out}}, t.Context(), s, &run); err != nil {
			says = err.Error()
		}
		says += out.String()
		given, ok := s.orders["aa00"]
		if ok != (c.want != nil) || ok && given != *c.want || !strings.Contains(says, c.says) {
			t.Errorf("orders %+v (%v), %q; must be %+v, %q", given, ok, says, c.want, c.says)
		}
	}
}

func scaleTo(workers string) func(*app, context.Context, queue.Operator, *queue.RunState) error {
	return func(a *app, ctx context.Context, q queue.Operator, run *queue.RunState) error {
		return a.scaleRun(ctx, q, run, workers)
	}
}

func TestARunInUseIsForgottenOnlyByForce(t *testing.T) {
	const cancelFirst = "is being played; cancel it first (sandtable run cancel aa00), or add --force"
	long := time.Now().Add(-20 * time.Second)
	for name, c := range map[string]struct {
		change func(*queue.RunState)
		force  bool
		error  string // "" if it is forgotten
	}{
		"playing":              {func(*queue.RunState) {}, false, cancelFirst},
		"playing, by force":    {func(*queue.RunState) {}, true, ""},
		"paused":               {func(r *queue.RunState) { r.Orders.Paused = true }, false, cancelFirst},
		"without a collector":  {func(r *queue.RunState) { r.Progress.At = time.Time{} }, false, cancelFirst},
		"just cancelled":       {func(r *queue.RunState) { r.Orders.Cancelled = true }, false, "its collector reported 2 s ago and may still write games; wait until it has ended, or add --force"},
		"cancelled for a time": {func(r *queue.RunState) { r.Orders.Cancelled, r.Progress.At = true, long }, false, ""},
		"complete":             {func(r *queue.RunState) { r.Progress.Jobs = jobs(t, "0-99") }, false, ""},
		"abandoned":            {func(r *queue.RunState) { r.Queued.Jobs, r.Progress.At = nil, time.Time{} }, false, ""},
	} {
		run := playingRun(t, "aa00")
		c.change(&run)
		s := &fakeServer{runs: []queue.RunState{run}}
		var out bytes.Buffer
		err := (&app{streams: streams{out: &out}}).forgetRun(t.Context(), s, &run, c.force)
		switch {
		case c.error == "" && (err != nil || len(s.gone) != 1 || !strings.HasPrefix(out.String(), "run aa00 is forgotten; ")):
			t.Errorf("%s: forgotten %v, says %q, %v", name, s.gone, out.String(), err)
		case c.error != "" && (err == nil || len(s.gone) != 0 || !strings.Contains(err.Error(), c.error)):
			t.Errorf("%s: forgotten %v, error %v, must be %s", name, s.gone, err, c.error)
		}
	}
}

func TestWorkersAreListedWithWhatKeepsThemFromPlaying(t *testing.T) {
	now := time.Now()
	quarantined, resting, refusing, silent := testWorker("bad one", nil), testWorker("node7/2", nil), testWorker("node7/3", nil), testWorker("node7/4", map[string]int{"aa00": 4})
	quarantined.Quarantined = "job 5: result differs"
	resting.Resting = now.Add(90500 * time.Millisecond)
	refusing.Refused = map[string]string{"bb11": "needs 64 GiB", "aa00": "other rules"}
	silent.At = now.Add(-20 * time.Second)
	var out bytes.Buffer
	err := writeFleet(&out, []queue.WorkerState{testWorker("node7/1", map[string]int{"aa00": 4}), testWorker("idle", nil), quarantined, resting, refusing, silent}, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"node7/1           playing               4        8      1.25/s  4,321/s  1,234  2       v1.2.3\n",
		"idle on node7     idle ", "bad one on node7  quarantined ", "node7/2           rests for 1 min 30 s ", "node7/3           refuses ", "node7/4           silent for 20 s ",
		"\n\nbad one is quarantined: job 5: result differs; sandtable workers --pardon 'bad one' ends it\n",
		"node7/3 does not play run aa00: other rules\nnode7/3 does not play run bb11: needs 64 GiB\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the list lacks %q:\n%s", want, out.String())
		}
	}
	out.Reset()
	if err := writeFleet(&out, nil, now); err != nil || out.String() != "No worker has reported within a minute.\n" {
		t.Errorf("without workers it prints %q", out.String())
	}
}

func TestAWorkerIsPardonedByName(t *testing.T) {
	s := &fakeServer{}
	var out bytes.Buffer
	a := &app{streams: streams{out: &out}}
	if err := a.pardon(t.Context(), s, "node7/1"); err != nil || len(s.gone) != 1 || out.String() != "worker node7/1 may take jobs again\n" {
		t.Errorf("%v, %q, %v", s.gone, out.String(), err)
	}
	if err := a.pardon(t.Context(), s, ""); err == nil || len(s.gone) != 1 {
		t.Errorf("a pardon of nobody: %v, %v", s.gone, err)
	}
}

func TestTopFitsIntoTheTerminal(t *testing.T) {
	s := &fakeServer{}
	for i := range 40 {
		run := playingRun(t, fmt.Sprintf("%016x", i))
		run.Settings.Episodes, run.Progress.Episodes = 123_456_789, 98_765_432
		if i%3 == 0 {
			run.Progress.At = time.Time{}
		}
		s.runs = append(s.runs, run)
		s.workers = append(s.workers, testWorker(fmt.Sprintf("a-long-name-of-a-worker-é/%d", i), map[string]int{run.Run: 2}))
	}
	for _, size := range [][2]int{{80, 24}, {200, 60}, {40, 10}, {20, 3}, {1, 1}} {
		v := look(t.Context(), s)
		lines := v.lines(size[0], size[1])
		if len(lines) > size[1] || len(lines) == 0 {
			t.Errorf("%v: %d lines", size, len(lines))
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > size[0] {
				t.Errorf("%v: a line of %d characters: %s", size, utf8.RuneCountInString(line), line)
			}
		}
	}
	v := look(t.Context(), s)
	text := strings.Join(v.lines(80, 24), "\n")
	for _, want := range []string{
		"40 runs, 40 processes, 50.0/s games   q quits\n", "0000000000000001 playing          98,765,442   80.0 %    2.50/s", "more\n\nWORKER ", "no collector reports",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the view lacks %q:\n%s", want, text)
		}
	}
}

func TestTopSaysThatTheServerDoesNotAnswer(t *testing.T) {
	v := look(t.Context(), &fakeServer{err: errors.New("no answer")})
	if text := strings.Join(v.lines(80, 24), "\n"); !strings.Contains(text, "no answer") {
		t.Errorf("the view is\n%s", text)
	}
	var out bytes.Buffer
	if err := v.writeLines(&out); err != nil || !strings.HasSuffix(out.String(), "  no answer\n") {
		t.Errorf("the lines are %q", out.String())
	}
}

// endingWriter ends top after a few writes.
type endingWriter struct {
	text strings.Builder
	left int
	end  func()
}

func (w *endingWriter) Write(p []byte) (int, error) {
	if w.left--; w.left == 0 {
		w.end()
	}
	return w.text.Write(p)
}

func TestTopPrintsLinesWithoutATerminal(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	out := &endingWriter{left: 2, end: stop}
	s := &fakeServer{runs: []queue.RunState{playingRun(t, "aa00")}}
	a := &app{streams: streams{in: strings.NewReader(""), out: out}}
	if err := a.top(ctx, s, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if strings.Count(out.text.String(), "  aa00  playing  260 of 1,000 games  2.50/s  eta 4 min 56 s  workers 0  failed 0\n") != 2 || strings.Contains(out.text.String(), "\x1b") {
		t.Errorf("top prints\n%s", out.text.String())
	}
}

func TestKeysEndTop(t *testing.T) {
	for _, keys := range []string{"q", "xyQ", "\x03", "\x04", ""} {
		ended := false
		awaitQuit(strings.NewReader(keys), func() { ended = true })
		if !ended {
			t.Errorf("%q does not end it", keys)
		}
	}
}
