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
	for range 200 {
		if syscall.Kill(pid, 0) == syscall.ESRCH {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d is left behind", pid)
}

func TestCloseLeavesNoProcessBehind(t *testing.T) {
	for _, manner := range []string{"pid", "parent", "stubborn"} {
		agent := mustStart(t, manner, patient())
		_, told := choose(agent, begin(t, agent))
		if manner != "stubborn" && told.Nodes == 0 {
			t.Fatal(agent.Forfeit())
		}
		begun := time.Now()
		if err := agent.Close(); err != nil {
			t.Error(err)
		}
		if spent := time.Since(begun); spent > 10*time.Second {
			t.Errorf("%s: closing took %v", manner, spent)
		}
		if manner != "stubborn" {
			gone(t, int(told.Nodes))
		}
		if err := agent.Close(); err != nil {
			t.Error("closing twice:", err)
		}
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
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, were %d", runtime.NumGoroutine(), before)
}
