package workers_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// mishaps is a queue on which roles die at random calls, before or after the call has
// taken effect, and on which workers die in the middle of storing a result.
type mishaps struct {
	queue.Queue
	rate float64
	mu   *sync.Mutex
	rand *env.Rand
}

var errMishap = errors.New("the process is killed")

func (m *mishaps) happens() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.rand.Float64() < m.rate
}

// around does something, unless the process dies before it or after it.
func (m *mishaps) around(do func() error) error {
	if m.happens() {
		return errMishap
	}
	if err := do(); err != nil {
		return err
	}
	if m.happens() {
		return errMishap
	}
	return nil
}

func (m *mishaps) Enqueue(ctx context.Context, jobs ...*queue.Job) error {
	return m.around(func() error { return m.Queue.Enqueue(ctx, jobs...) })
}

func (m *mishaps) StoreResult(ctx context.Context, parts []queue.Part) error {
	part := parts[0] // in two parts, of which the second may be missing
	first, second := part, part
	cut := len(part.Data) / 2
	first.Data, first.Total, second.Data, second.Index = part.Data[:cut], nil, part.Data[cut:], 1
	return m.around(func() error {
		return errors.Join(
			m.around(func() error { return m.Queue.StoreResult(ctx, []queue.Part{first}) }),
			m.around(func() error { return m.Queue.StoreResult(ctx, []queue.Part{second}) }))
	})
}

func (m *mishaps) PutProgress(ctx context.Context, progress *queue.Progress) error {
	return m.around(func() error { return m.Queue.PutProgress(ctx, progress) })
}

func (m *mishaps) NextJob(ctx context.Context, runs []string) (held queue.HeldJob, err error) {
	err = m.around(func() error {
		held, err = m.Queue.NextJob(ctx, runs)
		return err
	})
	return held, err
}

func (m *mishaps) Collect(ctx context.Context, run string, share queue.Share) (queue.Inbox, error) {
	inbox, err := m.Queue.Collect(ctx, run, share)
	return &mishapInbox{inbox, m}, err
}

type mishapInbox struct {
	queue.Inbox
	mishaps *mishaps
}

func (b *mishapInbox) Next(ctx context.Context) (in queue.Arrival, err error) {
	err = b.mishaps.around(func() error {
		in, err = b.Inbox.Next(ctx)
		return err
	})
	return in, err
}

// Roles of three runs in a row die at random calls and are started again, jobs are
// delivered again, and jobs of which nothing is known are lost.
func TestWhateverIsKilledEachEpisodeIsThereOnce(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rand := env.NewRand(seed)
			q := newMemoryQueue()
			wrong := &mishaps{q, .01, new(sync.Mutex), rand}
			s := settings(t, "ntxuva/4", "random", 200, 2)
			dir := t.TempDir()
			if err := q.PutRun(t.Context(), &s); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var roles sync.WaitGroup
			again := func(name string, role func(context.Context) error) {
				roles.Go(func() {
					for deaths := 0; ctx.Err() == nil; deaths++ {
						switch err := role(ctx); {
						case err == nil && name != "worker":
							return
						case errors.Is(err, queue.ErrNoRun) || err == nil || ctx.Err() != nil:
							if name == "collector" {
								return
							}
						case !errors.Is(err, errMishap):
							t.Errorf("%s ends with %v", name, err)
							return
						}
					}
				})
			}
			for i := range 2 {
				again("worker", func(ctx context.Context) error {
					return workers.Work(ctx, workers.WorkerConfig{Queue: wrong, Name: fmt.Sprint("w", i), Workers: 2, Tuning: tuning()})
				})
			}
			again("coordinator", func(ctx context.Context) error {
				return workers.Coordinate(ctx, workers.CoordinatorConfig{Queue: wrong, Plan: plan(t, s), Tuning: tuning()})
			})
			roles.Go(func() { // servers lose what they hold, and deliver it again
				for ctx.Err() == nil {
					time.Sleep(20 * time.Millisecond)
					q.lose()
					if wrong.happens() {
						_ = q.Withdraw(ctx, s.Run())
					}
				}
			})
			cfg := workers.CollectorConfig{Queue: wrong, Dir: dir, Run: s.Run(), Tuning: tuning()}
			cfg.Tuning.ShardPlies = 500
			for deaths := 0; ; deaths++ {
				_, err := workers.Collect(ctx, cfg)
				if err == nil {
					break
				}
				if !errors.Is(err, errMishap) {
					t.Fatal(err)
				}
			}
			cancel()
			roles.Wait()
			wantDataSet(t, dir, s, 200)
			if len(q.quarantineList()) > 0 {
				t.Errorf("quarantined are %v", q.quarantined)
			}
		})
	}
}
