package workers

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"runtime/debug"
	"sync"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// playing plays jobs one after the other in memory that it reuses. It must be
// closed.
type playing struct {
	meter  Meter
	plans  *plans
	run    string           // of player
	player *selfplay.Player // nil before the first job and after a panic
	ep     dataset.Episode
	data   []byte
	parts  []Part
}

// result plays a job and returns its result, which is valid until the next call. A
// panic of an engine or an agent is an error of the job, and harms no other job of the
// process.
func (p *playing) result(ctx context.Context, job *Job, worker string) (parts []Part, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic in job %d (episodes from %d on, last begun %d): %v\n%s",
				job.Number, job.First, p.ep.Number, fault, debug.Stack())
			err = errors.Join(err, p.close()) // the player may be in any state
		}
	}()
	if err := p.prepare(job); err != nil {
		return nil, err
	}
	counter := p.meter.Episodes(job.Settings.Variant)
	var plies int64
	p.data = p.data[:0]
	for number := job.First; number < job.First+job.Count; number++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := p.player.Play(number, &p.ep); err != nil {
			return nil, err
		}
		p.data = dataset.AppendEpisode(p.data, &p.ep)
		plies += int64(p.ep.Plies())
		count(counter, &p.ep)
	}
	p.parts = cut(p.parts[:0], p.data, job, worker, plies)
	return p.parts, nil
}

// prepare makes the player of the job's run, unless the last job had the same run.
func (p *playing) prepare(job *Job) error {
	if err := job.Validate(); err != nil {
		return err
	}
	if p.run == job.Run {
		return nil
	}
	plan, err := p.plans.acquire(job)
	if err != nil {
		return err
	}
	err = p.close() // first, so that its memory and programs are free
	if err == nil {
		p.player, err = selfplay.NewPlayer(plan)
	}
	if err != nil {
		p.plans.release(job.Run)
		return err
	}
	p.run, p.ep.Run = job.Run, job.Run
	return nil
}

// close closes the player, if there is one.
func (p *playing) close() error {
	if p.player == nil {
		return nil
	}
	player := p.player
	p.plans.release(p.run)
	p.run, p.player = "", nil
	return player.Close()
}

func count(counter EpisodeMeter, ep *dataset.Episode) {
	var simulations int64
	for i := range ep.Steps {
		if search := &ep.Steps[i].Search; search.Has&dataset.HasNodes != 0 {
			simulations += search.Nodes
		}
	}
	reason := ep.Reason
	if ep.Truncated {
		reason = env.NoReason
	}
	counter.EpisodePlayed(ep.Plies(), simulations, ep.Result, reason)
}

// cut divides the result of a job into parts.
func cut(parts []Part, data []byte, job *Job, worker string, plies int64) []Part {
	total := &Total{Episodes: job.Count, Plies: plies, Sum: checksum(0, data)}
	for {
		n := min(len(data), PartBytes)
		parts = append(parts, Part{Run: job.Run, Job: job.Number, Index: len(parts), Data: data[:n:n], Worker: worker})
		if data = data[n:]; len(data) == 0 {
			parts[len(parts)-1].Total = total
			return parts
		}
	}
}

// checksum updates a CRC-32C, which begins as 0.
func checksum(sum uint32, data []byte) uint32 {
	return crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), data)
}

// plans are the plans of the runs that the workers of a process play. Each is made
// once, shared by all workers, and dropped when none of them uses it.
type plans struct {
	commands agent.Commands
	log      *slog.Logger
	mu       sync.Mutex
	runs     map[string]*sharedPlan
}

type sharedPlan struct {
	open  func() (*selfplay.Plan, error) // once
	users int
}

func newPlans(commands agent.Commands, log *slog.Logger) *plans {
	return &plans{commands: commands, log: log, runs: map[string]*sharedPlan{}}
}

// keep adds a plan for as long as the plans are used.
func (p *plans) keep(plan *selfplay.Plan) {
	settings := plan.Settings()
	own := *plan
	if own.Forfeited == nil {
		own.Forfeited = selfplay.LogForfeits(p.log)
	}
	p.runs[settings.Run()] = &sharedPlan{open: func() (*selfplay.Plan, error) { return &own, nil }, users: 1}
}

// acquire returns the plan of a job's run, which must be released unless there is an
// error.
func (p *plans) acquire(job *Job) (*selfplay.Plan, error) {
	p.mu.Lock()
	shared := p.runs[job.Run]
	if shared == nil {
		settings := job.Settings
		shared = &sharedPlan{open: sync.OnceValues(func() (*selfplay.Plan, error) {
			plan, err := selfplay.Open(&settings, p.commands)
			if err != nil {
				return nil, err
			}
			plan.Forfeited = selfplay.LogForfeits(p.log)
			return plan, nil
		})}
		p.runs[job.Run] = shared
	}
	shared.users++
	p.mu.Unlock()
	plan, err := shared.open()
	if err == nil {
		err = plan.Runnable() // so that no program is started if the other agent cannot run
	}
	if err != nil {
		p.release(job.Run)
		return nil, err
	}
	return plan, nil
}

func (p *plans) release(run string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	shared := p.runs[run]
	if shared.users--; shared.users == 0 {
		delete(p.runs, run)
	}
}
