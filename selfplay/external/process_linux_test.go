package external_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
)

func TestCloseEndsChildrenThatLeftTheGroup(t *testing.T) {
	agent := mustStart(t, "setsid", patient())
	_, told := choose(agent, begin(t, agent))
	if told.Nodes == 0 {
		t.Fatal(agent.Forfeit())
	}
	pid := int(told.Nodes)
	until(t, "the child leads a session", func() bool {
		group, err := syscall.Getpgid(pid)
		return err == nil && group == pid
	})
	if err := agent.Close(); err != nil {
		t.Error(err)
	}
	gone(t, pid)
}

// The test binary itself is the one that stands still, with its program and without, several
// times while the program thinks.
func TestTimeInWhichThisProcessStandsStillDoesNotCount(t *testing.T) {
	if isMother() {
		agent := mustStart(t, "thinks", quick())
		for { // until it is killed
			var told dataset.Search
			for s := begin(t, agent); s.Player() != env.NoPlayer; {
				fmt.Println("thinking", told.Nodes)
				var a env.Action
				if a, told = choose(agent, s); a == env.NoAction {
					fmt.Println(agent.Forfeit())
				}
			}
		}
	}
	mother, out := startMother(t)
	lines := bufio.NewScanner(out)
	for stops := 0; stops < 4 && lines.Scan(); {
		var program int
		if _, err := fmt.Sscanf(lines.Text(), "thinking %d", &program); err != nil {
			t.Fatalf("the program loses: %s", lines.Text())
		}
		if program == 0 {
			continue // its first move
		}
		stopped := []int{mother.Process.Pid, program}[:1+stops%2]
		for _, s := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
			for _, pid := range stopped {
				if err := syscall.Kill(pid, s); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(quick().Time + 2*quick().Grace)
		}
		stops++
	}
	if err := mother.Process.Kill(); err != nil {
		t.Error(err)
	}
	for lines.Scan() {
		if !strings.HasPrefix(lines.Text(), "thinking") {
			t.Errorf("the program loses: %s", lines.Text())
		}
	}
	_ = mother.Wait() // killed, as it must be
}

// The test binary itself is the one that is killed, without a chance to close
// anything; its program ignores the end of its input.
func TestAProgramDiesWithWhoeverStartedIt(t *testing.T) {
	if isMother() {
		agent := mustStart(t, "stubborn", patient())
		var told dataset.Search
		s := begin(t, agent)
		agent.Choose(s, s.Legal(nil), &told)
		fmt.Println("pid", told.Nodes)
		select {} // until it is killed
	}
	mother, out := startMother(t)
	var pid int
	if _, err := fmt.Fscanf(out, "pid %d\n", &pid); err != nil {
		t.Error(err)
	}
	if err := mother.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = mother.Wait() // killed, as it must be
	gone(t, pid)
}

const motherVariable = "SANDTABLE_TEST_MOTHER"

// isMother reports whether this process was started by startMother.
func isMother() bool { return os.Getenv(motherVariable) != "" }

// startMother runs the calling test in a process of its own and returns what it prints.
func startMother(t *testing.T) (mother *exec.Cmd, out io.Reader) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	mother = exec.Command(exe, "-test.run=^"+t.Name()+"$")
	mother.Env = append(os.Environ(), motherVariable+"=1")
	if out, err = mother.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := mother.Start(); err != nil {
		t.Fatal(err)
	}
	return mother, out
}
