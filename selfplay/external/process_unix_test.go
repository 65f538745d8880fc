//go:build unix

package external_test

import (
	"runtime"
	"syscall"
	"testing"
	"time"
)

// gone waits until no process has the id.
func gone(t *testing.T, pid int) {
	t.Helper()
	for range 500 {
		if syscall.Kill(pid, 0) == syscall.ESRCH {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d is left behind", pid)
}

func TestCloseLeavesNoProcessBehind(t *testing.T) {
	for _, manner := range []string{"pid", "child", "stubborn"} {
		agent := mustStart(t, manner, patient())
		_, told := choose(agent, begin(t, agent))
		if told.Nodes == 0 {
			t.Fatal(agent.Forfeit())
		}
		for range 2 { // once is enough
			if err := agent.Close(); err != nil {
				t.Error(err)
			}
		}
		gone(t, int(told.Nodes))
	}
}

func TestNoGoroutineIsLeftBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, manner := range []string{"legal", "hangs", "exits", "floods"} {
		agent := mustStart(t, manner, quick())
		choose(agent, begin(t, agent))
		if err := agent.Close(); err != nil {
			t.Error(err)
		}
	}
	for range 500 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, were %d", runtime.NumGoroutine(), before)
}
