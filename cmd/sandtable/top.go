package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

func (a *app) topCommand() *cobra.Command {
	var f operatorFlags
	var every time.Duration
	cmd := newCommand("top",
		"Watch the runs and workers of a NATS server",
		`Top shows the runs and workers of a NATS server and refreshes the view; q ends it. Without a
terminal it prints a line for each run.`,
		`  sandtable top --nats nats://farm:4222`,
		func(cmd *cobra.Command, _ []string) error {
			if every < minRefresh {
				return usage(fmt.Errorf("--every is %v, must be %v or more", every, minRefresh))
			}
			q, err := f.nats.connect(cmd.Context(), cmd, a)
			if err != nil {
				return err
			}
			return errors.Join(a.top(cmd.Context(), q, every), q.Close())
		})
	f.add(cmd)
	cmd.Flags().DurationVar(&every, "every", 2*time.Second, "time between two views")
	return cmd
}

const (
	minRefresh = 100 * time.Millisecond
	// topAnswerTime is how long a server may take to answer before the view says so.
	topAnswerTime = 5 * time.Second
)

// top shows views until ctx is done or the user ends it.
func (a *app) top(ctx context.Context, q queue.Operator, every time.Duration) error {
	if isTerminal(a.in) && isTerminal(a.out) {
		return a.topScreen(ctx, q, every)
	}
	for {
		v := look(ctx, q)
		if ctx.Err() != nil {
			return nil // the user ended it
		}
		if err := v.writeLines(a.out); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(every):
		}
	}
}

// topScreen uses the whole terminal.
func (a *app) topScreen(ctx context.Context, q queue.Operator, every time.Duration) (err error) {
	in, out := a.in.(*os.File), a.out.(*os.File)
	old, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, term.Restore(int(in.Fd()), old)) }()
	const enter, leave = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l" // other screen, no cursor
	if _, err := io.WriteString(out, enter); err != nil {
		return err
	}
	defer func() {
		_, failure := io.WriteString(out, leave)
		err = errors.Join(err, failure)
	}()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go awaitQuit(in, stop)
	for {
		v := look(ctx, q)
		if ctx.Err() != nil {
			return nil // the user ended it
		}
		width, height, err := term.GetSize(int(out.Fd()))
		if err != nil {
			return err
		}
		if width == 0 || height == 0 { // the terminal does not say
			width, height = 80, 24
		}
		if _, err := io.WriteString(out, screen(v.lines(width, height))); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(every):
		}
	}
}

// awaitQuit calls stop when the user types q, Ctrl-C or Ctrl-D, or when the input ends.
func awaitQuit(in io.Reader, stop func()) {
	defer stop()
	for keys := bufio.NewReader(in); ; {
		switch key, err := keys.ReadByte(); {
		case err != nil, key == 'q', key == 'Q', key == 3, key == 4:
			return
		}
	}
}

// screen returns what draws lines from the top left corner of a terminal.
func screen(lines []string) string {
	const home, clearLine, clearBelow = "\x1b[H", "\x1b[K", "\x1b[J"
	return home + strings.Join(lines, clearLine+"\r\n") + clearLine + clearBelow
}

// A topView is what a server knows at a moment.
type topView struct {
	at      time.Time
	runs    []runJSON
	workers []queue.WorkerState
	err     error // why the server did not answer
}

