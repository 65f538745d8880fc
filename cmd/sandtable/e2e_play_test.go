//go:build e2e

package main

import (
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestPlayInATerminal plays at a pseudo-terminal, which script (util-linux) makes. The shell of
// script gives way to the program (exec): dash stays in front of it and ends of Ctrl-C itself.
func TestPlayInATerminal(t *testing.T) {
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("script", "-qec", "exec "+path+" play ntxuva/basic --vs greedy", "/dev/null")
	keys, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	screen, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("script is needed: %v", err)
	}
	timeout := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer timeout.Stop()
	var seen strings.Builder
	shows := func(want string) {
		t.Helper()
		for one := make([]byte, 1); !strings.HasSuffix(seen.String(), want); {
			if _, err := screen.Read(one); err != nil {
				t.Fatalf("the screen does not show %q: %v\n%s", want, err, seen.String())
			}
			seen.WriteByte(one[0])
		}
	}
	shows("South> ")
	io.WriteString(keys, "5x4\n")
	shows("2. North: ")
	shows("South> ")
	const ctrlC = "\x03"
	io.WriteString(keys, ctrlC)
	shows("ended after 2 plies: 5x4 ")
	if _, err := io.Copy(&seen, screen); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, seen.String())
	}
}
