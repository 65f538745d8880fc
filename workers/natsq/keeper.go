package natsq

import (
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

// A keeper reports to the server at intervals which messages are held, so that they
// are not delivered to another process.
type keeper struct {
	conn  *nats.Conn
	log   *slog.Logger
	stuck time.Duration
	quit  chan struct{}
	done  chan struct{}

	mu   sync.Mutex
	held map[*lease]struct{}
}

// A lease is a message that is held.
type lease struct {
	reply, subject string
	moves          bool        // it is held only while it reports progress
	moved          atomic.Bool // since the last look
	since          time.Time   // of the last progress; of the keeper's goroutine
}

func newKeeper(conn *nats.Conn, o Options) *keeper {
	k := &keeper{
		conn: conn, log: o.Log, stuck: o.StuckAfter, held: map[*lease]struct{}{}, quit: make(chan struct{}), done: make(chan struct{}),
	}
	go k.run(o.AckWait / 3)
	return k
}

func (k *keeper) run(every time.Duration) {
	defer close(k.done)
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-k.quit:
			return
		case <-ticker.C:
		}
		for _, l := range k.list() {
			if l.moved.Swap(false) {
				l.since = time.Now()
			}
			if l.moves && time.Since(l.since) > k.stuck {
				k.log.Error("a job reports no progress; it is delivered to another worker", "subject", l.subject, "after", k.stuck)
				k.release(l)
				continue
			}
			// A report that is lost is sent again at the next interval, and one
			// for a message that has been acknowledged has no effect.
			_ = k.conn.Publish(l.reply, []byte(progress))
		}
	}
}

func (k *keeper) list() []*lease {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Collect(maps.Keys(k.held))
}

// hold begins to report a message. One that moves is reported only while it makes
// progress.
func (k *keeper) hold(reply, subject string, moves bool) *lease {
	l := &lease{reply: reply, subject: subject, moves: moves, since: time.Now()}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.held[l] = struct{}{}
	return l
}

func (k *keeper) release(l *lease) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.held, l)
}

func (k *keeper) stop() {
	close(k.quit)
	<-k.done
}
