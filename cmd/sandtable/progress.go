package main

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress shows the progress of a command: a bar on a terminal, otherwise a log line
// every few seconds. Only one goroutine may use it.
type progress struct {
	what  string
	unit  string                   // plural name of the things counted
	bar   *progressbar.ProgressBar // nil if standard error is not a terminal
	log   *slog.Logger
	total int64 // 0 means unknown

	begun, logged time.Time
}

// centurySeconds is the longest remaining time that is shown. A time.Duration cannot hold
// much more.
const centurySeconds = 100 * 365 * 24 * 3600

// logEvery is the interval between log lines.
const logEvery = 5 * time.Second

// newProgress shows the progress of episodes.
func (a *app) newProgress(what string, total int64) *progress {
	return a.newProgressOf("episodes", what, total)
}

func (a *app) newProgressOf(unit, what string, total int64) *progress {
	now := time.Now()
	p := &progress{what: what, unit: unit, log: a.log, total: total, begun: now, logged: now}
	if !isTerminal(a.err) || a.logFormat == "json" {
		return p
	}
	length := total
	if length == 0 {
		length = -1
	}
	p.bar = progressbar.NewOptions64(length,
		progressbar.OptionSetWriter(a.err),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetItsString(unit),
		progressbar.OptionShowIts(),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionFullWidth(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
	return p
}

// show updates the progress: the number of units done and the number of plies so far. If
// plies is 0, no speed in plies is shown.
func (p *progress) show(done, plies int64) {
	if p.total > 0 {
		done = min(done, p.total)
	}
	seconds := time.Since(p.begun).Seconds()
	if p.bar != nil {
		if plies > 0 {
			p.bar.Describe(fmt.Sprintf("%s, %s plies/s", p.what, millions(float64(plies)/seconds)))
		}
		_ = p.bar.Set64(done) // a bar that cannot be drawn must not stop the work
		return
	}
	if time.Since(p.logged) < logEvery {
		return
	}
	p.logged = time.Now()
	rate := float64(done) / seconds
	line := []any{p.unit, done, p.unit + "_per_second", int64(rate)}
	if plies > 0 {
		line = append(line, "plies_per_second", int64(float64(plies)/seconds))
	}
	if p.total > 0 {
		line = append(line, "of", p.total)
		if left := float64(p.total-done) / rate; left < centurySeconds {
			line = append(line, "eta", time.Duration(left*float64(time.Second)).Round(time.Second))
		}
	}
	p.log.Info(p.what, line...)
}

// end removes the bar.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish() // as in show
	}
}
