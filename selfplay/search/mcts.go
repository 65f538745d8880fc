package search

import (
	"math"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// MCTS is a Monte-Carlo tree search; see the package documentation. It must not be used
// concurrently. Its memory grows with the largest tree.
type MCTS struct {
	options TreeOptions
	qsearch quiescence // evaluates leaves and new children
	batch   eval.Batcher
	rand    env.Rand // of the Dirichlet noise

	root     env.State
	tree     []edge // the root is edge 0; the children of an edge are adjacent
	spare    []edge // the buffer that reroot copies to
	followed env.Action

	leaves []leaf // of one batch
	states []env.State
	static []int // evaluations of states

	scores []int // scratch of expand
	noise  []int64
	order  []int32
	visits []Visits
	lines  []Line
	result Result
	report func(*Result)
}

// NewMCTS returns a tree search for a game. Call Begin before the first search.
func NewMCTS(game env.Game, evaluator eval.Evaluator, options TreeOptions) (*MCTS, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	states := game.NewStates(1 + options.Batch)
	m := &MCTS{
		options: options, batch: eval.Batch(evaluator), root: states[0],
		qsearch: newQuiescence(game, evaluator, options.Noise, 3+MaxQuiescence),
		states:  make([]env.State, 0, options.Batch), static: make([]int, options.Batch),
	}
	for _, s := range states[1:] {
		m.leaves = append(m.leaves, leaf{state: s})
	}
	return m, nil
}

// Report makes every search call f with its result so far, each time the number of
// simulations has doubled.
func (m *MCTS) Report(f func(*Result)) { m.report = f }

// Begin discards the tree and sets the seed of all noise.
func (m *MCTS) Begin(seed uint64) {
	m.qsearch.seed = seed
	m.rand.Seed(env.Derive(seed, rootStream))
	m.tree, m.followed = m.tree[:0], env.NoAction
}

// rootStream is the random stream of the Dirichlet noise under the seed of Begin.
const rootStream = 1

// Search grows a tree from a running position, which it does not change, and returns
// its best lines. It ends at the limits or when the result is proven, and runs at least
// one simulation unless it is interrupted first. Result.Nodes counts the positions
// entered, including those of quiescence; Result.Depth is the depth of the deepest
// leaf in plies.
func (m *MCTS) Search(from env.State, limits TreeLimits, lines int) *Result {
	m.qsearch.start(Limits{})
	m.result = Result{}
	m.setRoot(from)
	if m.options.Dirichlet > 0 && !limits.NoRootNoise {
		m.addRootNoise()
	}
	for next := 1; !closed(limits.Done); {
		m.simulate(limits)
		if m.finished(limits) {
			break
		}
		if done := m.simulations(); m.report != nil && done >= next {
			m.collect(lines)
			m.report(&m.result)
			next = 2 * done
		}
	}
	m.collect(lines)
	return &m.result
}

// finished reports whether the root is proven or a limit is reached.
func (m *MCTS) finished(limits TreeLimits) bool {
	return m.tree[0].solved || len(m.tree) >= maxEdges || limits.reached(m.simulations(), m.result.Nodes)
}

// maxEdges keeps edge numbers within int32.
const maxEdges = math.MaxInt32 / 2

// simulations returns the number of simulations through the root, including those from
// before it became the root.
func (m *MCTS) simulations() int { return int(m.tree[0].visits) - 1 }

// Visits is the visit count of an action at the root.
type Visits struct {
	Action env.Action
	Count  int
}

// Visits returns the visit counts of the root's visited actions, by ascending action.
// The slice is valid until the next search.
func (m *MCTS) Visits() []Visits { return m.visits }

// Value returns the value of the root's best action to the player to move, from −1, a
// loss, to 1, a win.
func (m *MCTS) Value() float32 { return float32(m.tree[m.best(0)].value()) / winValue }
