package workers

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// A roster knows the runs of the queue and which of them this worker process can play. It
// is shared by the goroutines of the process.
type roster struct {
	*WorkerConfig
	mu          sync.Mutex
	runs        map[string]*listedRun
	order       []string // ids, as the queue lists them
	changed     chan struct{}
	quarantined string // why the process takes no jobs
	refused     [Refusals]int

	score        score
	games, plies rate // of the score; of the goroutine that reports
}

// A listedRun is what a worker process knows of a run.
type listedRun struct {
	plan    *selfplay.Plan // nil while the run is refused
	kept    bool           // the plan stays
	busy    int            // goroutines that play it
	refusal string
	reason  Refusal

	rest   time.Duration // last one, 0 after a success
	rested time.Time     // when the last rest began
	until  time.Time     // when the run is looked at or played again
	trial  bool          // a goroutine has asked for the first job after a rest

	able   bool           // this process has done a job of the run
	failed map[int64]bool // jobs that have failed here since the last one that was done
}

func newRoster(cfg *WorkerConfig) *roster {
	return &roster{WorkerConfig: cfg, runs: map[string]*listedRun{}, changed: make(chan struct{})}
}

// keep adds a run whose plan this machine is known to play.
func (r *roster) keep(plan *selfplay.Plan) {
	settings := plan.Settings()
	own := *plan
	if own.Forfeited == nil {
		own.Forfeited = selfplay.LogForfeits(r.Log)
	}
	id := settings.Run()
	r.runs[id] = &listedRun{plan: &own, kept: true}
	r.order = append(r.order, id)
}

// scout looks for runs until ctx is done.
func (r *roster) scout(ctx context.Context) error {
	for {
		if err := r.look(ctx); err != nil {
			if stopped(ctx, err) {
				return nil
			}
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(jittered(r.Tuning.Scout)):
		}
	}
}

// look reads the list of the runs, and opens those that are new or whose rest after a
// refusal is over.
func (r *roster) look(ctx context.Context) error {
	ids, err := r.Queue.Runs(ctx)
	if err != nil {
		return err
	}
	var listed []string
	for _, id := range ids {
		run := r.listed(id)
		if r.due(run) {
			settings, err := r.Queue.Settings(ctx, id)
			if errors.Is(err, queue.ErrNoRun) {
				continue
			}
			if err != nil {
				return err
			}
			plan, reason, err := r.open(id, settings)
			r.judge(id, run, plan, reason, err)
		}
		listed = append(listed, id)
	}
	r.list(listed)
	return nil
}

func (r *roster) listed(id string) *listedRun {
	r.mu.Lock()
	defer r.mu.Unlock()
	run := r.runs[id]
	if run == nil {
		run = &listedRun{}
		r.runs[id] = run
	}
	return run
}

// due reports whether a run has to be opened.
func (r *roster) due(run *listedRun) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return run.plan == nil && !time.Now().Before(run.until)
}

// open makes the plan of a run and checks that this machine can play it. A panic of an
// engine or an agent is an error.
func (r *roster) open(id string, settings *dataset.Settings) (plan *selfplay.Plan, reason Refusal, err error) {
	reason = RefusedSettings
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
		}
	}()
	if err := settings.Validate(); err != nil {
		return nil, reason, fmt.Errorf("settings: %w", err)
	}
	if found := settings.Run(); found != id {
		return nil, reason, fmt.Errorf("the settings are those of run %s", found)
	}
	if _, err := games.FromRules(settings.Rules, settings.Digest); err != nil {
		return nil, RefusedVersion, err
	}
	if plan, err = selfplay.Open(settings, r.Commands); err != nil {
		return nil, reason, err
	}
	if err := plan.Runnable(); err != nil { // so that no program is started if the other agent cannot run
		return nil, RefusedProgram, err
	}
	if need, limit := plan.Memory()*int64(r.Workers), r.Memory; limit > 0 && need > limit {
		return nil, RefusedMemory, fmt.Errorf("the agents of %d workers need about %d MiB, and the limit is %d MiB", r.Workers, need>>20, limit>>20)
	}
	plan.Forfeited = selfplay.LogForfeits(r.Log)
	return plan, reason, selfplay.TryPlayer(plan)
}

// judge takes in what opening a run has shown.
func (r *roster) judge(id string, run *listedRun, plan *selfplay.Plan, reason Refusal, err error) {
	if errors.Is(err, agent.ErrNoCommand) || errors.Is(err, agent.ErrProgram) {
		reason = RefusedProgram
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		if run.refusal != "" {
			r.Log.Info("a run that was left to other workers is played", "run", id)
		}
		*run = listedRun{plan: plan}
		return
	}
	if err.Error() != run.refusal {
		r.Log.Warn("a run is left to other workers", "run", id, "reason", err)
	}
	run.refusal, run.reason = err.Error(), reason
	run.begin(&r.Tuning)
	r.Meter.RunRefused(reason)
}

