package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// runJSON is what the commands for operators show of a run.
type runJSON struct {
	Run      string    `json:"run"`
	Variant  string    `json:"variant"`
	Agents   [2]string `json:"agents"`
	State    runStatus `json:"state"`
	Episodes int64     `json:"episodes"`         // that have reached the collector
	Planned  int64     `json:"planned_episodes"` // 0 without a fixed end
	Speed    float64   `json:"episodes_per_second"`
	ETA      *float64  `json:"eta_seconds"` // null if unknown

	Workers   int `json:"workers"`   // goroutines that play the run
	Processes int `json:"processes"` // of these workers
	Limit     int `json:"most_workers,omitempty"`

	Waiting int64    `json:"waiting_jobs"` // that no worker holds
	Held    int64    `json:"held_jobs"`
	Results int      `json:"waiting_results"` // jobs whose results wait for the collector
	Failed  int64    `json:"dead_letters"`
	Jobs    string   `json:"dead_jobs,omitempty"` // numbers of the failed jobs
	Shards  int64    `json:"shards"`
	Bytes   int64    `json:"bytes"`
	Notes   []string `json:"notes,omitempty"` // what a person may have to know or do

	collected time.Time // of the last report of a collector; zero without one
}

// A runStatus says what a run does or waits for.
type runStatus string

const (
	runComplete      runStatus = "complete"
	runCancelled     runStatus = "cancelled"
	runPaused        runStatus = "paused"
	runPlaying       runStatus = "playing"
	runCollecting    runStatus = "collecting"
	runNoWorker      runStatus = "no worker"
	runNoCollector   runStatus = "no collector"
	runNoCoordinator runStatus = "no coordinator"
)

const (
	// collectorLost is the age of a report of a collector, which reports at least every
	// 10 s, after which no collector is at work. It leaves room for clocks that differ.
	collectorLost = time.Minute
	// workerSilent is the age of a report of a worker, which reports every few seconds,
	// after which the worker may be lost.
	workerSilent = 15 * time.Second
	// ackWait is the time after which the job of a lost worker is delivered again.
	ackWait = 30 * time.Second
)

// describeRuns describes runs, in their order.
func describeRuns(runs []queue.RunState, workers []queue.WorkerState, now time.Time) []runJSON {
	all := make([]runJSON, 0, len(runs))
	for i := range runs {
		all = append(all, describeRun(&runs[i], workers, now))
	}
	return all
}

func describeRun(s *queue.RunState, workers []queue.WorkerState, now time.Time) runJSON {
	p := &s.Progress
	r := runJSON{
		Run: s.Run, Variant: "unknown", Limit: s.Orders.Workers, Episodes: p.Episodes + p.Arrived.Episodes,
		Waiting: s.Queued.Waiting, Held: max(0, int64(len(s.Queued.Jobs))-s.Queued.Waiting), Results: len(s.Queued.Results),
		Failed: p.Dead.Len(), Jobs: p.Dead.String(), Shards: p.Shards, Bytes: p.Bytes, collected: p.At,
	}
	if s.Settings != nil {
		r.Variant, r.Planned = printable(s.Settings.Variant), s.Settings.Episodes
		for i, agent := range s.Settings.Agents {
			r.Agents[i] = printable(agent)
		}
	}
	for i := range workers {
		w := &workers[i]
		if n := w.Playing[s.Run]; n > 0 {
			r.Workers += n
			r.Processes++
			if note := silentNote(w, n, now); note != "" {
				r.note("%s", note)
			}
		}
	}
	r.State = runState(s, r.Workers, now)
	if r.State != runComplete {
		for i := range workers {
			if reason, refused := workers[i].Refused[s.Run]; refused {
				r.note("%s does not play it: %s", workers[i].Name, reason)
			}
		}
	}
	r.speed(s, now)
	if r.Failed > 0 {
		r.note("%s failed; dataset requeue plays failed jobs again", plural(int(r.Failed), "job"))
	}
	return r
}

// isComplete reports whether no job of a run needs anything more.
func isComplete(s *queue.RunState) bool { return s.Jobs >= 0 && s.Progress.Finished(s.Jobs) >= s.Jobs }

