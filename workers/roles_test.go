package workers_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// roles runs a coordinator and a collector, each with its own connection, until
// the run has ended. The caller runs workers.
func roles(t *testing.T, url string, o natsq.Options, dir string, s dataset.Settings) error {
	t.Helper()
	coordinating, collecting := connect(t, url, o), connect(t, url, o)
	if err := coordinating.PutRun(context.Background(), &s); err != nil {
		t.Fatal(err)
	}
	group, ctx := errgroup.WithContext(context.Background())
	group.Go(func() error {
		return workers.Coordinate(ctx, workers.CoordinatorConfig{Queue: coordinating, Plan: plan(t, s), Tuning: tuning()})
	})
	group.Go(func() error {
		_, err := workers.Collect(ctx, workers.CollectorConfig{Queue: collecting, Dir: dir, Run: s.Run(), Tuning: tuning()})
		return err
	})
	return group.Wait()
}

// rolesOn runs a coordinator and a collector on one queue until the run has ended.
func rolesOn(t *testing.T, q queue.Queue, dir string, s dataset.Settings) error {
	t.Helper()
	if err := q.PutRun(context.Background(), &s); err != nil {
		t.Fatal(err)
	}
	group, ctx := errgroup.WithContext(context.Background())
	group.Go(func() error {
		return workers.Coordinate(ctx, workers.CoordinatorConfig{Queue: q, Plan: plan(t, s), Tuning: tuning()})
	})
	group.Go(func() error {
		_, err := workers.Collect(ctx, workers.CollectorConfig{Queue: q, Dir: dir, Run: s.Run(), Tuning: tuning()})
		return err
	})
	return group.Wait()
}

// startWorkers starts a worker as a process of its own does. The function that
// is returned stops it and waits for it.
func startWorkers(t *testing.T, url string, n int, meter workers.Meter, o natsq.Options) (stop func()) {
	t.Helper()
	q := connect(t, url, o)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- workers.Work(ctx, workers.WorkerConfig{Queue: q, Workers: n, Meter: meter, Tuning: tuning()})
	}()
	return func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("worker: %v", err)
		}
	}
}

func TestTheNumberOfProcessesNeverChangesTheData(t *testing.T) {
	s := settings(t, "trench/standard", "random", 120, 3)
	url := server(t, t.TempDir(), "127.0.0.1:0").URL()
	var meters [2]tally
	for i := range meters {
		defer startWorkers(t, url, 1, &meters[i], natsq.Options{})()
	}
	dir := t.TempDir()
	if err := roles(t, url, natsq.Options{}, dir, s); err != nil {
		t.Fatal(err)
	}
	wantDataSet(t, dir, s, 120)
	if a, b := meters[0].get(&meters[0].episodes), meters[1].get(&meters[1].episodes); a+b < 120 {
		t.Errorf("the workers played %d and %d episodes", a, b)
	}
}

