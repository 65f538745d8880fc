//go:build e2e

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"
)

// A terminal is a command that runs in a pseudo-terminal.
type terminal struct {
	t     *testing.T
	cmd   *exec.Cmd
	file  *os.File
	mu    sync.Mutex
	shown bytes.Buffer
	read  chan struct{} // closed when the terminal is
}

// interrupt is what a terminal sends for Ctrl-C.
const interrupt = "\x03"

// open starts sandtable in a terminal of the given width.
func open(t *testing.T, columns uint16, args ...string) *terminal {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	s := &terminal{t: t, cmd: exec.Command(path, args...), read: make(chan struct{})}
	s.cmd.Env = append(os.Environ(), "NO_COLOR=1")
	if s.file, err = pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 50, Cols: columns}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill(); s.file.Close() })
	go func() {
		defer close(s.read)
		buffer := make([]byte, 4096)
		for {
			n, err := s.file.Read(buffer)
			s.mu.Lock()
			s.shown.Write(buffer[:n])
			s.mu.Unlock()
			if err != nil {
				return // Linux reports the end of the other side as an error
			}
		}
	}()
	return s
}

func (s *terminal) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown.String()
}

// press sends keys.
func (s *terminal) press(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.file, keys); err != nil && !errors.Is(err, syscall.EIO) {
		s.t.Fatal(err)
	}
}

// wait waits for the end and returns the exit code, which is −1 after a signal, and all that
// was shown.
func (s *terminal) wait() (int, string) {
	s.t.Helper()
	timeout := time.AfterFunc(patience, func() { _ = s.cmd.Process.Kill() })
	defer timeout.Stop()
	_ = s.cmd.Wait() // the exit code says more
	<-s.read
	return s.cmd.ProcessState.ExitCode(), s.text()
}

func TestHelpFitsTheTerminal(t *testing.T) {
	for _, columns := range []uint16{60, 80, 200} {
		for _, args := range [][]string{{"help"}, {"help", "agents"}, {"help", "datasets"}, {"help", "exit-codes"}} {
			code, text := open(t, columns, args...).wait()
			if code != exitDone {
				t.Errorf("%v: code %d", args, code)
			}
			for line := range strings.Lines(text) {
				if n := utf8.RuneCountInString(strings.TrimRight(line, "\r\n")); n > int(columns) && !strings.Contains(line, "duckdb") {
					t.Errorf("%v at %d columns has a line of %d: %s", args, columns, n, line)
				}
			}
		}
	}
}

func TestProgressFitsTheTerminalAndCtrlCKeepsTheGames(t *testing.T) {
	for _, columns := range []uint16{60, 80, 200} {
		dir := filepath.Join(t.TempDir(), "data")
		s := open(t, columns, "farm", "ntxuva/4", "--agent", "alphabeta:nodes=2000", "--episodes", "1M", "--listen", "off", "--out", dir)
		until(t, "progress", func() bool { return strings.Contains(s.text(), " left") })
		s.press(interrupt)
		code, text := s.wait()
		if code != exitInterrupted || !strings.Contains(text, "the same command resumes the run:") || strings.Contains(text, "context canceled") {
			t.Errorf("%d columns: code %d\n%s", columns, code, text)
		}
		for drawn := range strings.SplitSeq(text, eraseLine) {
			if strings.HasPrefix(drawn, "playing") {
				drawn, _, _ = strings.Cut(drawn, "\r")
				drawn, _, _ = strings.Cut(drawn, "^C")
				if n := utf8.RuneCountInString(drawn); n >= int(columns) {
					t.Errorf("at %d columns a line of progress has %d: %s", columns, n, drawn)
				}
			}
		}
		if colour := regexp.MustCompile(`\x1b\[[0-9;]*m`).FindString(text); colour != "" {
			t.Errorf("NO_COLOR is set, but the text has %q", colour)
		}
		done(t, "", "dataset", "verify", dir)
	}
}

func TestCtrlCEndsEachLongCommand(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args string
		code int
	}{
		{"perft tankchess --depth 20", exitInterrupted},
		{"bench trench --round 30s", exitInterrupted},
		{"openings trench --count 100k --out " + dir + "/openings.txt", exitInterrupted},
		{"arena trench mcts:sims=5000000 greedy --out " + dir + "/arena", exitInterrupted},
		{"rate trench mcts:sims=5000000 greedy random --out " + dir + "/rate", exitInterrupted},
		{"farm trench --agent alphabeta:nodes=20000 --listen off --out " + dir + "/farm", exitInterrupted},
		{"train trench --out " + dir + "/train", exitInterrupted},
		{"compare trench trench/general --out " + dir + "/compare", exitInterrupted},
		{"balance --handicap trench --out " + dir + "/handicap", exitInterrupted},
		{"endgame solve ntxuva/4 --seeds 8 --out " + dir + "/four.table", exitInterrupted},
		{"analyze trench --agent alphabeta:time=1h", exitDone}, // it prints the best lines so far
	} {
		s := open(t, 80, strings.Fields(c.args)...)
		time.Sleep(time.Second)
		s.press(interrupt)
		asked := time.Now()
		code, text := s.wait()
		t.Logf("sandtable %s ended after %v", c.args, time.Since(asked))
		if code != c.code || strings.Contains(text, "context canceled") || strings.Contains(text, "signal received") {
			t.Errorf("sandtable %s: code %d, want %d\n%s", c.args, code, c.code, text)
		}
	}
}

func TestASecondCtrlCEndsAtOnce(t *testing.T) {
	s := open(t, 80, "farm", "trench", "--agent", "alphabeta:depth=12", "--listen", "off", "--out", filepath.Join(t.TempDir(), "data"))
	time.Sleep(time.Second)
	s.press(interrupt)
	s.press(interrupt)
	// The shell shows 130 for an end by the signal, too.
	if code, text := s.wait(); code != exitInterrupted && code != -1 {
		t.Errorf("code %d\n%s", code, text)
	}
}