func runState(s *queue.RunState, workers int, now time.Time) runStatus {
	held := int64(len(s.Queued.Jobs)) > s.Queued.Waiting
	switch {
	case isComplete(s):
		return runComplete
	case s.Orders.Cancelled:
		return runCancelled
	case s.Orders.Paused:
		return runPaused
	case now.Sub(s.Progress.At) > collectorLost:
		return runNoCollector
	case held || workers > 0:
		return runPlaying
	case s.Queued.Waiting > 0:
		return runNoWorker
	case len(s.Queued.Results) > 0:
		return runCollecting
	}
	return runNoCoordinator
}

// silentNote says that a worker that plays n jobs of a run may be lost. It returns "" unless
// that is so.
func silentNote(w *queue.WorkerState, n int, now time.Time) string {
	silent := now.Sub(w.At)
	if n == 0 || silent < workerSilent {
		return ""
	}
	again := "it is"
	if n > 1 {
		again = "they are"
	}
	when := "now"
	if left := ackWait - silent; left > 0 {
		when = "in " + span(left)
	}
	return printable(fmt.Sprintf("waiting for %s of %s, which last reported %s ago; %s delivered again %s", plural(n, "job"), w.Name, span(silent), again, when))
}

func (r *runJSON) note(format string, args ...any) {
	r.Notes = append(r.Notes, printable(fmt.Sprintf(format, args...)))
}

// speed sets the speed and what follows from it.
func (r *runJSON) speed(s *queue.RunState, now time.Time) {
	if r.State == runComplete || now.Sub(s.Progress.At) > collectorLost {
		return
	}
	r.Speed = s.Progress.Speed
	if r.Planned > 0 && r.Speed > 0 && r.State == runPlaying {
		eta := max(0, float64(r.Planned-r.Episodes)/r.Speed)
		r.ETA = &eta
	}
}

// games returns the episodes of a run and how many are planned.
func (r *runJSON) games() string {
	if r.Planned == 0 {
		return report.Count(r.Episodes)
	}
	return report.Count(r.Episodes) + " of " + report.Count(r.Planned)
}

// remaining returns the estimated time to the end.
func (r *runJSON) remaining() string {
	if r.ETA == nil || *r.ETA > centurySeconds {
		return "-"
	}
	return span(time.Duration(*r.ETA * float64(time.Second)))
}

// perSecond formats a rate.
func perSecond(rate float64) string {
	switch {
	case rate == 0:
		return "-"
	case rate < 10:
		return fmt.Sprintf("%.2f/s", rate)
	case rate < 100:
		return fmt.Sprintf("%.1f/s", rate)
	}
	return report.Count(int64(math.Round(rate))) + "/s"
}

// span formats a duration with at most two units.
func span(d time.Duration) string {
	d = max(0, d)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d d %d h", int(d.Hours())/24, int(d.Hours())%24)
}

// workerStatus says what a worker process does.
func workerStatus(w *queue.WorkerState, now time.Time) string {
	playing := 0
	for _, n := range w.Playing {
		playing += n
	}
	switch {
	case w.Quarantined != "":
		return "quarantined"
	case now.Sub(w.At) > workerSilent:
		return "silent for " + span(now.Sub(w.At))
	case playing > 0:
		return "playing"
	case w.Resting.After(now):
		return "rests for " + span(w.Resting.Sub(now))
	case len(w.Refused) > 0:
		return "refuses"
	}
	return "idle"
}

// workerNotes says what a person may have to know of a worker process.
func workerNotes(w *queue.WorkerState) []string {
	var notes []string
	note := func(format string, args ...any) { notes = append(notes, printable(fmt.Sprintf(format, args...))) }
	if w.Quarantined != "" {
		note("%s is quarantined: %s; sandtable workers --pardon %s ends it", w.Name, w.Quarantined, shellWord(w.Name))
	}
	for run, reason := range w.Refused {
		note("%s does not play run %s: %s", w.Name, run, reason)
	}
	slices.Sort(notes)
	return notes
}

// workerName returns the name of a worker process, and its host unless the name begins
// with it.
func workerName(w *queue.WorkerState) string {
	name := w.Name
	if !strings.HasPrefix(w.Name, w.Host) {
		name += " on " + w.Host
	}
	return printable(name)
}

// printable replaces what could control a terminal in a text that comes from another
// machine.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
