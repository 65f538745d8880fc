package natsq

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A keeper reports to the server at intervals which messages are held, so that they
// are not delivered to another process.
type keeper struct {
	mu   sync.Mutex
	held map[jetstream.Msg]struct{}
	quit chan struct{}
	done chan struct{}
}

func newKeeper(every time.Duration) *keeper {
	k := &keeper{held: map[jetstream.Msg]struct{}{}, quit: make(chan struct{}), done: make(chan struct{})}
	go k.run(every)
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
		for _, msg := range k.list() {
			// A report that is lost is sent again at the next interval, and one
			// for a message that has been acknowledged has no effect.
			_ = msg.InProgress()
		}
	}
}

func (k *keeper) list() []jetstream.Msg {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Collect(maps.Keys(k.held))
}

func (k *keeper) hold(msg jetstream.Msg) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.held[msg] = struct{}{}
}

func (k *keeper) release(msg jetstream.Msg) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.held, msg)
}

func (k *keeper) stop() {
	close(k.quit)
	<-k.done
}
