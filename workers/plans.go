package workers

import (
	"log/slog"
	"sync"

	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

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
