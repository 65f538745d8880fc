package search

import (
	"errors"
	"fmt"
)

// TreeOptions of an MCTS.
type TreeOptions struct {
	Select  Select
	Explore int // the constant of the rule in hundredths: how much the search tries what looks worse
	// FPU (first-play urgency) is by how much, in hundredths of a win, an action
	// that was never tried counts less than the position it is played in, times
	// the root of the prior share of the actions that were tried.
	FPU int
	// Dirichlet is the sum of the parameters of the noise at the root, in
	// hundredths, spread evenly over the legal actions; 0 is none.
	// DirichletWeight is the share of the noise in the priors, in per cent.
	Dirichlet, DirichletWeight int
	Noise                      int // that of Options
	// Quiescence is how many plies of captures and shots are followed at most when
	// a leaf is valued; with 0 its value is the evaluator's.
	Quiescence int
	Batch      int // leaves that are valued together, at least 1
}

// Select is a rule by which a simulation chooses its way.
type Select uint8

const (
	PUCT Select = iota // value + Explore · prior · √visits / (1 + own visits)
	UCT                // value + Explore · √(ln visits / (1 + own visits))
)

// Bounds of the options and limits.
const (
	MostExplore     = 10_000
	MostFPU         = 200
	MostDirichlet   = 100_000
	MostQuiescence  = quietPlies
	MostBatch       = 1024
	MostSimulations = 10_000_000
)

// Validate tells what is wrong with the options.
func (o TreeOptions) Validate() error {
	var faults []error
	for _, v := range [...]struct {
		name               string
		value, least, most int
	}{
		{"batch", o.Batch, 1, MostBatch},
		{"dirichlet", o.Dirichlet, 0, MostDirichlet},
		{"dirichlet weight", o.DirichletWeight, 0, 100},
		{"explore", o.Explore, 0, MostExplore},
		{"fpu", o.FPU, 0, MostFPU},
		{"noise", o.Noise, 0, MostNoise},
		{"quiescence", o.Quiescence, 0, MostQuiescence},
		{"select", int(o.Select), int(PUCT), int(UCT)},
	} {
		if v.value < v.least || v.value > v.most {
			faults = append(faults, fmt.Errorf("%s is %d, must be %d to %d", v.name, v.value, v.least, v.most))
		}
	}
	return errors.Join(faults...)
}

// TreeLimits end the growth of a tree. One of them must be set, or it goes on to
// a certain result.
type TreeLimits struct {
	// Simulations from the root, those before it became the root included; 0 is
	// no limit.
	Simulations int
	Nodes       int64           // positions entered, looked at after each batch; 0 is no limit
	Plain       bool            // without noise at the root
	Done        <-chan struct{} // interrupts the search when it is closed
}

// reached tells whether a limit of simulations or nodes is reached.
func (l *TreeLimits) reached(simulations int, nodes int64) bool {
	return l.Simulations > 0 && simulations >= l.Simulations || l.Nodes > 0 && nodes >= l.Nodes
}

func (l *TreeLimits) interrupted() bool {
	select {
	case <-l.Done:
		return true
	default:
		return false
	}
}
