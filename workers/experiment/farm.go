package experiment

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers"
)

// Config is what [New] needs.
type Config struct {
	// Open opens the queue, natsq.Embedded or natsq.Remote, when there is something
	// to play. The farm closes it.
	Open    func(ctx context.Context) (workers.Queue, error)
	Workers int // goroutines that play; 0 is one for each core
	// Commands are what the names of external programs stand for on this machine.
	Commands agent.Commands

	Meter  workers.Meter // nil counts nothing
	Log    *slog.Logger  // nil is silent
	Tuning workers.Tuning
}

// A Farm plays the arms of experiments: with one queue and one pool of players, for
// as long as it is open. It may be used by several goroutines; one call plays at a
// time.
type Farm struct {
	cfg   Config
	mu    sync.Mutex
	queue workers.Queue // nil while nothing was to be played
}

// New returns a farm. It opens nothing before it has something to play.
func New(cfg Config) *Farm { return &Farm{cfg: cfg} }

// Close closes the queue. The farm may be used again afterwards.
func (f *Farm) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.close()
}

func (f *Farm) close() error {
	queue := f.queue
	f.queue = nil
	if queue == nil {
		return nil
	}
	return queue.Close()
}

// play plays what is missing of runs, on a queue that it opens if it must. After an
// error the queue is given up: the next call opens another.
func (f *Farm) play(ctx context.Context, runs []*workers.Run) (err error) {
	if f.queue == nil {
		queue, err := f.cfg.Open(ctx)
		if err != nil {
			return err
		}
		f.queue = queue
	}
	err = workers.PlayRuns(ctx, runs, workers.WorkerConfig{
		Queue: f.queue, Workers: f.cfg.Workers, Commands: f.cfg.Commands, Meter: f.cfg.Meter, Log: f.cfg.Log, Tuning: f.cfg.Tuning,
	})
	if err != nil {
		err = errors.Join(err, f.close())
	}
	return err
}
