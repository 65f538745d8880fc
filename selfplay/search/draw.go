package search

import "github.com/sandtable-farm/sandtable/env"

// Draw returns an action of the root of the last search, drawn in proportion to
// its visits to the power of 100/temperature. Certain losses are not drawn; where
// the result is certain, nothing was visited or the temperature is 0, it returns
// the best action.
func (m *MCTS) Draw(temperature int, r *env.Rand) env.Action {
	children := m.childrenOf(0)
	best := &m.tree[m.best(0)]
	if temperature == 0 || m.tree[0].solved || best.visits == 0 {
		return best.action
	}
	weight := func(t *twig) int {
		if t.visits == 0 || t.lost() {
			return 0
		}
		return int(power((binaryLog(uint64(t.visits)) - binaryLog(uint64(best.visits))) * 100 / int64(temperature)))
	}
	total := 0
	for i := range children {
		total += weight(&children[i])
	}
	draw := r.IntN(total)
	for i := range children {
		if draw -= weight(&children[i]); draw < 0 {
			return children[i].action
		}
	}
	return best.action
}
