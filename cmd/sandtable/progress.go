package main

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/sandtable-farm/sandtable/dashboards/report"
)

// progress shows the progress of a command: a line on a terminal, otherwise a log line
// every few seconds. Only one goroutine may use it.
type progress struct {
	what  string
	unit  string    // plural name of the things counted
	out   io.Writer // a terminal; nil for log lines
	drawn *atomic.Bool
	log   *slog.Logger
	total int64 // 0 means unknown
	base  int64 // done by earlier calls of the command; part of total

	begun, shown time.Time
}

const (
	// centurySeconds is the longest remaining time that is shown. A time.Duration cannot
	// hold much more.
	centurySeconds = 100 * 365 * 24 * 3600
	// logEvery is the interval between log lines, drawEvery that between drawn lines.
	logEvery  = 5 * time.Second
	drawEvery = 100 * time.Millisecond
	// leastBar and mostBar are columns of a bar; a shorter one is left out.
	leastBar, mostBar = 8, 40
	// eraseLine erases the line of a terminal in which the cursor stands.
	eraseLine = "\r\x1b[K"
)

// newProgress shows the progress of episodes.
func (a *app) newProgress(what string, total int64) *progress {
	return a.newProgressOf("episodes", what, total)
}

func (a *app) newProgressOf(unit, what string, total int64) *progress {
	now := time.Now()
	p := &progress{what: what, unit: unit, log: a.log, total: total, begun: now, shown: now, drawn: &a.drawn}
	if isTerminal(a.err) && a.logFormat != "json" {
		p.out = a.err
		p.draw(progressState{})
	}
	return p
}

// show updates the progress: the number of units done and the number of plies so far. If
// plies is 0, no speed in plies is shown.
func (p *progress) show(done, plies int64) {
	every := logEvery
	if p.out != nil {
		every = drawEvery
	}
	now := time.Now()
	if now.Sub(p.shown) < every {
		return
	}
	p.shown = now
	seconds := now.Sub(p.begun).Seconds()
	s := progressState{done: p.base + done, rate: float64(done) / seconds, plyRate: float64(plies) / seconds, left: -1}
	if p.total > 0 {
		s.done = min(s.done, p.total)
		if left := float64(p.total-s.done) / s.rate; left < centurySeconds {
			s.left = time.Duration(left * float64(time.Second)).Round(time.Second)
		}
	}
	if p.out != nil {
		p.draw(s)
		return
	}
	line := []any{p.unit, s.done, p.unit + "_per_second", int64(s.rate)}
	if plies > 0 {
		line = append(line, "plies_per_second", int64(s.plyRate))
	}
	if p.total > 0 {
		line = append(line, "of", p.total)
		if s.left >= 0 {
			line = append(line, "eta", s.left)
		}
	}
	p.log.Info(p.what, line...)
}

// end removes the line.
func (p *progress) end() {
	if p.out != nil && p.drawn.Swap(false) {
		_, _ = io.WriteString(p.out, eraseLine) // a line that stays does no harm
	}
}

func (p *progress) draw(s progressState) {
	p.drawn.Store(true)
	// The last column stays empty: some terminals wrap a line that fills it.
	_, _ = io.WriteString(p.out, eraseLine+p.line(s, terminalColumns(p.out)-1)) // as in end
}

// A progressState is what a line of progress shows.
type progressState struct {
	done          int64
	rate, plyRate float64       // per second; 0 means unknown
	left          time.Duration // negative if unknown
}

// line returns the line of progress in at most width columns. It leaves out what does not
// fit: first the bar, then the speeds, then the count.
func (p *progress) line(s progressState, width int) string {
	head := p.what
	if p.total > 0 {
		head += fmt.Sprintf(" %d %%", 100*s.done/p.total)
	}
	count := report.Count(s.done) + " " + p.unit
	if p.total > 0 {
		count = report.Count(s.done) + " of " + report.Count(p.total) + " " + p.unit
	}
	var rest []string
	if s.left >= 0 && s.rate > 0 && p.total > 0 {
		rest = append(rest, span(s.left)+" left")
	}
	rest = append(rest, count)
	if s.plyRate > 0 {
		rest = append(rest, rateText(s.plyRate, "plies"))
	} else if s.rate > 0 {
		rest = append(rest, rateText(s.rate, p.unit))
	}
	line := head
	for _, part := range rest {
		if longer := line + ", " + part; utf8.RuneCountInString(longer) <= width {
			line = longer
		}
	}
	if room := width - utf8.RuneCountInString(line) - 3; p.total > 0 && room >= leastBar {
		room = min(room, mostBar)
		full := int(int64(room) * s.done / p.total)
		line += " [" + strings.Repeat("=", full) + strings.Repeat(" ", room-full) + "]"
	}
	if runes := []rune(line); len(runes) > width {
		line = string(runes[:max(0, width)])
	}
	return line
}

// rateText formats a rate in a unit that suits its size.
func rateText(rate float64, unit string) string {
	switch {
	case rate >= 1e6:
		return fmt.Sprintf("%.2f M %s/s", rate/1e6, unit)
	case rate >= 1e4:
		return fmt.Sprintf("%.0f k %s/s", rate/1e3, unit)
	case rate >= 1e3:
		return fmt.Sprintf("%.1f k %s/s", rate/1e3, unit)
	case rate >= 1:
		return fmt.Sprintf("%.0f %s/s", rate, unit)
	case rate*60 >= 1:
		return fmt.Sprintf("%.0f %s/min", rate*60, unit)
	}
	return fmt.Sprintf("%.0f %s/h", rate*3600, unit)
}

// A logWriter writes log lines. It erases a line of progress first, which the next update
// draws again.
type logWriter struct {
	out   io.Writer
	drawn *atomic.Bool
}

// Write implements io.Writer.
func (w logWriter) Write(data []byte) (int, error) {
	if w.drawn.Swap(false) {
		if _, err := io.WriteString(w.out, eraseLine); err != nil {
			return 0, err
		}
	}
	return w.out.Write(data)
}
