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
	until(t, "a process ends", func() bool { return syscall.Kill(pid, 0) == syscall.ESRCH })
}

// until waits for a condition.
func until(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for range 500 {
		if condition() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("waited in vain until %s", what)
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
	until(t, "the goroutines end", func() bool { return runtime.NumGoroutine() <= before })
}
