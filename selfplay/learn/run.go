package learn

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/record"
)

// A Run is a training run: the agent, the recipe and the stopping conditions.
type Run struct {
	Dir string // the run folder; an existing run is resumed
	// Plan is the plan of the self-play games. The agent, with its initial evaluator,
	// plays both sides.
	Plan    *selfplay.Plan
	Recipe  Recipe
	Workers int             // games played concurrently
	Record  record.Recorder // plays the self-play games and the gates
	Stop    Stop
	// Watch, unless nil, is called when a stage begins, with the maximum number of games
	// of the stage. The function that it returns, unless nil, is called with the
	// games and plies done so far.
	Watch func(iteration int, stage Stage, games int64) (progress func(games, plies int64))
	// Finished, unless nil, is called after each iteration that this call completes. An
	// error ends the run.
	Finished func(*Outcome) error
}

// Stop has the stopping conditions. No further iteration begins once one of them holds.
// They do not affect the iterations, so a stopped run can be resumed with others.
type Stop struct {
	Iterations int       // of the whole run; 0 means no limit
	At         time.Time // zero means no limit
	Elo        float64   // of the best agent relative to the initial one, see Point; 0 means no limit
}

// A Stage is a stage of an iteration.
type Stage int

const (
	Playing  Stage = iota // self-play
	Learning              // sampling and fitting
	Gating                // the match
)

func (s Stage) String() string { return [...]string{"playing", "learning", "gate"}[s] }

// Validate returns an error that describes the first invalid setting. It does not read
// the run folder.
func (r *Run) Validate() error {
	switch {
	case r.Plan.Paired():
		return errors.New("training needs one agent that plays itself; the plan has two different agents")
	case !r.Plan.Config().Agents[0].HasEvaluator():
		return fmt.Errorf("agent %s has no option eval, so there is no evaluator to train", r.Plan.Config().Agents[0])
	case r.Stop.Iterations < 0:
		return fmt.Errorf("iterations is %d, must be 0 (no limit) or more", r.Stop.Iterations)
	case !(r.Stop.Elo >= 0):
		return fmt.Errorf("target Elo is %v, must be 0 (no limit) or more", r.Stop.Elo)
	}
	if err := r.Recipe.Validate(); err != nil {
		return err
	}
	gate := r.Plan.Config()
	gate.Opening = r.Recipe.Gate.opening(&gate.Opening)
	if _, err := selfplay.NewPlan(gate); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	return nil
}

// learner is a run in progress.
type learner struct {
	*Run
	layout  *eval.Layout
	best    agent.Spec
	weights string // content of the best agent's weights file; empty if none were accepted
	outcome *Outcome
}

// Train starts or resumes a run, iterates until a stopping condition holds and returns
// the outcome. It holds a lock on the folder until it returns. The error wraps
// dataset.ErrSettings if the folder belongs to a different run, dataset.ErrLocked if it
// is in use, and the cause of ctx if ctx is done; an interrupted run can be resumed.
func Train(ctx context.Context, r Run) (outcome *Outcome, err error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	layout, err := eval.NewLayout(r.Plan.Config().Variant.Game)
	if err != nil {
		return nil, err
	}
	if err := selfplay.TryPlayer(r.Plan); err != nil {
		return nil, err
	}
	lock, err := dataset.AcquireLock(r.Dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if err := r.settings().claim(r.Dir); err != nil {
		return nil, err
	}
	l := &learner{Run: &r, layout: layout, best: r.Plan.Config().Agents[0]}
	if err := l.open(); err != nil {
		return nil, err
	}
	for !l.stopped() {
		report, err := l.iterate(ctx, len(l.outcome.Iterations)+1)
		if err == nil {
			err = l.advance(report)
		}
		if err == nil {
			err = l.publish()
		}
		if err == nil && r.Finished != nil {
			err = r.Finished(l.outcome)
		}
		if err != nil {
			return nil, err
		}
	}
	return l.outcome, nil
}

// open reads the completed iterations from the folder.
func (l *learner) open() error {
	reports, err := readReports(l.Dir)
	if err != nil {
		return err
	}
	v := l.Plan.Config().Variant
	l.outcome = &Outcome{Dir: l.Dir, Variant: v.Name, Digest: v.Digest, Best: l.best.String(), Iterations: []*Report{}, Curve: []Point{}}
	for _, r := range reports {
		if err := l.advance(r); err != nil {
			return err
		}
	}
	return l.publish()
}

// stopped reports whether a stopping condition holds.
func (l *learner) stopped() bool {
	o := l.outcome
	switch n := len(o.Iterations); {
	case l.Stop.Iterations > 0 && n >= l.Stop.Iterations,
		!l.Stop.At.IsZero() && !time.Now().Before(l.Stop.At),
		l.Stop.Elo > 0 && n > 0 && o.Curve[n-1].Best.Estimate >= l.Stop.Elo:
		return true
	}
	return false
}

// advance adds a completed iteration to the outcome.
func (l *learner) advance(r *Report) error {
	o := l.outcome
	if r.Player != l.best.String() {
		return fmt.Errorf("%s: the player of iteration %d is %s, must be the best agent before it, %s", l.Dir, r.Iteration, r.Player, l.best)
	}
	o.Iterations = append(o.Iterations, r)
	o.Curve = curve(o.Iterations)
	if r.Accepted {
		weights, err := readWeights(l.Dir, r)
		if err != nil {
			return err
		}
		if l.best, err = l.with(weights); err != nil {
			return err
		}
		o.Best, o.Weights, l.weights = l.best.String(), filepath.Join(l.Dir, bestName), weights
	}
	return nil
}

// publish writes the files that are derived from the iterations.
func (l *learner) publish() error {
	if l.outcome.Weights != "" {
		if err := dataset.WriteFile(l.outcome.Weights, []byte(l.weights)); err != nil {
			return err
		}
	}
	return writeJSON(filepath.Join(l.Dir, curveName), l.outcome.Curve)
}

// with returns the agent with the given content of a weights file as its evaluator.
func (l *learner) with(weights string) (agent.Spec, error) {
	digest := dataset.FileDigest(weights)
	c := l.Plan.Config()
	return c.Agents[0].WithEvaluator(digest, c.Variant, &agent.Sources{Files: dataset.Files{digest: weights}})
}
