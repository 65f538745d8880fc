package workers_test

import (
	"cmp"
	"context"
	"errors"
	"hash/crc32"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// settings returns a run of small jobs.
func settings(t testing.TB, variant, agent string, episodes, jobEpisodes int64) dataset.Settings {
	t.Helper()
	s, err := newSettings(variant, agent, episodes, jobEpisodes)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newSettings(variant, text string, episodes, jobEpisodes int64) (dataset.Settings, error) {
	v, err := games.Lookup(variant)
	if err != nil {
		return dataset.Settings{}, err
	}
	spec, err := agent.Parse(text, v, nil)
	if err != nil {
		return dataset.Settings{}, err
	}
	plan, err := selfplay.NewPlan(selfplay.Config{
		Variant: v, Agents: [2]agent.Spec{spec, spec},
		Opening: selfplay.Opening{Plies: 2}, MaxPlies: 300, Seed: 7,
	})
	if err != nil {
		return dataset.Settings{}, err
	}
	return plan.Cut(episodes, jobEpisodes).Settings(), nil
}

// tuning makes the roles quick.
func tuning() workers.Tuning {
	return workers.Tuning{
		Tick: 10 * time.Millisecond, Scout: 10 * time.Millisecond, Report: 50 * time.Millisecond,
		Rest: time.Millisecond, RestMost: 20 * time.Millisecond, Settle: 500 * time.Millisecond,
	}
}

// plan opens the plan of settings on a machine without external programs.
func plan(t testing.TB, s dataset.Settings) *selfplay.Plan {
	t.Helper()
	p, err := selfplay.Open(&s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A farm plays one run.
type farm struct {
	workers.Config
	workers.Run
	Settings dataset.Settings // of the plan
	Status   func(workers.Status)
}

// newFarm returns a farm with an embedded server, whose store is in the folder of the
// data set.
func newFarm(dir string, s dataset.Settings) farm {
	return farm{
		Config: workers.Config{
			Workers: 2, Tuning: tuning(),
			Open: natsq.Embedded(natsq.ServerOptions{Dir: filepath.Join(dir, "nats")}, natsq.Options{}),
		},
		Run:      workers.Run{Dir: dir},
		Settings: s,
	}
}

// play plays the run, and closes the farm.
func (f *farm) play(ctx context.Context) (report workers.Report, err error) {
	if f.Plan, err = selfplay.Open(&f.Settings, f.Commands); err != nil {
		return report, err
	}
	w := workers.New(f.Config)
	reports, err := w.Play(ctx, f.Status, f.Run)
	if len(reports) > 0 {
		report = reports[0]
	}
	return report, errors.Join(err, w.Close())
}

// wantDataSet checks that a folder holds exactly the first episodes of a run,
// each once, as a bare loop plays them.
func wantDataSet(t *testing.T, dir string, s dataset.Settings, episodes int64) {
	t.Helper()
	plan, err := selfplay.Open(&s, nil)
	if err != nil {
		t.Fatal(err)
	}
	var want, got dataset.Digest
	err = selfplay.PlayAll(context.Background(), plan, s.Run(), 0, episodes, 1, func(ep *dataset.Episode) error {
		want.Add(ep)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int64]int{}
	for ep, err := range reader.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		seen[ep.Number]++
		got.Add(ep)
	}
	for number := range episodes {
		if seen[number] != 1 {
			t.Errorf("episode %d is there %d times", number, seen[number])
		}
	}
	if got.String() != want.String() {
		t.Errorf("%d episodes with digest %s, a bare loop plays %d with %s", len(seen), got.String(), episodes, want.String())
	}
}

// server starts a server that listens, and stops it with the test.
func server(t *testing.T, dir, listen string) *natsq.Server {
	t.Helper()
	s, err := natsq.StartServer(context.Background(), natsq.ServerOptions{Dir: dir, Listen: listen})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// connect connects over TCP, as another machine does.
func connect(t *testing.T, url string, o natsq.Options) *natsq.Queue {
	t.Helper()
	o.URL = url
	q, err := natsq.Connect(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() })
	return q
}

// startOn starts a worker process, by default with the name "w". The function that is
// returned stops it and waits for it.
func startOn(t *testing.T, q queue.Worker, cfg workers.WorkerConfig) (stop func()) {
	t.Helper()
	cfg.Queue, cfg.Name = q, cmp.Or(cfg.Name, "w")
	if cfg.Tuning == (workers.Tuning{}) {
		cfg.Tuning = tuning()
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- workers.Work(ctx, cfg) }()
	return sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("worker: %v", err)
		}
	})
}

// tally is a Meter that counts, and calls onEpisode, if it is set, with the
// number of the episodes that all workers have played.
type tally struct {
	onEpisode func(n int)

	mu                                           sync.Mutex
	episodes, redelivered, dead, dropped, shards int

	workers, busy int
	ends          map[workers.JobEnd]int
	rows          int64
}

func (m *tally) add(n *int, by int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	*n += by
	return *n
}

func (m *tally) get(n *int) int { return m.add(n, 0) }

func (m *tally) Episodes(string) workers.EpisodeMeter { return m }
func (m *tally) EpisodePlayed(plies int, _ int64, _ env.Result, _ env.Reason) {
	n := m.add(&m.episodes, 1)
	if m.onEpisode != nil {
		m.onEpisode(n)
	}
}
func (m *tally) Ready(error)    {}
func (m *tally) WorkerStarted() { m.add(&m.workers, 1) }
func (m *tally) WorkerStopped() { m.add(&m.workers, -1) }
func (m *tally) JobStarted()    { m.add(&m.busy, 1) }
func (m *tally) JobEnded(_ time.Duration, end workers.JobEnd) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ends == nil {
		m.ends = map[workers.JobEnd]int{}
	}
	m.ends[end]++
	m.busy--
}
func (m *tally) JobRedelivered()         { m.add(&m.redelivered, 1) }
func (m *tally) JobDead()                { m.add(&m.dead, 1) }
func (m *tally) QueueDepth(int64, int64) {}

func (m *tally) Quarantined(bool)                  {}
func (m *tally) RunRefused(workers.Refusal)        {}
func (m *tally) RunsRefused([workers.Refusals]int) {}
func (m *tally) Backoff(string, time.Duration)     {}
func (m *tally) RunState(workers.RunReport)        {}
func (m *tally) JobCommitted(time.Duration)        {}
func (m *tally) CollectorLag(time.Duration)        {}
func (m *tally) ResultChecked(time.Duration, bool) {}
func (m *tally) Audited(workers.AuditEnd)          {}
func (m *tally) WorkerQuarantined()                {}

func (m *tally) PartDropped() { m.add(&m.dropped, 1) }
func (m *tally) ShardCommitted(episodes, _, _ int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.shards++
	m.rows += episodes
}

func crc(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }
