package natsq

import (
	"cmp"
	"net/url"
	"sync"
	"sync/atomic"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

// Queue is a queue.Queue on JetStream. It is safe for concurrent use.
type Queue struct {
	options  Options
	conn     *nats.Conn
	js       jetstream.JetStream // for the messages of inboxes; everything else goes by api.go
	keeper   *keeper
	denials  *denials
	waits    *waits
	room     *room
	service  service
	keeping  *housekeeping
	foreign  *foreign
	late     sync.WaitGroup // of requests for jobs that are being taken back
	close    sync.Once
	readOnly atomic.Bool // the user may not create streams
	opened   atomic.Bool // every stream exists, or will be created by another process

	mu       sync.Mutex // guards what follows
	put      map[string]*putRun
	settings settingsCache
	closed   bool
}

var _ queue.Queue = (*Queue)(nil)

// newQueue returns a queue without a connection.
func newQueue(o Options) *Queue {
	user := cmp.Or(o.User, o.NKeyFile, o.Creds)
	if u, err := url.Parse(o.URL); user == "" && err == nil {
		if _, password := u.User.Password(); password { // otherwise the name is a token
			user = u.User.Username()
		}
	}
	return &Queue{
		options: o, denials: newDenials(user), waits: &waits{reasons: map[string]error{}, ready: o.Ready},
		room: newRoom(), keeping: newHousekeeping(), foreign: newForeign(), put: map[string]*putRun{}, settings: settingsCache{},
	}
}

// Close closes the connection. It may be called again.
func (q *Queue) Close() error {
	q.close.Do(func() {
		q.mu.Lock()
		q.closed = true
		q.mu.Unlock()
		q.late.Wait()
		q.keeper.stop()
		// The last acknowledgements are under way; without a connection there is
		// nothing to wait for.
		if q.conn.IsConnected() {
			_ = q.conn.FlushTimeout(attempt)
		}
		q.conn.Close()
	})
	return nil
}
