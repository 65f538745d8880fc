package workers

import (
	"sync"
	"sync/atomic"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// Status is the state of a call of [Farm.Play], over all its runs.
type Status struct {
	Total     int64 // episodes that are wanted; those of a run without an end do not count
	Remaining int64 // of these, the ones that were not in the data sets when the call began
	// Collected counts the episodes, and CollectedPlies their plies, that the
	// collectors have received in whole jobs since the call began, whoever
	// played them. Collected may end up to a job per run above Remaining.
	Collected, CollectedPlies int64
	// Played counts the episodes, and PlayedPlies their plies, that the workers
	// of this process have played since the call began. It changes with each
	// episode, and counts a job that is played twice twice.
	Played, PlayedPlies int64
	QueuedJobs          int64 // that wait or are being played
	QueuedResults       int64 // parts of results that wait for the collectors
}

// statusMeter adds up the state of the runs of a session. It is the meter of the
// session's workers, to count what they play on its way to the farm's own meter.
type statusMeter struct {
	Meter
	report        func(Status) // may be nil
	played, plies atomic.Int64

	mu     sync.Mutex
	status Status
	runs   map[*activeRun]*runStatus
}

// runStatus is what one run adds to the status.
type runStatus struct {
	before   queue.Progress // episodes and plies that were in the data set
	progress queue.Progress // seen last
	queued   queue.Queued   // seen last
}

func newStatusMeter(meter Meter, report func(Status)) *statusMeter {
	return &statusMeter{Meter: meter, report: report, runs: map[*activeRun]*runStatus{}}
}

// add takes a run into account before anything is played.
func (s *statusMeter) add(r *activeRun) {
	report := r.report()
	there := queue.Progress{Episodes: report.Episodes, Plies: report.Plies}
	s.runs[r] = &runStatus{before: there, progress: there}
	total, remaining := r.wanted()
	s.status.Total += total
	s.status.Remaining += remaining
}

// update takes in what the coordinator of a run sees, and reports the sums.
func (s *statusMeter) update(r *activeRun, progress queue.Progress, queued queue.Queued) {
	s.mu.Lock()
	defer s.mu.Unlock()
	run := s.runs[r]
	if progress.Run != "" { // else nothing has been published yet
		run.progress = progress
	}
	run.queued = queued
	sum := Status{Total: s.status.Total, Remaining: s.status.Remaining, Played: s.played.Load(), PlayedPlies: s.plies.Load()}
	for _, run := range s.runs {
		sum.Collected += run.progress.Episodes + run.progress.Arrived.Episodes - run.before.Episodes
		sum.CollectedPlies += run.progress.Plies + run.progress.Arrived.Plies - run.before.Plies
		sum.QueuedJobs += int64(len(run.queued.Jobs))
		sum.QueuedResults += run.queued.Messages
	}
	s.status = sum
	s.Meter.QueueDepth(sum.QueuedJobs, sum.QueuedResults)
	if s.report != nil {
		s.report(sum)
	}
}

// Episodes implements Meter.
func (s *statusMeter) Episodes(variant string) EpisodeMeter {
	return &playedMeter{s.Meter.Episodes(variant), s}
}

// playedMeter counts the episodes that are played.
type playedMeter struct {
	EpisodeMeter
	status *statusMeter
}

func (p *playedMeter) EpisodePlayed(plies int, simulations int64, result env.Result, reason env.Reason) {
	p.status.played.Add(1)
	p.status.plies.Add(int64(plies))
	p.EpisodeMeter.EpisodePlayed(plies, simulations, result, reason)
}
