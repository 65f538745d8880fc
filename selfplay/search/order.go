package search

import (
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// A move is a legal action with its rank: a higher rank is tried earlier.
type move struct {
	action   env.Action
	rank     int32
	tactical bool // a capture or a shot
}

type moveList []move

// Ranks of moves. Below killerRank, the rank is the action's history.
const (
	hashRank     = 1 << 30
	tacticalRank = 1 << 27 // plus the gain, within ±maxGain
	killerRank   = 1 << 26
	maxGain      = 1 << 25
)

// sortedMoves is the number of moves that are picked in order of rank. The rest keep the
// order in which they were generated.
const sortedMoves = 12

// history is the history heuristic: for each player and action, how often the action
// caused a cutoff.
type history [2][]int32

func newHistory(actions int) history {
	return history{make([]int32, actions), make([]int32, actions)}
}

// reward raises the history of an action that caused a cutoff at a depth; punish lowers
// that of an action tried before it.
func (h *history) reward(p env.Player, a env.Action, depth int) { h.add(p, a, int32(depth*depth)) }
func (h *history) punish(p env.Player, a env.Action, depth int) { h.add(p, a, -int32(depth*depth)) }

// add adds a bonus that shrinks as the history approaches its bound.
func (h *history) add(p env.Player, a env.Action, bonus int32) {
	const bound = 1 << 14
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

// generate fills the frame's move list, tactical moves first, and ranks it.
func (s *AlphaBeta) generate(ply int, hashMove env.Action) {
	f := &s.frames[ply]
	f.legal = f.state.Legal(f.legal[:0])
	f.tactical = f.tactical[:0]
	if f.noisy != nil {
		f.tactical = f.noisy.Noisy(f.tactical)
	}
	f.moves = f.moves[:0]
	counts := s.history[f.mover&1]
	for _, a := range f.tactical {
		rank := int32(hashRank)
		if a != hashMove {
			rank = tacticalRank + int32(max(-maxGain, min(maxGain, s.gain(ply, a))))
		}
		f.moves = append(f.moves, move{a, rank, true})
	}
	tactical := f.tactical
	for _, a := range f.legal {
		if len(tactical) > 0 && tactical[0] == a {
			tactical = tactical[1:]
			continue
		}
		rank := counts[a]
		switch a {
		case hashMove:
			rank = hashRank
		case f.killers[0]:
			rank = killerRank + 1
		case f.killers[1]:
			rank = killerRank
		}
		f.moves = append(f.moves, move{a, rank, false})
	}
}

// pick returns the i-th move to try. Call it with ascending i.
func (m moveList) pick(i int) *move {
	if i >= sortedMoves {
		return &m[i]
	}
	best := i
	for j := i + 1; j < len(m); j++ {
		if m[j].rank > m[best].rank {
			best = j
		}
	}
	if best != i { // the others keep their order
		chosen := m[best]
		copy(m[i+1:best+1], m[i:best])
		m[i] = chosen
	}
	return &m[i]
}

// gain returns how much an action improves the evaluation for its mover. An action
// that ends the game gains its terminal score.
func (q *quiescence) gain(ply int, a env.Action) int {
	f, next := &q.frames[ply], &q.frames[ply+1]
	q.make(ply, a)
	if next.mover == env.NoPlayer {
		return terminalScore(next.state, f.mover, 0)
	}
	return q.evaluateFor(f.mover, ply+1) - q.evaluate(ply)
}

// sortByRank sorts moves stably, the highest rank first.
func (m moveList) sortByRank() {
	slices.SortStableFunc(m, func(a, b move) int { return int(b.rank) - int(a.rank) })
}