// begin begins the next rest, which is twice as long as the last.
func (run *listedRun) begin(tuning *Tuning) {
	run.rest = min(max(tuning.Rest, 2*run.rest), tuning.RestMost)
	run.rested, run.trial = time.Now(), false
	run.until = run.rested.Add(jittered(run.rest))
}

// jittered returns a duration between 3/4 and 5/4 of d, so that many processes do not do
// the same at the same time.
func jittered(d time.Duration) time.Duration {
	return time.Duration((0.75 + rand.Float64()/2) * float64(d))
}

// list replaces the list of the runs, and forgets those that are not in it.
func (r *roster) list(ids []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Equal(ids, r.order) {
		r.order = ids
	}
	var refused [Refusals]int
	for id, run := range r.runs {
		if !slices.Contains(ids, id) && run.busy == 0 && !run.kept {
			delete(r.runs, id)
		} else if run.refusal != "" {
			refused[run.reason]++
		}
	}
	if refused != r.refused {
		r.refused = refused
		r.Meter.RunsRefused(refused)
	}
	r.signal()
}

// signal wakes the goroutines that wait for a run. The roster is locked.
func (r *roster) signal() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// offer returns the runs that goroutine number index may ask jobs of, in the order of
// preference, which begins at the run with the given id or after it. After a rest a run is offered to
// one goroutine until a job of it succeeds; the ids of such runs are in trials. When there
// is no run, changed is closed when that may be different.
func (r *roster) offer(index int, from string, after bool) (ids, trials []string, changed <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.quarantined != "" {
		return nil, nil, r.changed
	}
	first, now := index, time.Now()
	if i := slices.Index(r.order, from); i >= 0 {
		first = i
		if after {
			first++
		}
	}
	for i := range r.order {
		id := r.order[(first+i)%len(r.order)]
		run := r.runs[id]
		if run == nil || run.plan == nil || now.Before(run.until) || run.trial {
			continue
		}
		if run.rest > 0 {
			run.trial = true
			trials = append(trials, id)
		}
		ids = append(ids, id)
	}
	return ids, trials, r.changed
}

// taken reports what came of an offer: a job of the run with the given id, or "" for none.
// It returns the plan of the run, nil if the run is forgotten.
func (r *roster) taken(id string, trials []string) *selfplay.Plan {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, trial := range trials {
		if run := r.runs[trial]; run != nil && trial != id {
			run.trial = false
		}
	}
	run := r.runs[id]
	if run == nil || run.plan == nil {
		return nil
	}
	run.busy++
	return run.plan
}

// left reports how a job ended that was taken at begun. It returns the rest that follows,
// and whether this process is suspected of its failures.
func (r *roster) left(job *queue.Job, begun time.Time, end JobEnd) (rest time.Duration, suspect bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	run := r.runs[job.Run]
	run.busy--
	run.trial = false
	switch end {
	case JobDone:
		run.able = true
		clear(run.failed)
		if run.rest > 0 {
			run.rest, run.until = 0, time.Time{}
			r.signal()
		}
	case JobFailed:
		if run.failed == nil {
			run.failed = map[int64]bool{}
		}
		run.failed[job.Number] = true
		if begun.After(run.rested) { // else goroutines that began together have failed together
			run.begin(&r.Tuning)
			r.Meter.Backoff("failure", run.rest)
		}
	}
	return run.rest, run.suspect(&r.Tuning)
}

// suspect reports whether this process, and not a job, may be at fault for the failures since
// the last job that was done: none was, or several jobs have failed. A process that rests
// for the longest time is not suspected, so that a run that fails everywhere ends.
func (run *listedRun) suspect(tuning *Tuning) bool {
	return (!run.able || len(run.failed) > 1) && run.rest < tuning.RestMost
}

// quarantine obeys a quarantine, or its end if the reason is "".
func (r *roster) quarantine(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if reason == r.quarantined {
		return
	}
	if (reason == "") != (r.quarantined == "") {
		r.Meter.Quarantined(reason != "")
	}
	r.quarantined = reason
	if reason != "" {
		r.Log.Error("this worker is quarantined and takes no jobs", "worker", r.Name, "reason", reason)
	} else {
		r.Log.Info("this worker is no longer quarantined", "worker", r.Name)
	}
	r.signal()
}

// report adds to the state of the process what the roster knows.
func (r *roster) report(state *queue.WorkerState) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	state.Playing, state.Refused, state.Resting = map[string]int{}, map[string]string{}, time.Time{}
	for id, run := range r.runs {
		if run.busy > 0 {
			state.Playing[id] = run.busy
		}
		if run.refusal != "" {
			state.Refused[id] = run.refusal
		} else if run.until.After(now) && run.until.After(state.Resting) {
			state.Resting = run.until
		}
	}
}
