//go:build e2e

package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/selfplay/external/externaltest"
)

// binary builds the program once.
var binary = sync.OnceValues(func() (string, error) { // constant once made
	dir, err := os.MkdirTemp("", "sandtable-e2e")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "sandtable")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		return "", errors.Join(err, errors.New(string(out)))
	}
	return path, nil
})

func TestMain(m *testing.M) {
	if externaltest.Main() {
		return
	}
	code := m.Run()
	if path, err := binary(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// process is a program that runs beside the test. It is ended by its own id.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	out  bytes.Buffer
	err  bytes.Buffer
	gone chan struct{}
}

// start starts a program found in PATH, or sandtable itself.
func start(t *testing.T, name string, args ...string) *process {
	t.Helper()
	p, err := launch(t, name, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	return p
}

// launch is start for other goroutines than that of the test: the caller ends the process.
func launch(t *testing.T, name string, args ...string) (*process, error) {
	if name == "sandtable" {
		path, err := binary()
		if err != nil {
			return nil, err
		}
		name = path
	} else if _, err := exec.LookPath(name); err != nil {
		return nil, fmt.Errorf("%s is needed: %w", name, err)
	}
	p := &process{t: t, cmd: exec.Command(name, args...), gone: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.err
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // the exit code is read from ProcessState
		close(p.gone)
	}()
	return p, nil
}

// kill ends the process and waits for its end.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.gone
}

// signal sends a signal; a process that is gone already is no matter.
func (p *process) signal(s syscall.Signal) {
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Fatal(err)
	}
}

// wait waits for the end and returns what was left.
func (p *process) wait() outcome {
	p.t.Helper()
	select {
	case <-p.gone:
	case <-time.After(patience):
		p.t.Fatalf("%v does not end; it says\n%s", p.cmd.Args, p.err.String())
	}
	return outcome{p.cmd.ProcessState.ExitCode(), p.out.String(), p.err.String()}
}

// succeed waits for an end with exit code 0 and returns the output.
func (p *process) succeed() string {
	p.t.Helper()
	o := p.wait()
	if o.code != exitDone {
		p.t.Fatalf("%v: exit code %d\n%s", p.cmd.Args, o.code, o.err)
	}
	return o.out
}

// until waits for a condition.
func until(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// freeAddress returns a loopback address that nobody uses.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// natsServer starts a nats-server with JetStream and returns its process and URL.
func natsServer(t *testing.T, address, store string, more ...string) (*process, string) {
	t.Helper()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, "nats-server", append([]string{"-a", host, "-p", port, "-js", "-sd", store}, more...)...)
	until(t, "nats-server listens", func() bool {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return false
		}
		conn.Close()
		return true
	})
	return p, "nats://" + address
}

// field returns the word after a name at the beginning of a line.
func field(text, name string) string {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}
