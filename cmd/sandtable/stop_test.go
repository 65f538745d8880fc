package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// A worker that waits for its server is stopped like one that waits for jobs; a role of a
// run has work that goes on later.
func TestRolesThatAreStoppedWhileTheyWaitForTheirServer(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
	}{
		{"worker --nats nats://127.0.0.1:1", exitDone},
		{"coordinator ntxuva/basic --episodes 2 --nats nats://127.0.0.1:1", exitInterrupted},
		{"collector --run 0123456789abcdef --out data --nats nats://127.0.0.1:1", exitInterrupted},
	} {
		ctx, stop := context.WithCancelCause(t.Context())
		time.AfterFunc(200*time.Millisecond, func() { stop(errors.New("terminated")) })
		var out, log bytes.Buffer
		code := run(ctx, strings.Fields(c.args), streams{in: strings.NewReader(""), out: &out, err: &log})
		if code != c.code {
			t.Errorf("%s: exit code %d, want %d\n%s", c.args, code, c.code, log.String())
		}
		if c.code == exitInterrupted && !strings.Contains(log.String(), "the same command resumes") {
			t.Errorf("%s says\n%s", c.args, log.String())
		}
	}
}

// stoppedAfter runs a command line, stops it once, and returns what it left.
func stoppedAfter(t *testing.T, wait time.Duration, args ...string) (o outcome, ended time.Duration) {
	t.Helper()
	ctx, stop := context.WithCancelCause(t.Context())
	var asked time.Time
	time.AfterFunc(wait, func() { asked = time.Now(); stop(errors.New("interrupt signal received")) })
	var out, log bytes.Buffer
	code := run(ctx, args, streams{in: strings.NewReader(""), out: &out, err: &log})
	if ctx.Err() == nil {
		t.Fatalf("sandtable %s ended before it was stopped: code %d\n%s", strings.Join(args, " "), code, log.String())
	}
	return outcome{code, out.String(), log.String()}, time.Since(asked)
}

func TestLongCommandsEndSoonAfterTheyAreStopped(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ args, want string }{
		{"perft trench --depth 30", "stopped after 0 first moves of depth 30"},
		{"perft tankchess --depth 30 --split", "stopped after 0 first moves of depth 30"},
		{"bench trench --round 1m", "stopped after 0 of "},
		{"openings trench --count 100k --out " + dir + "/o.txt", " of 100000 openings were found and written"},
		{"arena trench mcts:sims=5000000 random --pairs 2 --out " + dir + "/arena", "the same command resumes the run:"},
		{"rate trench mcts:sims=5000000 random --pairs 2 --out " + dir + "/rate", "the same command resumes the run:"},
		{"farm trench --agent alphabeta:depth=12 --episodes 4 --listen off --out " + dir + "/farm", "sandtable:   sandtable farm trench --agent alphabeta:depth=12"},
	} {
		o, ended := stoppedAfter(t, 300*time.Millisecond, strings.Fields(c.args)...)
		if o.code != exitInterrupted || !strings.Contains(o.err, c.want) || strings.Contains(o.err, "context canceled") {
			t.Errorf("sandtable %s: code %d, it says\n%s\nwant %q", c.args, o.code, o.err, c.want)
		}
		t.Logf("sandtable %s ended after %v", c.args, ended)
	}
}
