package main

import (
	"strings"
	"testing"
)

func TestAgentSpeaksTheProtocol(t *testing.T) {
	o := sandtable(t, "sandtable 1\nquit\n", "agent", "greedy")
	if o.code != exitDone || !strings.HasPrefix(o.out, "id sandtable ") || !strings.HasSuffix(o.out, " greedy\nready\n") {
		t.Errorf("exit code %d, prints %q", o.code, o.out)
	}
	o = sandtable(t, "sandtable 7\n", "agent", "greedy")
	if o.code != exitFailed || !strings.Contains(o.err, `protocol version is "7", must be 1`) || !strings.HasPrefix(o.out, "error ") {
		t.Errorf("exit code %d, prints %q and %q", o.code, o.out, o.err)
	}
}
