package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// Config configures [New].
type Config struct {
	// Open opens the queue when there is something to play; natsq.Embedded and
	// natsq.Remote return such functions. The farm closes the queue.
	Open    func(ctx context.Context) (queue.Queue, error)
	Workers int // number of goroutines that play; 0 means one per core
	// Trust skips the replay of results before they are written. It is for a queue that
	// no other process can reach; see CollectorConfig.Trust.
	Trust bool
	// Name, Version, Memory and KeepCrashes are those of WorkerConfig.
	Name, Version string
	Memory        int64
	KeepCrashes   bool
	// Commands are the external programs of this machine by name, for jobs of
	// other runs on a shared server.
	Commands agent.Commands

	Meter  Meter        // nil counts nothing
	Log    *slog.Logger // nil discards everything
	Tuning Tuning
}

// A Farm plays runs with all roles in this process, on one queue and with one
// pool of workers for as long as it is open. It is safe for concurrent use; one
// call plays at a time.
type Farm struct {
	cfg   Config
	mu    sync.Mutex  // held by the call that plays
	queue queue.Queue // nil until there is something to play, and after an error
}

// A Report is the state of a data set when a farm or a collector has ended, for
// whatever reason.
type Report struct {
	Dir      string
	Run      string
	Complete bool  // every job that is wanted is in the data set
	Before   int64 // episodes in the data set at the start
	Episodes int64 // episodes, plies, shards and bytes at the end
	Plies    int64
	Shards   int64
	Bytes    int64
	Dead     dataset.Jobs // jobs with a dead letter
}

// New returns a farm. It opens no queue until there is something to play.
func New(cfg Config) *Farm {
	cfg.Workers = cmp.Or(cfg.Workers, runtime.GOMAXPROCS(0))
	cfg.Meter, cfg.Log = metered(cfg.Meter), orSilent(cfg.Log)
	return &Farm{cfg: cfg}
}

// Close closes the queue. The farm may be used again afterwards.
func (f *Farm) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.close()
}

func (f *Farm) close() error {
	q := f.queue
	f.queue = nil
	if q == nil {
		return nil
	}
	return q.Close()
}

// Play plays the missing episodes of runs into their data sets, side by side: no
// worker waits for the end of a run while another has jobs. A later call resumes
// each run where its data set ends. status, unless nil, is called at every look
// (see Tuning.Tick) and at the end, one call at a time.
//
// Play locks all folders before it opens the queue. It opens no queue when
// nothing is missing. Two runs with the same folder or the same settings are an
// error.
//
// Play returns one report per run, in order, or none when it fails before it has
// opened all of them. The error wraps a *DeadJobsError for each run that ends with
// dead letters, while the others are completed; dataset.ErrSettings when a folder
// holds a different run; and the cause of ctx when that is done. After an error the
// queue is closed, and the next call opens another.
func (f *Farm) Play(ctx context.Context, status func(Status), runs ...Run) (reports []Report, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := distinct(runs); err != nil {
		return nil, err
	}
	var active []*activeRun
	defer func() {
		for _, r := range active {
			err = errors.Join(err, r.close())
		}
	}()
	for i := range runs {
		r, err := f.open(&runs[i], nil, f.cfg.Tuning)
		if err != nil {
			return nil, err
		}
		active = append(active, r)
	}
	err = f.play(ctx, status, active)
	for _, r := range active {
		reports = append(reports, r.report())
	}
	return reports, err
}

// distinct checks that no two runs have the same folder or the same settings.
func distinct(runs []Run) error {
	folders, ids := map[string]bool{}, map[string]string{}
	for i := range runs {
		r := &runs[i]
		if folders[r.Dir] {
			return fmt.Errorf("%s is the folder of two runs", r.Dir)
		}
		folders[r.Dir] = true
		settings := r.Plan.Settings()
		id := settings.Run()
		if other := ids[id]; other != "" {
			return fmt.Errorf("%s and %s are the same games: give their plans different seeds", other, r.Dir)
		}
		ids[id] = r.Dir
	}
	return nil
}

// play plays what is missing of runs. It gives up the queue after an error.
func (f *Farm) play(ctx context.Context, status func(Status), runs []*activeRun) (err error) {
	s := session{cfg: &f.cfg, status: newStatusMeter(f.cfg.Meter, status)}
	for _, r := range runs {
		s.status.add(r)
		if !r.complete() {
			s.runs = append(s.runs, r)
		}
	}
	if len(s.runs) == 0 {
		return nil
	}
	if f.queue == nil {
		if f.queue, err = f.cfg.Open(ctx); err != nil {
			f.queue = nil
			return err
		}
	}
	s.queue = f.queue
	if err := s.play(ctx); err != nil {
		return errors.Join(err, f.close())
	}
	return nil
}
