package search

import "github.com/sandtable-farm/sandtable/env"

// priorTemperature is the difference in score from the best action at which an action
// gets a quarter of the best action's prior.
const priorTemperature = 100

// setRoot makes a position the root, with its subtree if the tree contains it after
// the followed action.
func (m *MCTS) setRoot(from env.State) {
	found := m.findSubtree(from)
	m.root.CopyFrom(from)
	if found > 0 {
		m.reroot(found)
	} else {
		mover := from.Player()
		m.tree = append(m.tree[:0], edge{player: mover, mover: mover, visits: 1})
		m.states = append(m.states[:0], m.root)
		m.batch.EvaluateBatch(m.states, m.static[:1])
		m.tree[0].sum = int64(valueOf(m.quiesce(m.root, m.static[0])))
		m.expand(0, m.root)
	}
	m.followed = env.NoAction
}

// expand gives the edge to position s its children, with their evaluations and priors.
func (m *MCTS) expand(i int32, s env.State) {
	q := &m.qsearch
	f, next := &q.frames[0], &q.frames[1]
	f.set(s)
	f.legal = f.state.Legal(f.legal[:0])
	m.tree[i].children, m.tree[i].count = int32(len(m.tree)), int32(len(f.legal))
	m.scores = m.scores[:0]
	best, ends := -infinity, false
	for _, a := range f.legal {
		q.make(0, a)
		q.countNode()
		score := 0
		switch next.mover {
		case env.NoPlayer:
			score, ends = terminalScore(next.state, f.mover, 1), true
		case f.mover:
			score = q.evaluate(1)
		default:
			score = -q.evaluate(1)
		}
		m.tree = append(m.tree, edge{action: a, score: int32(score), player: f.mover, mover: next.mover, solved: next.mover == env.NoPlayer})
		m.scores = append(m.scores, score)
		best = max(best, score)
	}
	m.setPriors(i, best)
	m.promoteUnvisited(i)
	if ends {
		m.prove(i)
	}
}

// setPriors sets the priors of new children from m.scores. A prior is proportional to
// 1/(1 + d/priorTemperature)², where d is the distance to the best score.
func (m *MCTS) setPriors(i int32, best int) {
	total := int64(0)
	weight := func(score int) int64 {
		ratio := int64(winValue) * priorTemperature / int64(priorTemperature+best-score)
		return 1 + ratio*ratio/winValue
	}
	for _, score := range m.scores {
		total += weight(score)
	}
	children := m.childrenOf(i)
	for j, score := range m.scores {
		children[j].prior = int32(weight(score) * priorOne / total)
	}
}
