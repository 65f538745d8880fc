package search

import (
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// TreeOptions of an MCTS.
type TreeOptions struct {
	// Explore is how much the search tries what looks worse: the constant of PUCT
	// in hundredths.
	Explore int
	Noise   int // that of Options
}

// MostExplore is the greatest TreeOptions.Explore, and MostSimulations the
// greatest number of simulations.
const (
	MostExplore     = 10_000
	MostSimulations = 10_000_000
)

// Validate tells what is wrong with the options.
func (o TreeOptions) Validate() error {
	err := Options{Noise: o.Noise}.Validate()
	if o.Explore < 0 || o.Explore > MostExplore {
		err = errors.Join(err, fmt.Errorf("explore is %d, must be 0 to %d", o.Explore, MostExplore))
	}
	return err
}

// MCTS grows a tree of the positions that matter; see the package documentation.
// It belongs to one goroutine. Its memory grows with the largest tree.
type MCTS struct {
	options TreeOptions
	leaves  *AlphaBeta // values positions by quiescence
	root    env.State
	walker  env.State
	tree    []twig // the root is number 0; the children of a twig lie side by side
	path    []int32
	scores  []int // scratch of expand
	order   []int32
	visits  []Visits
	lines   []Line
	result  Result
}

// A twig is an action of a position in the tree, and the position after it. Its
// value is from the view of the player who chooses the action, at the root of
// the player to move.
type twig struct {
	sum      int64 // of the values of its visits
	action   env.Action
	children int32 // number of the first
	count    int32 // of children; 0 for a leaf
	visits   int32
	prior    int32 // share of the visits expected before any, of one
	score    int32 // of a solved twig, counted from the position in which it is chosen
	chooser  env.Player
	mover    env.Player // in the position after it
	solved   bool       // its result is certain
}

// Visits is how often the last search tried an action of the root.
type Visits struct {
	Action env.Action
	Count  int
}

// NewMCTS makes a tree search for a game. Begin must be called before it is used.
func NewMCTS(game env.Game, evaluator eval.Evaluator, options TreeOptions) (*MCTS, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	leaves, err := New(game, evaluator, Options{Noise: options.Noise, MaxDepth: 1})
	if err != nil {
		return nil, err
	}
	states := game.NewStates(2)
	return &MCTS{options: options, leaves: leaves, root: states[0], walker: states[1]}, nil
}

// Begin starts an episode and sets the seed of the noise.
func (m *MCTS) Begin(seed uint64) { m.leaves.Begin(seed) }

// Search grows a tree from a running position, which it leaves as it is, by at
// most so many simulations, at least one, and returns the best lines. It ends
// early when the result is certain or done is closed. Result.Nodes counts the
// positions entered, those of quiescence included; Depth is that of the deepest
// simulation. Unless it is nil, report is called each time the simulations have
// doubled, with the result so far.
func (m *MCTS) Search(from env.State, simulations, lines int, done <-chan struct{}, report func(*Result)) *Result {
	m.root.CopyFrom(from)
	m.leaves.limits, m.leaves.nodes, m.leaves.stopped = Limits{}, 0, false
	m.result = Result{}
	m.tree = append(m.tree[:0], twig{chooser: from.Player(), mover: from.Player()})
	for n := 1; ; n++ {
		m.simulate()
		if n >= simulations || m.tree[0].solved || closed(done) {
			break
		}
		if report != nil && n&(n-1) == 0 {
			m.conclude(lines)
			report(&m.result)
		}
	}
	m.conclude(lines)
	return &m.result
}

func closed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// Visits returns how often each action of the root was tried in the last search,
// in ascending order of actions; those never tried are left out. The slice is
// valid until the next search.
func (m *MCTS) Visits() []Visits {
	m.visits = m.visits[:0]
	for _, t := range m.childrenOf(0) {
		if tried := int(t.visits) - lookedAt; tried > 0 {
			m.visits = append(m.visits, Visits{t.action, tried})
		}
	}
	return m.visits
}

// Value returns what the last search thinks the root worth to its mover, −1 to
// 1: the value of its best action.
func (m *MCTS) Value() float32 { return float32(m.tree[m.best(0)].mean()) / one }
