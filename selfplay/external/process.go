package external

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A process is a program that runs and is spoken with in lines. It belongs to
// one goroutine.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	lines  *bufio.Scanner // of out
	stderr tail
}

const (
	mostLine    = 1 << 20     // bytes of a line that is read
	quitTime    = time.Second // for a program to end by itself when told to
	stderrAfter = time.Second // how long its standard error may outlive it
)

// startProcess starts a program with its arguments.
func startProcess(command []string) (*process, error) {
	p := &process{cmd: exec.Command(command[0], command[1:]...)}
	p.cmd.Env = environment()
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

// environment is what a program inherits: all but the variables that speak to this
// program, which may be secret.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "SANDTABLE_") })
}

// wholeLine is a bufio.SplitFunc for lines without their ends. A line that does
// not end is none.
func wholeLine(data []byte, _ bool) (advance int, line []byte, err error) {
	i := bytes.IndexByte(data, '\n')
	if i < 0 {
		return 0, nil, nil
	}
	return i + 1, data[:i], nil
}

var (
	errLate   = errors.New("it did not answer in time")
	errClosed = errors.New("its output ended")
)

// within makes an exchange with the program, which is killed when it takes
// longer than the limit; the error is then errLate.
func (p *process) within(limit time.Duration, exchange func() error) error {
	killed := make(chan struct{})
	timer := time.AfterFunc(limit, func() {
		p.kill()
		close(killed)
	})
	err := exchange()
	if timer.Stop() {
		return err
	}
	<-killed
	return errLate
}

// read returns the next line that is not empty, without blanks around it.
func (p *process) read() (string, error) {
	for p.lines.Scan() {
		if line := strings.TrimSpace(p.lines.Text()); line != "" {
			return line, nil
		}
	}
	if errors.Is(p.lines.Err(), bufio.ErrTooLong) {
		return "", fmt.Errorf("it wrote a line of more than %d bytes", mostLine)
	}
	return "", errClosed
}

// write writes whole lines. That nobody reads them is told by the next read.
func (p *process) write(lines []byte) {
	_, _ = p.in.Write(lines)
}

// kill kills the program and whatever it has started, and ends reading from it
// and writing to it.
func (p *process) kill() {
	killGroup(p.cmd)
	_ = p.out.Close() // both are closed already, or of no use any more
	_ = p.in.Close()
}

// end kills the program unless it has ended, waits for its end and tells what is
// known of it.
func (p *process) end() string {
	p.kill()
	_ = p.cmd.Wait() // tells no more than ProcessState
	parts := []string{p.cmd.ProcessState.String()}
	if text := p.stderr.String(); text != "" {
		parts = append(parts, "standard error: "+text)
	}
	return strings.Join(parts, "; ")
}

// quit asks the program to end and makes it.
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
