package natsq

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

const (
	pollRoom     = 500 * time.Millisecond // how long the size of the waiting results is taken for true
	pollFullRoom = 2 * time.Second        // and how long after all results were listed
	roomPatience = 10 * time.Second       // after which it is logged that a run waits for a collector
)

// room knows which runs have more waiting results than their bound.
type room struct {
	mu     sync.Mutex
	next   time.Time // look
	none   bool      // no run has room
	full   map[string]*fullRun
	own    map[string]*size // of the parts that this process has stored
	recent int64            // bytes of them since the last look
}

type fullRun struct {
	since, logged time.Time
}

type size struct{ messages, bytes int64 }

func newRoom() *room { return &room{full: map[string]*fullRun{}, own: map[string]*size{}} }

// stored records a part that was stored.
func (r *room) stored(run string, bytes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.own[run] == nil {
		r.own[run] = new(size)
	}
	r.own[run].messages++
	r.own[run].bytes += int64(bytes)
	const much = 1 << 20
	if r.recent += int64(bytes); r.recent > much {
		r.recent, r.next = 0, time.Time{}
	}
}

// withRoom returns the runs whose waiting results leave room for more. It logs the others,
// and reports them as what the queue waits for if no run has room.
func (q *Queue) withRoom(ctx context.Context, runs []string) (open []string, err error) {
	const what = "waiting for a collector"
	q.room.mu.Lock()
	defer q.room.mu.Unlock()
	if time.Now().After(q.room.next) {
		listed, err := q.measure(ctx)
		if err != nil {
			return nil, err
		}
		pause := pollRoom
		if listed {
			pause = pollFullRoom
		}
		q.room.next = time.Now().Add(pause/2 + rand.N(pause/2)) // not at the same time as other workers
	}
	waiting := ""
	for _, run := range runs {
		full := q.room.full[run]
		if full == nil {
			open = append(open, run)
			continue
		}
		waiting = run
		full.complain(q.options.Log, run)
	}
	if q.room.none {
		open = nil
		for run, full := range q.room.full {
			waiting = run
			full.complain(q.options.Log, run)
		}
	}
	if len(open) > 0 || waiting == "" {
		q.waits.end(what)
	} else {
		q.waits.begin(what, fmt.Errorf("the results of run %s wait for a collector", waiting))
		q.options.Backoff(causeRoom, waitForJob)
	}
	return open, nil
}

// complain logs from time to time that a run waits for a collector.
func (f *fullRun) complain(log *slog.Logger, run string) {
	if now := time.Now(); now.Sub(f.since) > roomPatience && now.Sub(f.logged) > 6*roomPatience {
		f.logged = now
		log.Warn("no job is played until a collector has received the waiting results; is it running?", "run", run)
	}
}

// reserve is the part of the stream of results that stays free for the results of jobs
// that are being played.
const reserve = 4 * (queue.PartBytes + headerBytes)

// measure looks which runs are full. The bound of a run is RoomBytes, or half of what is
// free in the stream, so that runs without a collector leave room for others. The results
// are listed only if they could be more than that.
func (q *Queue) measure(ctx context.Context) (listed bool, err error) {
	var info *streamInfo
	var bound int64
	err = q.persist(ctx, "looking for room", func(ctx context.Context) (err error) {
		if info, err = q.info(ctx, resultsStream, ""); err != nil {
			return err
		}
		bound = q.options.RoomBytes
		if limit := info.Config.MaxBytes; limit > 0 {
			bound = min(bound, max(0, limit-reserve-int64(info.State.Bytes))/2)
		}
		if int64(info.State.Bytes) <= bound {
			return nil // even if they are of one run
		}
		listed = true
		info, err = q.info(ctx, resultsStream, resultsPrefix+">")
		return err
	})
	if err != nil {
		return false, err
	}
	messages := map[string]int64{}
	for subject, n := range info.State.Subjects {
		if run, _, _, err := parseResultSubject(subject); err == nil {
			messages[run] += int64(n)
		}
	}
	full := map[string]*fullRun{}
	for run, n := range messages {
		average := int64(info.State.Bytes / max(1, info.State.Msgs)) // the server does not know it by run
		if own := q.room.own[run]; own != nil {
			average = own.bytes / own.messages
		}
		if n*average <= bound && bound > 0 {
			continue
		}
		if full[run] = q.room.full[run]; full[run] == nil {
			full[run] = &fullRun{since: time.Now()}
		}
	}
	q.room.full, q.room.none = full, bound == 0
	return listed, nil
}
