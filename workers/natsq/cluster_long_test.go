//go:build long

package natsq_test

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// cluster is a set of servers that store what they receive on each of them.
type cluster struct {
	options []*server.Options
	servers []*server.Server
}

func startCluster(t *testing.T, size int) *cluster {
	t.Helper()
	c := &cluster{servers: make([]*server.Server, size)}
	dir := t.TempDir()
	var routes []*url.URL
	for i := range size {
		o := &server.Options{
			ServerName: fmt.Sprintf("s%d", i), JetStream: true, StoreDir: filepath.Join(dir, strconv.Itoa(i)), NoSigs: true, NoLog: true,
			Cluster: server.ClusterOpts{Name: "farm"},
		}
		o.Host, o.Port = hostPort(t)
		o.Cluster.Host, o.Cluster.Port = hostPort(t)
		routes = append(routes, &url.URL{Scheme: "nats", Host: net.JoinHostPort(o.Cluster.Host, strconv.Itoa(o.Cluster.Port))})
		c.options = append(c.options, o)
	}
	for i, o := range c.options {
		o.Routes = routes
		c.start(t, i)
	}
	t.Cleanup(func() {
		for i := range c.servers {
			c.kill(i)
		}
	})
	return c
}

func hostPort(t *testing.T) (string, int) {
	host, port, err := net.SplitHostPort(freeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	return host, number
}

func (c *cluster) start(t *testing.T, i int) {
	t.Helper()
	s, err := server.NewServer(c.options[i].Clone())
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	if !s.ReadyForConnections(soon) {
		t.Fatal("the server does not start")
	}
	c.servers[i] = s
}

func (c *cluster) kill(i int) {
	c.servers[i].Shutdown()
	c.servers[i].WaitForShutdown()
}

func (c *cluster) url() string {
	var all []string
	for _, o := range c.options {
		all = append(all, fmt.Sprintf("nats://%s:%d", o.Host, o.Port))
	}
	return strings.Join(all, ",")
}

// Any one of three servers may go at a time, and nothing that was acknowledged is lost.
func TestAClusterLosesNothingWhenAServerGoes(t *testing.T) {
	c := startCluster(t, 3)
	var log record
	o := natsq.Options{URL: c.url(), Replicas: 3, AckWait: 5 * time.Second, Log: log.logger()}
	coordinator, worker, collector := connect(t, o), connect(t, o), connect(t, o)
	run := put(t, coordinator, settings(1))[0]
	inbox := collect(t, collector, run, queue.Share{})

	var mu sync.Mutex
	arrived := map[int64]map[int]bool{} // parts by job
	go func() {
		for {
			a, err := inbox.Next(t.Context())
			if err != nil {
				if t.Context().Err() == nil {
					t.Errorf("the collector ends with %v", err)
				}
				return
			}
			mu.Lock()
			if arrived[a.Job()] == nil {
				arrived[a.Job()] = map[int]bool{}
			}
			arrived[a.Job()][a.Part.Index] = true
			mu.Unlock()
			a.Ack()
		}
	}()
	const jobs = 100
	acknowledged := make(chan int64, 10*jobs) // some are played more than once
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for t.Context().Err() == nil {
				held, err := worker.NextJob(t.Context(), []string{run})
				if err != nil {
					t.Error(err)
					return
				}
				if held == nil {
					mu.Lock()
					complete := len(arrived) == jobs
					mu.Unlock()
					if complete {
						return
					}
					continue
				}
				time.Sleep(100 * time.Millisecond) // plays
				job := held.Job().Number
				if err := worker.StoreResult(t.Context(), result(run, job, 100_000, 1000)); err != nil {
					t.Error(err)
					return
				}
				acknowledged <- job
				if err := held.Done(t.Context()); err != nil {
					t.Logf("job %d is delivered again: %v", job, err)
				}
			}
		})
	}
	go func() {
		for job := range int64(jobs) {
			enqueue(t, coordinator, run, job)
		}
	}()
	for i := range c.servers {
		time.Sleep(time.Second)
		c.kill(i)
		time.Sleep(2 * time.Second)
		c.start(t, i)
		// The next server goes only when this one has what it missed.
		eventually(t, "current", func() bool {
			for _, s := range c.servers {
				if !s.JetStreamIsCurrent() {
					return false
				}
			}
			q := queued(t, coordinator, run)
			return q.Jobs != nil
		})
		time.Sleep(3 * time.Second)
	}
	all.Wait()
	close(acknowledged)
	eventually(t, "received", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(arrived) == jobs
	})
	mu.Lock()
	defer mu.Unlock()
	for job := range acknowledged {
		if len(arrived[job]) != 2 {
			t.Errorf("job %d has the parts %v", job, arrived[job])
		}
	}
}