func TestWorkersServeSeveralRunsAtOnce(t *testing.T) {
	url := server(t, t.TempDir(), "127.0.0.1:0").URL()
	defer startWorkers(t, url, 2, nil, natsq.Options{})()
	var group errgroup.Group
	for _, variant := range []string{"trench/standard", "ntxuva/basic"} {
		s, dir := settings(t, variant, "random", 40, 4), t.TempDir()
		group.Go(func() error {
			err := roles(t, url, natsq.Options{}, dir, s)
			wantDataSet(t, dir, s, 40)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}

func TestTheServerMayRestartInMidRun(t *testing.T) {
	t.Parallel()
	s := settings(t, "trench/standard", "random", 60, 2)
	store := t.TempDir()
	first, err := natsq.StartServer(context.Background(), natsq.ServerOptions{Dir: store, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	url := first.URL()
	restart := make(chan struct{})
	meter := &tally{onEpisode: func(n int) {
		if n == 20 {
			close(restart)
		}
	}}
	// The clients must let go of the first server before the second one starts,
	// or it would not be a loss of the connection; Close sees to that.
	o := natsq.Options{AckWait: time.Second}
	stop := startWorkers(t, url, 2, meter, o)
	defer stop()
	dir, done := t.TempDir(), make(chan error, 1)
	go func() { done <- roles(t, url, o, dir, s) }()
	<-restart
	first.Close()
	server(t, store, strings.TrimPrefix(url, "nats://"))
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	wantDataSet(t, dir, s, 60)
}

func TestAJobOfAWorkerThatDiesIsPlayedByAnother(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 12, 3)
	url := server(t, t.TempDir(), "127.0.0.1:0").URL()
	o := natsq.Options{AckWait: time.Second}

	// The first worker is stuck in its first job when its connection goes.
	doomed := connect(t, url, o)
	stuck, release := make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	dead := make(chan error, 1)
	go func() {
		dead <- workers.Work(ctx, workers.WorkerConfig{Queue: doomed, Workers: 1, Tuning: tuning(), Meter: &tally{onEpisode: func(n int) {
			close(stuck)
			<-release
		}}})
	}()
	dir, done := t.TempDir(), make(chan error, 1)
	go func() { done <- roles(t, url, o, dir, s) }()
	<-stuck
	if err := doomed.Close(); err != nil {
		t.Fatal(err)
	}
	meter := &tally{}
	stop := startWorkers(t, url, 1, meter, o)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	stop()
	cancel()
	close(release)
	if err := <-dead; err != nil && !errors.Is(err, context.Canceled) {
		t.Logf("the dead worker ends with %v", err)
	}
	wantDataSet(t, dir, s, 12)
	if meter.redelivered == 0 {
		t.Error("the dead worker's job was not delivered again")
	}
}

// mortal is a queue whose collector dies when it tells of a new shard: after
// the commit, before any acknowledgement.
type mortal struct {
	queue.Queue
}

var errKilled = errors.New("killed")

func (m mortal) PutProgress(ctx context.Context, progress *queue.Progress) error {
	if progress.Shards > 0 {
		return errKilled
	}
	return m.Queue.PutProgress(ctx, progress)
}

func TestACollectorThatDiesBetweenCommitAndAckDoublesNothing(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 30, 3)
	url := server(t, t.TempDir(), "127.0.0.1:0").URL()
	q := connect(t, url, natsq.Options{})
	if err := q.PutRun(context.Background(), &s); err != nil {
		t.Fatal(err)
	}
	defer startWorkers(t, url, 2, nil, natsq.Options{})()
	coordinated := make(chan error, 1)
	go func() {
		coordinated <- workers.Coordinate(context.Background(), workers.CoordinatorConfig{Queue: q, Plan: plan(t, s), Tuning: tuning()})
	}()
	cfg := workers.CollectorConfig{Queue: mortal{q}, Dir: t.TempDir(), Run: s.Run(), Tuning: tuning()}
	cfg.Tuning.ShardPlies = 300
	if _, err := workers.Collect(context.Background(), cfg); !errors.Is(err, errKilled) {
		t.Fatalf("the first collector ends with %v", err)
	}
	meter := &tally{}
	cfg.Queue, cfg.Meter = q, meter
	report, err := workers.Collect(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := <-coordinated; err != nil {
		t.Fatal(err)
	}
	if report.Before == 0 || meter.dropped == 0 {
		t.Errorf("%+v with %d parts dropped: the first collector did not commit", report, meter.dropped)
	}
	wantDataSet(t, cfg.Dir, s, 30)
}

// echoing is a queue that delivers each result three times, at once and later,
// as JetStream may do with what is stored again after its window for duplicates.
type echoing struct {
	queue.Queue
}

func (e echoing) Collect(ctx context.Context, run string, share queue.Share) (queue.Inbox, error) {
	inbox, err := e.Queue.Collect(ctx, run, share)
	return &echo{Inbox: inbox}, err
}

type echo struct {
	queue.Inbox
	next, later []queue.Arrival
}

func (e *echo) Next(ctx context.Context) (queue.Arrival, error) {
	const later = 5
	if len(e.later) > later {
		e.next, e.later = append(e.next, e.later...), nil
	}
	if len(e.next) > 0 {
		arrival := e.next[0]
		e.next = e.next[1:]
		return arrival, nil
	}
	arrival, err := e.Inbox.Next(ctx)
	if err == nil {
		e.next, e.later = append(e.next, arrival), append(e.later, arrival)
	}
	return arrival, err
}

func TestResultsThatComeAgainAreDropped(t *testing.T) {
	cfg := newFarm(t.TempDir(), settings(t, "ntxuva/basic", "random", 90, 2))
	open := cfg.Open
	cfg.Open = func(ctx context.Context) (queue.Queue, error) {
		q, err := open(ctx)
		return echoing{q}, err
	}
	meter := &tally{}
	cfg.Meter, cfg.Tuning.ShardPlies = meter, 300
	if _, err := cfg.play(context.Background()); err != nil {
		t.Fatal(err)
	}
	if meter.dropped == 0 || meter.shards < 2 {
		t.Errorf("%d parts dropped, %d shards", meter.dropped, meter.shards)
	}
	wantDataSet(t, cfg.Dir, cfg.Settings, 90)
}

func TestACoordinatorQueuesAgainWhatAServerHasLost(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 20, 2)
	url := server(t, t.TempDir(), "127.0.0.1:0").URL()
	q := connect(t, url, natsq.Options{})
	dir, done := t.TempDir(), make(chan error, 1)
	go func() { done <- roles(t, url, natsq.Options{}, dir, s) }()
	waitFor(t, func() bool { return len(queued(t, q, s.Run()).Jobs) == 10 })
	if err := q.Withdraw(context.Background(), s.Run()); err != nil {
		t.Fatal(err)
	}
	defer startWorkers(t, url, 1, nil, natsq.Options{})()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	wantDataSet(t, dir, s, 20)
}

func TestACoordinatorThatIsStoppedTakesItsJobsBack(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 20, 2)
	q := connect(t, server(t, t.TempDir(), "127.0.0.1:0").URL(), natsq.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		done <- workers.Coordinate(ctx, workers.CoordinatorConfig{Queue: q, Plan: plan(t, s), Tuning: tuning()})
	}()
	waitFor(t, func() bool { return len(queued(t, q, s.Run()).Jobs) == 10 })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the coordinator ends with %v", err)
	}
	if left := queued(t, q, s.Run()).Jobs; len(left) != 0 {
		t.Errorf("jobs %v are still queued", left)
	}
}

func TestTheWindowBoundsWhatIsAhead(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 40, 2)
	cfg := newFarm(t.TempDir(), s)
	cfg.Tuning.Window = 3
	cfg.Status = func(status workers.Status) {
		if status.QueuedJobs > 3 {
			t.Errorf("%d jobs are queued, want 3 at most", status.QueuedJobs)
		}
	}
	if _, err := cfg.play(context.Background()); err != nil {
		t.Fatal(err)
	}
	wantDataSet(t, cfg.Dir, s, 40)
}

