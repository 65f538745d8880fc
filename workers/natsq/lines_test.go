package natsq_test

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// lines is a proxy whose connections can be cut.
type lines struct {
	listener net.Listener
	server   string
	mu       sync.Mutex
	open     []net.Conn
}

func proxy(t *testing.T, url string) *lines {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &lines{listener: listener, server: strings.TrimPrefix(url, "nats://")}
	t.Cleanup(func() { listener.Close(); l.cut() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", l.server)
			if err != nil {
				client.Close()
				continue
			}
			l.mu.Lock()
			l.open = append(l.open, client, server)
			l.mu.Unlock()
			go func() { _, _ = io.Copy(client, server); client.Close() }()
			go func() { _, _ = io.Copy(server, client); server.Close() }()
		}
	}()
	return l
}

func (l *lines) url() string { return "nats://" + l.listener.Addr().String() }

// cut closes all connections, at any byte of what they carry.
func (l *lines) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, conn := range l.open {
		conn.Close()
	}
	l.open = nil
}

// Whenever a line is cut, every job is played, and what was confirmed arrives.
func TestLinesThatAreCutLoseNothing(t *testing.T) {
	t.Parallel()
	url := start(t, natsq.ServerOptions{}).URL()
	line := proxy(t, url)
	o := natsq.Options{URL: url, AckWait: time.Second}
	coordinator := connect(t, o)
	o.URL = line.url()
	worker, collector := connect(t, o), connect(t, o)
	run := put(t, coordinator, settings(1))[0]
	const jobs = 40
	var numbers []int64
	for job := range int64(jobs) {
		numbers = append(numbers, job)
	}
	enqueue(t, coordinator, run, numbers...)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	all.Go(func() {
		for cut := range 12 {
			time.Sleep(time.Duration(50*cut) * time.Millisecond)
			line.cut()
		}
	})
	for range 4 {
		all.Go(func() {
			for ctx.Err() == nil {
				held, err := worker.NextJob(ctx, []string{run})
				if err != nil && ctx.Err() == nil {
					t.Error(err)
					return
				}
				if held == nil {
					continue
				}
				if err := worker.StoreResult(ctx, result(run, held.Job().Number, queue.PartBytes, 100)); err != nil && ctx.Err() == nil {
					t.Error(err)
				}
				_ = held.Done(ctx) // otherwise it is delivered again
			}
		})
	}
	inbox := collect(t, collector, run, queue.Share{})
	arrived := map[[2]int64]bool{}
	for len(arrived) < 2*jobs {
		a := arrival(t, inbox)
		arrived[[2]int64{a.Job(), int64(a.Part.Index)}] = true
		a.Ack()
	}
	stop()
	all.Wait()
}

// BenchmarkJobs plays jobs without content on one connection.
func BenchmarkJobs(b *testing.B) {
	server, err := natsq.StartServer(b.Context(), natsq.ServerOptions{Dir: b.TempDir(), Listen: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	defer server.Close()
	q, err := natsq.Connect(b.Context(), natsq.Options{URL: server.URL()})
	if err != nil {
		b.Fatal(err)
	}
	defer q.Close()
	var runs []string
	for seed := range uint64(4) {
		s := settings(seed)
		if err := q.PutRun(b.Context(), s); err != nil {
			b.Fatal(err)
		}
		runs = append(runs, s.Run())
	}
	for job := range b.N {
		if err := q.Enqueue(b.Context(), &queue.Job{Run: runs[job%len(runs)], Number: int64(job)}); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			held, err := q.NextJob(b.Context(), runs)
			if err != nil || held == nil {
				b.Errorf("held is %v, %v", held, err)
				return
			}
			part := queue.Part{Run: held.Job().Run, Job: held.Job().Number, Data: make([]byte, 2000), Total: &queue.Total{Episodes: 10}}
			if err := q.StoreResult(b.Context(), []queue.Part{part}); err != nil {
				b.Error(err)
			}
			if err := held.Done(b.Context()); err != nil {
				b.Error(err)
			}
		}
	})
}
