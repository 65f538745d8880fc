package search

import (
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// A move is a legal action with its place in the order of trying: more is earlier.
type move struct {
	action env.Action
	rank   int32
	loud   bool // a capture or a shot
}

type moveList []move

// Ranks. Loud moves stand above killers, killers above the history of the others,
// which stays below mostHistory.
const (
	hashRank    = 1 << 30
	loudRank    = 1 << 27
	killerRank  = 1 << 26
	mostHistory = 1 << 24
	mostGain    = 1 << 25
)

// picked is how many moves are put in order one by one; the many that follow
// without much of a history are tried as they stand.
const picked = 12

// history counts for each player how often an action cut a search off.
type history [2][]int32

func newHistory(actions int) history {
	return history{make([]int32, actions), make([]int32, actions)}
}

// reward notes a cut by an action at a depth, and punish those tried before in vain.
func (h *history) reward(p env.Player, a env.Action, depth int) { h.add(p, a, int32(depth*depth)) }
func (h *history) punish(p env.Player, a env.Action, depth int) { h.add(p, a, -int32(depth*depth)) }

// add moves a count by a bonus, the less the nearer it is to its bound.
func (h *history) add(p env.Player, a env.Action, bonus int32) {
	const most = 1 << 14
	bonus = max(-most/8, min(most/8, bonus*16))
	c := &h[p&1][a]
	*c += bonus - *c*max(bonus, -bonus)/most
}

// fade halves every count, for the next search of an episode.
func (h *history) fade() {
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

// list fills the frame's moves and ranks them. Loud moves come first in the list.
func (s *AlphaBeta) list(ply int, hash env.Action) {
	f := &s.frames[ply]
	f.legal = f.state.Legal(f.legal[:0])
	f.loud = f.loud[:0]
	if f.noisy != nil {
		f.loud = f.noisy.Noisy(f.loud)
	}
	f.moves = f.moves[:0]
	counts := s.history[f.mover&1]
	for _, a := range f.loud {
		rank := int32(hashRank)
		if a != hash {
			rank = loudRank + int32(max(-mostGain, min(mostGain, s.gain(ply, a))))
		}
		f.moves = append(f.moves, move{a, rank, true})
	}
	loud := f.loud
	for _, a := range f.legal {
		if len(loud) > 0 && loud[0] == a {
			loud = loud[1:]
			continue
		}
		rank := counts[a]
		switch a {
		case hash:
			rank = hashRank
		case f.killers[0]:
			rank = killerRank + 1
		case f.killers[1]:
			rank = killerRank
		}
		f.moves = append(f.moves, move{a, rank, false})
	}
}

// pick returns the move to try as number i.
func (m moveList) pick(i int) *move {
	if i >= picked {
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

// gain is how much more a position is worth to its mover right after an action.
// A win counts as the most there is.
func (s *AlphaBeta) gain(ply int, a env.Action) int {
	f, next := &s.frames[ply], &s.frames[ply+1]
	s.make(ply, a)
	if next.mover == env.NoPlayer {
		return final(next.state, f.mover, 0)
	}
	return s.seen(ply+1, f.mover) - s.evaluate(ply)
}

// killed notes a quiet action that cut a search off at a ply.
func (f *frame) killed(a env.Action) {
	if f.killers[0] != a {
		f.killers[0], f.killers[1] = a, f.killers[0]
	}
}

// byGain puts loud moves in order, the greatest gain first.
func (m moveList) byGain() {
	slices.SortStableFunc(m, func(a, b move) int { return int(b.rank) - int(a.rank) })
}
