package search

import (
	"math"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// MCTS grows a tree of the positions that matter; see the package documentation.
// It belongs to one goroutine. Its memory grows with the largest tree.
type MCTS struct {
	options TreeOptions
	quiet   *AlphaBeta // values positions by quiescence
	batch   eval.Batcher
	rand    env.Rand // of the noise at the root

	root     env.State
	tree     []twig // the root is number 0; the children of a twig lie side by side
	spare    []twig // what the tree is moved to
	followed env.Action

	leaves []leaf // as many as are valued together
	states []env.State
	prices []int

	scores []int // scratch of expand
	shares []int64
	order  []int32
	visits []Visits
	lines  []Line
	result Result
	report func(*Result)
}

// NewMCTS makes a tree search for a game. Begin must be called before it is used.
func NewMCTS(game env.Game, evaluator eval.Evaluator, options TreeOptions) (*MCTS, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	quiet, err := New(game, evaluator, Options{Noise: options.Noise, MaxDepth: 1})
	if err != nil {
		return nil, err
	}
	states := game.NewStates(1 + options.Batch)
	m := &MCTS{options: options, quiet: quiet, batch: eval.Batch(evaluator), root: states[0]}
	for _, s := range states[1:] {
		m.leaves = append(m.leaves, leaf{state: s})
	}
	m.states, m.prices = make([]env.State, 0, options.Batch), make([]int, options.Batch)
	return m, nil
}

// Report makes every search call f each time its simulations have doubled, with
// the result so far.
func (m *MCTS) Report(f func(*Result)) { m.report = f }

// Begin forgets everything and sets the seed of the noise.
func (m *MCTS) Begin(seed uint64) {
	m.quiet.Begin(seed)
	m.rand.Seed(env.Derive(seed, rootStream))
	m.tree, m.followed = m.tree[:0], env.NoAction
}

// rootStream is the stream of the noise at the root under the seed of Begin.
const rootStream = 1

// Search grows a tree from a running position, which it leaves as it is, and
// returns its best lines. It makes one simulation at least, unless it is
// interrupted before, and ends at the limits or when the result is certain.
// Result.Nodes counts the positions entered, those of quiescence included; Depth
// is that of the deepest leaf, in plies.
func (m *MCTS) Search(from env.State, limits TreeLimits, lines int) *Result {
	m.quiet.limits, m.quiet.nodes, m.quiet.stopped = Limits{}, 0, false
	m.result = Result{}
	m.plant(from)
	if m.options.Dirichlet > 0 && !limits.Plain {
		m.disturb()
	}
	for next := 1; !limits.interrupted(); {
		m.simulate(limits)
		if m.finished(limits) {
			break
		}
		if done := m.simulations(); m.report != nil && done >= next {
			m.conclude(lines)
			m.report(&m.result)
			next = 2 * done
		}
	}
	m.conclude(lines)
	return &m.result
}

// finished tells whether there is nothing left to find out, or to do it with.
func (m *MCTS) finished(limits TreeLimits) bool {
	return m.tree[0].solved || len(m.tree) >= mostTwigs || limits.reached(m.simulations(), m.result.Nodes)
}

// mostTwigs is how large a tree may be before its numbers run out.
const mostTwigs = math.MaxInt32 / 2

// simulations is how many there were from the root, before it became the root included.
func (m *MCTS) simulations() int { return int(m.tree[0].visits) - 1 }

// Visits is how often a search tried an action of the root.
type Visits struct {
	Action env.Action
	Count  int
}

// Visits returns how often each action of the root was tried, in ascending order
// of actions; those never tried are left out. The slice is valid until the next search.
func (m *MCTS) Visits() []Visits { return m.visits }

// Value returns what the last search thinks the root worth to its mover, −1 to
// 1: the value of its best action.
func (m *MCTS) Value() float32 { return float32(m.tree[m.best(0)].mean()) / one }

// Certain tells whether the last search knows the result of the root.
func (m *MCTS) Certain() bool { return m.tree[0].solved }
