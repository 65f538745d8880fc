package search

import "github.com/sandtable-farm/sandtable/env"

// historyBound bounds the history of an action.
const historyBound = 1 << 14

// history is the history heuristic: for each player and action, how often the action
// caused a cutoff.
type history [2][]int32

func newHistory(actions int) history {
	return history{make([]int32, actions), make([]int32, actions)}
}

// add adds a bonus, which is positive for an action that caused a cutoff and negative for
// one that was tried before it. It shrinks as the history approaches its bound.
func (h *history) add(p env.Player, a env.Action, bonus int32) {
	const bound = historyBound
	bonus = max(-bound/8, min(bound/8, bonus*16))
	c := &h[p&1][a]
	*c += bonus - *c*max(bonus, -bonus)/bound
}

// age halves the history for the next search of an episode.
func (h *history) age() {
	for _, counts := range h {
		for i := range counts {
			counts[i] /= 2
		}
	}
}

func (h *history) clear() {
	clear(h[0])
	clear(h[1])
}

// sequels is the continuation history: how often an action caused a cutoff after
// another. Pairs of actions share its entries by a hash.
type sequels []int16

// sequelBits is the binary logarithm of the length of sequels.
const sequelBits = 16

// after returns a number from which at finds the entries of the actions after a, played by
// player p. Distance is 1 for the last action and 2 for the one before it.
func after(p env.Player, a env.Action, distance int) uint64 {
	return (uint64(uint32(a+1))<<3 | uint64(distance)<<1 | uint64(p&1)) * 0x9e3779b97f4a7c15
}

// at returns the entry of an action.
func (s sequels) at(after uint64, a env.Action) *int16 {
	return &s[(after^uint64(uint32(a))*0xd6e8feb86659fd93)>>(64-sequelBits)&(1<<sequelBits-1)]
}

// add adds a bonus that shrinks as the entry approaches its bound.
func (s sequels) add(after uint64, a env.Action, bonus int32) {
	const bound = historyBound
	bonus = max(-bound/8, min(bound/8, bonus*16))
	c := s.at(after, a)
	*c += int16(bonus - int32(*c)*max(bonus, -bonus)/bound)
}
