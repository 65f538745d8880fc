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
		{"coordinator ntxuva/basic --episodes 2 --nats nats://127.0.0.1:1", exitFailed},
		{"collector --run 0123456789abcdef --out data --nats nats://127.0.0.1:1", exitFailed},
	} {
		ctx, stop := context.WithCancelCause(t.Context())
		time.AfterFunc(200*time.Millisecond, func() { stop(errors.New("terminated")) })
		var out, log bytes.Buffer
		code := run(ctx, strings.Fields(c.args), streams{in: strings.NewReader(""), out: &out, err: &log})
		if code != c.code {
			t.Errorf("%s: exit code %d, want %d\n%s", c.args, code, c.code, log.String())
		}
		if c.code == exitFailed && !strings.Contains(log.String(), "the same command resumes") {
			t.Errorf("%s says\n%s", c.args, log.String())
		}
	}
}
