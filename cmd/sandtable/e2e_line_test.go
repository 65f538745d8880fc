//go:build e2e

package main

import (
	"net"
	"sync"
	"testing"
	"time"
)

// line is a TCP line to an address that can be cut, closed and slowed.
type line struct {
	listener net.Listener
	target   string

	mu     sync.Mutex
	conns  map[net.Conn]bool
	closed bool          // new connections end at once
	delay  time.Duration // before each kilobyte
}

// newLine opens a line to an address. It ends with the test.
func newLine(t *testing.T, target string) *line {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &line{listener: listener, target: target, conns: map[net.Conn]bool{}}
	var served sync.WaitGroup
	served.Go(func() { l.serve(&served) })
	t.Cleanup(func() {
		_ = listener.Close()
		l.close(true)
		served.Wait()
	})
	return l
}

// url returns the address at this end of the line.
func (l *line) url() string { return "nats://" + l.listener.Addr().String() }

func (l *line) serve(served *sync.WaitGroup) {
	for {
		near, err := l.listener.Accept()
		if err != nil {
			return
		}
		served.Go(func() {
			far, err := net.Dial("tcp", l.target)
			if err != nil {
				_ = near.Close()
				return
			}
			if !l.hold(near, far) {
				return
			}
			var both sync.WaitGroup
			both.Go(func() { l.copy(far, near) })
			both.Go(func() { l.copy(near, far) })
			both.Wait()
			l.drop(near, far)
		})
	}
}

// hold keeps the two ends of a connection, unless the line is closed.
func (l *line) hold(ends ...net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range ends {
		if l.closed {
			_ = c.Close()
		} else {
			l.conns[c] = true
		}
	}
	return !l.closed
}

func (l *line) drop(ends ...net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range ends {
		_ = c.Close()
		delete(l.conns, c)
	}
}

// copy copies one direction until one of the ends is closed, and closes both.
func (l *line) copy(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 1024)
	for {
		n, err := from.Read(buffer)
		l.mu.Lock()
		delay := l.delay
		l.mu.Unlock()
		time.Sleep(delay)
		if _, failed := to.Write(buffer[:n]); failed != nil || err != nil {
			return
		}
	}
}

// cut ends all connections; the roles connect again.
func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		_ = c.Close()
	}
}

// close cuts the line and lets nobody connect until it is opened again.
func (l *line) close(yes bool) {
	l.mu.Lock()
	l.closed = yes
	l.mu.Unlock()
	if yes {
		l.cut()
	}
}

// slow sets the delay before each kilobyte.
func (l *line) slow(delay time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.delay = delay
}