func TestASecondCollectorTakesOver(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 20, 2)
	q := connect(t, server(t, t.TempDir(), "127.0.0.1:0").URL(), natsq.Options{})
	if err := q.PutRun(context.Background(), &s); err != nil {
		t.Fatal(err)
	}
	var told atomic.Bool
	first := make(chan error, 1)
	go func() {
		_, err := workers.Collect(context.Background(), workers.CollectorConfig{
			Queue: q, Dir: t.TempDir(), Run: s.Run(), Tuning: tuning(),
			Status: func(queue.Progress) { told.Store(true) },
		})
		first <- err
	}()
	waitFor(t, told.Load)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	second := make(chan error, 1)
	go func() {
		_, err := workers.Collect(ctx, workers.CollectorConfig{Queue: q, Dir: t.TempDir(), Run: s.Run(), Tuning: tuning()})
		second <- err
	}()
	if err := <-first; err == nil || !strings.Contains(err.Error(), "another collector has taken over") {
		t.Errorf("the first collector ends with %v", err)
	}
	cancel()
	if err := <-second; !errors.Is(err, context.Canceled) {
		t.Errorf("the second collector ends with %v", err)
	}
}

func TestACollectorOfARunThatNobodyHasStarted(t *testing.T) {
	q := connect(t, server(t, t.TempDir(), "127.0.0.1:0").URL(), natsq.Options{})
	_, err := workers.Collect(context.Background(), workers.CollectorConfig{Queue: q, Dir: t.TempDir(), Run: "0123456789abcdef"})
	if !errors.Is(err, queue.ErrNoRun) {
		t.Errorf("error is %v", err)
	}
}

func TestWorkersOnOtherMachinesHelpAFarm(t *testing.T) {
	url := server(t, t.TempDir(), "127.0.0.1:0").URL()
	defer startWorkers(t, url, 1, nil, natsq.Options{})()
	s := settings(t, "ntxuva/basic", "random", 40, 2)
	cfg := newFarm(t.TempDir(), s)
	cfg.Open = natsq.Remote(natsq.Options{URL: url})
	if _, err := cfg.play(context.Background()); err != nil {
		t.Fatal(err)
	}
	wantDataSet(t, cfg.Dir, s, 40)
}

func queued(t *testing.T, q queue.Queue, run string) queue.Queued {
	t.Helper()
	all, err := q.Queued(context.Background(), run)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// waitFor waits until something is so; go test's own limit ends it else.
func waitFor(t *testing.T, so func() bool) {
	t.Helper()
	for !so() {
		select {
		case <-t.Context().Done():
			t.Fatal("the test has ended")
		case <-time.After(5 * time.Millisecond):
		}
	}
}
