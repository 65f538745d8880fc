package experiment_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay/record"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/experiment"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// faultyQueue is a queue that goes wrong.
type faultyQueue struct {
	queue.Queue
	failed chan error               // see Failed
	parts  func(parts []queue.Part) // sees the parts of a result before they are stored; may be nil

	progress func(*queue.Progress) // sees it before it is published; may be nil
}

func (q *faultyQueue) PutProgress(ctx context.Context, now *queue.Progress) error {
	if q.progress != nil {
		q.progress(now)
	}
	return q.Queue.PutProgress(ctx, now)
}

// Failed implements queue.Failer.
func (q *faultyQueue) Failed() <-chan error { return q.failed }

func (q *faultyQueue) StoreResult(ctx context.Context, parts []queue.Part) error {
	if q.parts != nil {
		q.parts(parts)
	}
	return q.Queue.StoreResult(ctx, parts)
}

// faulty makes the queues that a farm opens faulty ones.
func faulty(cfg workers.Config, change func(*faultyQueue)) workers.Config {
	open := cfg.Open
	cfg.Open = func(ctx context.Context) (queue.Queue, error) {
		opened, err := open(ctx)
		if err != nil {
			return nil, err
		}
		q := &faultyQueue{Queue: opened, failed: make(chan error, 1)}
		change(q)
		return q, nil
	}
	return cfg
}

// garbled makes the results of one job of a run unreadable.
func garbled(run string, job int64) func(*faultyQueue) {
	return func(q *faultyQueue) {
		q.parts = func(parts []queue.Part) {
			if last := &parts[len(parts)-1]; last.Run == run && last.Job == job {
				last.Total.Sum++
			}
		}
	}
}

func TestAFarmWhoseQueueFailedOpensAnother(t *testing.T) {
	all := arms(t)
	opened, errFull := 0, errors.New("the disk is full")
	farm := newFarm(t, faulty(config(t, 2), func(q *faultyQueue) {
		if opened++; opened == 1 {
			q.parts = func([]queue.Part) {
				select {
				case q.failed <- errFull:
				default:
				}
			}
		}
	}))
	if err := experiment.Play(t.Context(), farm, all, nil); !errors.Is(err, errFull) {
		t.Fatalf("error is %v", err)
	}
	if err := experiment.Play(t.Context(), farm, all, nil); err != nil || opened != 2 {
		t.Fatalf("%d queues were opened, error is %v", opened, err)
	}
	for _, arm := range all {
		wantArm(t, arm)
	}
}

func TestAFarmWithDeadJobsWhoseQueueFailedOpensAnother(t *testing.T) {
	all := arms(t)[:2]
	all[0].Episodes, all[1].Episodes = 1, 100_000
	settings := experiment.Settings(all[0].Plan)
	opened, errFull := 0, errors.New("the disk is full")
	cfg := config(t, 2)
	cfg.Tuning.Turn = 10 * time.Millisecond // or the failed job waits while the other run is played
	farm := newFarm(t, faulty(cfg, func(q *faultyQueue) {
		if opened++; opened == 1 {
			garbled(settings.Run(), 0)(q)
			q.progress = func(now *queue.Progress) {
				if now.Run == settings.Run() && now.Dead.Len() > 0 {
					q.failed <- errFull
				}
			}
		}
	}))
	var dead *workers.DeadJobsError
	if err := experiment.Play(t.Context(), farm, all, nil); !errors.Is(err, errFull) || !errors.As(err, &dead) {
		t.Fatalf("error is %v", err)
	}
	if _, err := workers.Requeue(all[0].Dir); err != nil {
		t.Fatal(err)
	}
	if err := experiment.Play(t.Context(), farm, all[:1], nil); err != nil || opened != 2 {
		t.Fatalf("%d queues were opened, error is %v", opened, err)
	}
	wantArm(t, all[0])
}

