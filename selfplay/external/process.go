package external

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
)

// A process is a running program that exchanges lines. It belongs to one goroutine.
type process struct {
	cmd    *exec.Cmd
	mark   string // in the environment of the program and of its children
	in     io.WriteCloser
	out    io.ReadCloser
	lines  *bufio.Scanner // of out
	stderr tail
}

const (
	mostLine    = 1 << 20     // bytes of a line
	quitTime    = time.Second // for a program to exit after quit
	stderrAfter = time.Second // for its standard error to end after it
)

// startProcess starts a program with its arguments.
func startProcess(command []string) (*process, error) {
	p := &process{cmd: exec.Command(command[0], command[1:]...), mark: markVariable + "=" + rand.Text()}
	p.cmd.Env = append(environment(), p.mark)
	p.cmd.Stderr = &p.stderr
	p.cmd.WaitDelay = stderrAfter
	lead(p.cmd)
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	p.lines = bufio.NewScanner(p.out)
	p.lines.Buffer(nil, mostLine)
	p.lines.Split(wholeLine)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	return p, nil
}

// markVariable is the environment variable by which the children of a program are found.
const markVariable = "EXTERNAL_AGENT"

// environment returns what a program inherits: the environment of this process without the
// variables that configure Sandtable, which may be secret, and without a mark.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "SANDTABLE_") || strings.HasPrefix(v, markVariable+"=")
	})
}

// wholeLine is a bufio.SplitFunc for lines without their line feeds. It drops an incomplete
// last line.
func wholeLine(data []byte, _ bool) (advance int, line []byte, err error) {
	i := bytes.IndexByte(data, '\n')
	if i < 0 {
		return 0, nil, nil
	}
	return i + 1, data[:i], nil
}

var (
	errLate   = errors.New("program did not answer in time")
	errClosed = errors.New("output of the program ended")
)

// within runs an exchange with the program. If it takes longer than the limit, within kills
// the program and returns errLate. See [watchdog] for what counts.
func (p *process) within(limit time.Duration, exchange func() error) error {
	w := watch(limit, p.kill)
	err := exchange()
	if w.stop() {
		return errLate
	}
	return err
}

// read returns the next non-empty line, trimmed.
func (p *process) read() (string, error) {
	for p.lines.Scan() {
		if line := strings.TrimSpace(p.lines.Text()); line != "" {
			return line, nil
		}
	}
	if errors.Is(p.lines.Err(), bufio.ErrTooLong) {
		return "", fmt.Errorf("program wrote a line of more than %d bytes", mostLine)
	}
	return "", errClosed
}

// write writes whole lines. If it fails, so does the next read.
func (p *process) write(lines []byte) {
	_, _ = p.in.Write(lines)
}

// kill kills the program and its children, and closes its input and output.
func (p *process) kill() {
	killGroup(p.cmd)
	_ = p.out.Close() // it may be closed already
	_ = p.in.Close()
}

// end kills the program if it is running, waits for it and describes how it ended.
func (p *process) end() string {
	p.kill()
	waitGroup(p.cmd, p.mark)
	parts := []string{p.cmd.ProcessState.String()}
	if text := p.stderr.String(); text != "" {
		parts = append(parts, "standard error: "+text)
	}
	return strings.Join(parts, "; ")
}

// quit asks the program to exit, and kills it if it does not.
func (p *process) quit() {
	_ = p.within(quitTime, func() error {
		p.write([]byte("quit\n"))
		_ = p.in.Close()
		for p.lines.Scan() {
		}
		return nil
	})
	p.end()
}

// A tail is an io.Writer that keeps the end of the text.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const mostTail = 2048

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[max(0, len(p)-mostTail):]...)
	if cut := len(t.text) - mostTail; cut > 0 {
		t.text = append(t.text[:0], t.text[cut:]...)
	}
	return len(p), nil
}

// String returns the end of the text without control characters.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, strings.TrimSpace(string(t.text)))
}
