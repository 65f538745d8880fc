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

// A Run says which agent is to learn, how, and how long.
type Run struct {
	Dir string // of the run; an earlier part of it is continued
	// Plan has the agent twice, with the evaluator that it begins with, and how its
	// self-play games begin and end.
	Plan    *selfplay.Plan
	Recipe  Recipe
	Workers int             // games played at a time
	Record  record.Recorder // of the self-play games and the gates
	Stop    Stop
	// Watch, unless nil, is told of each stage as it begins, with its games at most;
	// what it returns is told how many games and plies are done, and may be nil.
	Watch func(iteration int, stage Stage, games int64) (progress func(games, plies int64))
	// Finished, unless nil, is told of the run after each iteration that this call
	// finishes.
	Finished func(*Outcome) error
}

// Stop says when no further iteration is begun: with the first of its conditions
// that holds. They decide nothing else, so that a run can be taken further.
type Stop struct {
	Iterations int       // of the run; 0: no limit
	At         time.Time // zero: no limit
	Elo        float64   // of the best agent over the first one, see Point; 0: no limit
}

// A Stage is a part of an iteration that takes time.
type Stage int

const (
	Playing  Stage = iota // self-play
	Learning              // sampling and fitting
	Gating                // the match
)

func (s Stage) String() string { return [...]string{"playing", "learning", "gate"}[s] }

// Validate checks the run but for what is in its folder.
func (r *Run) Validate() error {
	switch {
	case r.Plan.Paired():
		return errors.New("an agent learns from games against itself, but the plan has two")
	case !r.Plan.Config().Agents[0].HasEvaluator():
		return fmt.Errorf("agent %s has no option eval, so that there is nothing to learn", r.Plan.Config().Agents[0])
	case r.Stop.Iterations < 0:
		return fmt.Errorf("iterations is %d, must be 0 (no limit) or more", r.Stop.Iterations)
	case !(r.Stop.Elo >= 0):
		return fmt.Errorf("the Elo to stop at is %v, must be 0 (no limit) or more", r.Stop.Elo)
	}
	if err := r.Recipe.Validate(); err != nil {
		return err
	}
	gate := r.Plan.Config()
	gate.Opening.Plies = r.Recipe.Gate.OpeningPlies
	if _, err := selfplay.NewPlan(gate); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	return nil
}

// learner is a run at work.
type learner struct {
	*Run
	layout  *eval.Layout
	best    agent.Spec
	weights string // their file, once best has learnt ones
	outcome *Outcome
}

// Train learns until Stop says so, and returns how far the run has come. It
// locks the folder. A folder that holds another run is refused with an error that
// wraps dataset.ErrSettings. When ctx is done, what is whole is kept, and the
// error wraps the cause; calling it again then goes on.
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
	for !l.over() {
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

// open reads what the folder holds of the run.
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

// over reports whether no further iteration is wanted.
func (l *learner) over() bool {
	o := l.outcome
	switch n := len(o.Iterations); {
	case l.Stop.Iterations > 0 && n >= l.Stop.Iterations,
		!l.Stop.At.IsZero() && !time.Now().Before(l.Stop.At),
		l.Stop.Elo > 0 && n > 0 && o.Curve[n-1].Best.Estimate >= l.Stop.Elo:
		return true
	}
	return false
}

// advance takes an iteration that is over into the run.
func (l *learner) advance(r *Report) error {
	o := l.outcome
	if r.Player != l.best.String() {
		return fmt.Errorf("%s: iteration %d was played by %s, the best agent before it is %s", l.Dir, r.Iteration, r.Player, l.best)
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

// publish writes what follows from the iterations.
func (l *learner) publish() error {
	if l.outcome.Weights != "" {
		if err := dataset.WriteFile(l.outcome.Weights, []byte(l.weights)); err != nil {
			return err
		}
	}
	return writeJSON(filepath.Join(l.Dir, curveName), l.outcome.Curve)
}

// with returns the agent that learns with the given weights.
func (l *learner) with(weights string) (agent.Spec, error) {
	digest := dataset.FileDigest(weights)
	c := l.Plan.Config()
	return c.Agents[0].WithEvaluator(digest, c.Variant, &agent.Sources{Files: dataset.Files{digest: weights}})
}