func TestAQueueThatCannotBeOpenedLeavesNothingBehind(t *testing.T) {
	all, errAway := arms(t), errors.New("no server")
	farm := newFarm(t, workers.Config{Open: func(context.Context) (queue.Queue, error) { return nil, errAway }})
	if err := experiment.Play(t.Context(), farm, all, nil); !errors.Is(err, errAway) {
		t.Errorf("error is %v", err)
	}
	r := recording(t, "greedy", "random", 10)
	if err := farm.Record(t.Context(), r); !errors.Is(err, errAway) {
		t.Errorf("error is %v", err)
	}
	for _, dir := range []string{all[0].Dir, all[1].Dir, all[2].Dir, r.Dir} {
		if files, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(files) > 0 {
			t.Errorf("%v are left behind, %v", files, err)
		}
	}
}

func TestDeadJobsOfAnArmAreNamedAndTheOthersAreThere(t *testing.T) {
	all := arms(t)
	settings := experiment.Settings(all[1].Plan)
	farm := newFarm(t, faulty(config(t, 2), garbled(settings.Run(), 0)))
	err := experiment.Play(t.Context(), farm, all, nil)
	var dead *workers.DeadJobsError
	if !errors.As(err, &dead) || dead.Dir != all[1].Dir || dead.Jobs.String() != "0" || !strings.Contains(err.Error(), workers.DeadLetterPath(all[1].Dir, 0)) {
		t.Fatalf("error is %v", err)
	}
	wantArm(t, all[0])
	wantArm(t, all[2])
	if m, err := dataset.Load(all[1].Dir); err != nil || m.Jobs().Has(0) {
		t.Errorf("%s holds jobs %s, %v", all[1].Dir, m.Jobs(), err)
	}
	if _, err := workers.Requeue(all[1].Dir); err != nil {
		t.Fatal(err)
	}
	if err := experiment.Play(t.Context(), newFarm(t, config(t, 2)), all, nil); err != nil {
		t.Fatal(err)
	}
	wantArm(t, all[1])
}

func TestADeadJobThatIsNotWantedEndsNoRecording(t *testing.T) {
	const last, dead = 39, 45
	r := recording(t, "greedy", "greedy", 700)
	settings := record.Settings(r.Plan)
	var seen []int64
	played := make(chan struct{})
	tell := sync.OnceFunc(func() { close(played) })
	farm := newFarm(t, faulty(config(t, 2), func(q *faultyQueue) {
		garble := garbled(settings.Run(), dead)
		garble(q)
		spoil := q.parts
		q.parts = func(parts []queue.Part) {
			if spoil(parts); parts[0].Job == dead {
				tell()
			}
		}
	}))
	each := until(last, &seen)
	r.Each = func(ep *dataset.Episode) bool {
		if ep.Number == last {
			<-played
		}
		return each(ep)
	}
	if err := farm.Record(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if n := wantFirst(t, r.Dir, r.Plan, &settings); n != dead || len(seen) != last+1 {
		t.Errorf("the data set holds %d episodes, handed out were %v", n, seen)
	}
}

func TestADeadJobEndsARecordingAtIt(t *testing.T) {
	r := recording(t, "greedy", "greedy", 700)
	settings := record.Settings(r.Plan)
	var seen []int64
	r.Each = until(5000, &seen)
	farm := newFarm(t, faulty(config(t, 2), garbled(settings.Run(), 50)))
	for range 2 { // the second time nothing is played
		err := farm.Record(t.Context(), r)
		var dead *workers.DeadJobsError
		if !errors.As(err, &dead) || dead.Dir != r.Dir || dead.Jobs.String() != "50" {
			t.Fatalf("error is %v", err)
		}
		if n := wantFirst(t, r.Dir, r.Plan, &settings); n != 50 || len(seen) != 50 {
			t.Errorf("the data set holds %d episodes, handed out were %d", n, len(seen))
		}
		seen = nil
	}
	if _, err := workers.Requeue(r.Dir); err != nil {
		t.Fatal(err)
	}
	if err := newFarm(t, config(t, 2)).Record(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if n := wantFirst(t, r.Dir, r.Plan, &settings); n != 700 || len(seen) != 700 {
		t.Errorf("the data set holds %d episodes, handed out were %d", n, len(seen))
	}
}