// look asks a server.
func look(ctx context.Context, q queue.Operator) topView {
	ctx, cancel := context.WithTimeoutCause(ctx, topAnswerTime, errors.New("the NATS server does not answer"))
	defer cancel()
	v := topView{at: time.Now()}
	runs, err := q.AllRuns(ctx)
	if err == nil {
		v.workers, err = q.Workers(ctx)
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	v.err, v.runs = err, describeRuns(runs, v.workers, v.at)
	return v
}

// writeLines writes a line for each run.
func (v *topView) writeLines(out io.Writer) error {
	var b strings.Builder
	at := v.at.Format(time.TimeOnly)
	switch {
	case v.err != nil:
		fmt.Fprintf(&b, "%s  %v\n", at, v.err)
	case len(v.runs) == 0:
		fmt.Fprintf(&b, "%s  no runs; workers in %s\n", at, processes(len(v.workers)))
	}
	for i := range v.runs {
		r := &v.runs[i]
		fmt.Fprintf(&b, "%s  %s  %s  %s games  %s  eta %s  workers %d  failed %d\n",
			at, r.Run, r.State, r.games(), perSecond(r.Speed), r.remaining(), r.Workers, r.Failed)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// lines returns the view as at most height lines of at most width characters.
func (v *topView) lines(width, height int) []string {
	games := 0.0
	for i := range v.workers {
		games += v.workers[i].Games
	}
	lines := []string{fmt.Sprintf("sandtable  %s  %s, %s, %s games   q quits",
		v.at.Format(time.TimeOnly), plural(len(v.runs), "run"), processes(len(v.workers)), perSecond(games)), ""}
	if v.err != nil {
		lines = append(lines, v.err.Error(), "")
	}
	runs, workers := v.runLines(), v.workerLines()
	notes := v.notes()
	// Runs come first, but each part has some lines.
	room := height - len(lines) - 2 // blank lines between the parts
	runs = firstLines(runs, max(room-min(len(workers), 4)-min(len(notes), 3), room/2))
	workers = firstLines(workers, room-len(runs)-min(len(notes), 3))
	notes = firstLines(notes, room-len(runs)-len(workers))
	for _, part := range [][]string{runs, workers, notes} {
		if len(part) > 0 {
			lines = append(append(lines, part...), "")
		}
	}
	lines = lines[:min(len(lines), max(height, 1))]
	for i := range lines {
		lines[i] = cutWidth(lines[i], width)
	}
	return lines
}

func (v *topView) runLines() []string {
	lines := []string{fmt.Sprintf("%-16s %-14s %21s %9s %13s  %s", "RUN", "STATE", "GAMES", "SPEED", "ETA", "WORKERS")}
	for i := range v.runs {
		r := &v.runs[i]
		done := report.Count(r.Episodes)
		if r.Planned > 0 {
			done = fmt.Sprintf("%s  %5.1f %%", done, 100*float64(r.Episodes)/float64(r.Planned))
		}
		lines = append(lines, fmt.Sprintf("%-16s %-14s %21s %9s %13s  %d", r.Run, r.State, done, perSecond(r.Speed), r.remaining(), r.Workers))
	}
	return lines
}

func (v *topView) workerLines() []string {
	lines := []string{fmt.Sprintf("%-30s %-20s %7s %9s %9s", "WORKER", "STATE", "WORKERS", "GAMES", "FAILED")}
	for i := range v.workers {
		w := &v.workers[i]
		lines = append(lines, fmt.Sprintf("%-30s %-20s %7d %9s %9s", cutWidth(workerName(w), 30), workerStatus(w, v.at), w.Workers, perSecond(w.Games), report.Count(w.Failed)))
	}
	return lines
}

// notes returns what a person may have to know, runs first.
func (v *topView) notes() []string {
	var notes []string
	for i := range v.runs {
		for _, note := range append(missing(&v.runs[i]), v.runs[i].Notes...) {
			notes = append(notes, v.runs[i].Run+": "+note)
		}
	}
	for i := range v.workers {
		if v.workers[i].Quarantined != "" {
			notes = append(notes, workerNotes(&v.workers[i])...)
		}
	}
	return notes
}

// firstLines returns the first lines of a part of the view; the last one says how many are
// missing.
func firstLines(lines []string, most int) []string {
	switch {
	case len(lines) <= most:
		return lines
	case most < 2:
		return nil
	}
	return append(lines[:most-1:most-1], fmt.Sprintf("… and %d more", len(lines)-most+1))
}

// cutWidth cuts a line to a number of characters.
func cutWidth(line string, width int) string {
	if utf8.RuneCountInString(line) <= width {
		return line
	}
	runes := []rune(line)
	return string(runes[:max(width-1, 0)]) + "…"
}
