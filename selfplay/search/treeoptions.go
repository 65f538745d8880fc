package search

// TreeOptions configure an MCTS.
type TreeOptions struct {
	Select  Select
	Explore int // the exploration constant of Select, in hundredths
	// FPU is the first-play urgency reduction in hundredths of a win: an unvisited
	// action has the value of its parent position less FPU times the square root of
	// the prior share of the visited actions.
	FPU int
	// Dirichlet is the sum of the parameters of the Dirichlet noise at the root, in
	// hundredths, split evenly among the legal actions. 0 disables the noise.
	// DirichletWeight is the share of the noise in the priors, in per cent.
	Dirichlet, DirichletWeight int
	Noise                      int // as in Options
	// Quiescence is the depth of the quiescence search at leaves, in plies. With 0,
	// the value of a leaf is the evaluator's.
	Quiescence int
	Batch      int // leaves evaluated together, at least 1
}

// Select is the selection rule of a simulation.
type Select uint8

const (
	PUCT Select = iota // value + Explore · prior · √visits / (1 + own visits)
	UCT                // value + Explore · √(ln visits / (1 + own visits))
)

// Upper bounds of options and limits.
const (
	MaxExplore     = 10_000
	MaxFPU         = 200
	MaxDirichlet   = 100_000
	MaxBatch       = 1024
	MaxSimulations = 10_000_000
)

// Validate returns an error that names every option out of range.
func (o TreeOptions) Validate() error {
	return checkRanges(
		optionRange{"batch", o.Batch, 1, MaxBatch},
		optionRange{"dirichlet", o.Dirichlet, 0, MaxDirichlet},
		optionRange{"dirichlet weight", o.DirichletWeight, 0, 100},
		optionRange{"explore", o.Explore, 0, MaxExplore},
		optionRange{"fpu", o.FPU, 0, MaxFPU},
		optionRange{"noise", o.Noise, 0, MaxNoise},
		optionRange{"quiescence", o.Quiescence, 0, MaxQuiescence},
		optionRange{"select", int(o.Select), int(PUCT), int(UCT)},
	)
}

// TreeLimits end a tree search. If no limit is set, the search ends at a proven result.
type TreeLimits struct {
	// Simulations through the root, including those of a reused subtree. 0 means no limit.
	Simulations int
	Nodes       int64           // positions entered, checked after each batch; 0 means no limit
	NoRootNoise bool            // disables the Dirichlet noise for this search
	Done        <-chan struct{} // interrupts the search when it is closed
}

// reached reports whether a limit of simulations or nodes is reached.
func (l *TreeLimits) reached(simulations int, nodes int64) bool {
	return l.Simulations > 0 && simulations >= l.Simulations || l.Nodes > 0 && nodes >= l.Nodes
}
