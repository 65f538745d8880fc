//go:build e2e

package main

import (
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// role is a program that is started again whenever it ends before its time, as systemd or
// Kubernetes do.
type role struct {
	t       *testing.T
	name    string
	program string // sandtable, nats-server or a path
	args    []string
	ends    bool // it ends by itself, with exit code 0

	mu      sync.Mutex
	current *process
	lives   []string // exit code and standard error of each life that ended
	ordered bool     // to stop
	done    chan struct{}
	last    outcome
	err     error
}

// lead starts a role.
func lead(t *testing.T, r *role) *role {
	r.t, r.done = t, make(chan struct{})
	if r.program == "" {
		r.program = "sandtable"
	}
	go r.live()
	return r
}

func (r *role) live() {
	defer close(r.done)
	for {
		r.mu.Lock()
		if r.ordered {
			r.mu.Unlock()
			return
		}
		p, err := launch(r.t, r.program, r.args...)
		if err != nil {
			r.err = err
			r.mu.Unlock()
			return
		}
		r.current = p
		r.mu.Unlock()

		<-p.gone
		r.mu.Lock()
		r.last = outcome{p.cmd.ProcessState.ExitCode(), p.out.String(), p.err.String()}
		r.lives = append(r.lives, fmt.Sprintf("%s: %v\n%s", r.name, p.cmd.ProcessState, tail(r.last.err, 12)))
		stop := r.ordered || r.ends && r.last.code == exitDone
		r.mu.Unlock()
		if stop {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// signal sends a signal to the current process. It does nothing if the process has ended.
func (r *role) signal(s syscall.Signal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.current != nil {
		_ = r.current.cmd.Process.Signal(s)
	}
}

// stop asks the role to end, and kills it after a while. It returns its last exit code.
func (r *role) stop(patience time.Duration) int {
	r.mu.Lock()
	r.ordered = true
	r.mu.Unlock()
	r.signal(syscall.SIGCONT)
	r.signal(syscall.SIGTERM)
	select {
	case <-r.done:
	case <-time.After(patience):
		r.signal(syscall.SIGKILL)
		<-r.done
	}
	return r.last.code
}

// ended reports whether the role has ended by itself.
func (r *role) ended() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// history returns how the lives of the role ended, the last of them first.
func (r *role) history() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	if r.err != nil {
		fmt.Fprintf(&b, "%s: %v\n", r.name, r.err)
	}
	for i := len(r.lives) - 1; i >= max(0, len(r.lives)-4); i-- {
		b.WriteString(r.lives[i])
	}
	return b.String()
}

// tail returns the last lines of a text.
func tail(text string, lines int) string {
	all := strings.SplitAfter(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "") + "\n"
}
