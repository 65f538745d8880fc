package search

import (
	"slices"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// A move is a legal action with its rank: a higher rank is tried earlier.
type move struct {
	action   env.Action
	rank     int32
	tactical bool // a capture or a shot
}

type moveList []move

// noMove is the move of a table entry that has none.
var noMove = move{action: env.NoAction}

// Ranks of moves. Below counterRank, the rank is the action's history.
const (
	hashRank     = 1 << 30
	tacticalRank = 1 << 27 // plus the gain, within ±maxGain
	killerRank   = 1 << 26
	counterRank  = 1 << 25
	maxGain      = 1 << 25
)

// A stage says which moves a frame's list has so far.
type stage uint8

const (
	hashStage     stage = iota // the move of the table
	tacticalStage              // and captures and shots
	quietStage                 // and all others
)

// sortedMoves is the number of moves that version 1 picks in order of rank. The rest keep
// the order in which they were generated.
const sortedMoves = 12

// begin begins the frame's move list with the move of the transposition table.
func (f *frame) begin(hash move) {
	f.moves, f.stage = f.moves[:0], hashStage
	if hash.action != env.NoAction {
		hash.rank = hashRank
		f.moves = append(f.moves, hash)
	}
}

// generate fills the frame's move list, the given action first.
func (s *AlphaBeta) generate(ply int, first env.Action) {
	f := &s.frames[ply]
	f.begin(noMove)
	s.addTactical(ply)
	s.addQuiet(ply)
	for i := range f.moves {
		if f.moves[i].action == first {
			f.moves[i].rank = hashRank
			if !s.classic {
				f.moves[0], f.moves[i] = f.moves[i], f.moves[0]
			}
		}
	}
}

// next returns the i-th move to try, or nil after the last. Call it with ascending i.
func (s *AlphaBeta) next(ply, i int) *move {
	f := &s.frames[ply]
	for i == len(f.moves) {
		switch f.stage {
		case hashStage:
			s.addTactical(ply)
		case tacticalStage:
			s.addQuiet(ply)
		default:
			return nil
		}
	}
	if s.classic {
		return f.moves.pick(i)
	}
	return &f.moves[i]
}

// addTactical adds captures and shots to the move list.
func (s *AlphaBeta) addTactical(ply int) {
	f := &s.frames[ply]
	f.stage = tacticalStage
	f.tactical = f.tactical[:0]
	if f.noisy != nil {
		f.tactical = f.noisy.Noisy(f.tactical)
	}
	first := len(f.moves)
	var repeats repeats
	for _, a := range f.tactical {
		if !f.begins(a) {
			gain := 0
			if s.classic {
				gain = s.gain(ply, a)
			} else {
				gain = s.prospect(ply, a, &repeats)
			}
			f.moves = append(f.moves, move{a, tacticalRank + int32(max(-maxGain, min(maxGain, gain))), true})
		}
	}
	if !s.classic {
		f.moves[first:].raise()
	}
}

// begins reports whether an action is the table move, with which the list begins.
func (f *frame) begins(a env.Action) bool {
	return len(f.moves) > 0 && f.moves[0].rank == hashRank && f.moves[0].action == a
}

// repeats counts the captures and shots of a piece by their prize.
type repeats struct {
	part   env.Action
	counts [64]uint8
}

// prospect estimates what a capture or shot gains. One piece may have dozens of ways to win
// the same prize, so the estimate falls by the tuning's Repeat with each.
func (s *AlphaBeta) prospect(ply int, a env.Action, r *repeats) int {
	f := &s.frames[ply]
	if f.prizer == nil {
		return s.gain(ply, a)
	}
	prize := f.prizer.Prize(a)
	if part := s.part(a); part != r.part {
		*r = repeats{part: part}
	}
	count := &r.counts[prize&(len(r.counts)-1)]
	gain := prize*eval.Unit + int(s.history[f.mover&1][a])*eval.Unit/historyBound - int(*count)*s.tuning.Repeat
	*count = min(*count+1, 100)
	return gain
}

// addQuiet adds all other moves to the move list.
func (s *AlphaBeta) addQuiet(ply int) {
	f := &s.frames[ply]
	f.stage = quietStage
	f.legal = f.state.Legal(f.legal[:0])
	counts := s.history[f.mover&1]
	last, own, any, reply, counter := s.context(ply)
	first, tactical := len(f.moves), f.tactical
	for _, a := range f.legal {
		if len(tactical) > 0 && tactical[0] == a {
			tactical = tactical[1:]
			continue
		}
		rank := counts[a]
		if !s.classic {
			part := s.part(a)
			rank += int32(*s.sequels.at(last, a)) + int32(*s.sequels.at(own, a)) +
				int32(s.tuning.PieceHistory)*(int32(*s.sequels.at(any, part))+int32(*s.sequels.at(reply, part)))
		}
		switch a {
		case f.killers[0]:
			rank = killerRank + 1
		case f.killers[1]:
			rank = killerRank
		case counter:
			rank = counterRank
		}
		if !f.begins(a) {
			f.moves = append(f.moves, move{a, rank, false})
		}
	}
	if !s.classic {
		f.moves[first:].raise()
	}
}

// context returns what sequels.at needs to know of the last two actions, and the action
// that last refuted the last one.
func (s *AlphaBeta) context(ply int) (last, own, any, reply uint64, counter env.Action) {
	if s.classic {
		return 0, 0, 0, 0, env.NoAction
	}
	mover, before := s.frames[ply].mover, s.before(ply, 1)
	counter = env.NoAction
	if before != env.NoAction {
		counter = s.counters[mover&1][before]
	}
	return after(mover, before, 1), after(mover, s.before(ply, 2), 2), after(mover, env.NoAction, 0), after(mover, before, 3), counter
}

// part returns the first factor of an action, such as the piece or its square.
func (s *AlphaBeta) part(a env.Action) env.Action { return a / s.partSize }

// pick returns the i-th move to try of those in the list. Call it with ascending i.
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

// raise sorts the moves of positive rank to the front. Most quiet moves of a large list
// have never caused a cutoff, and their order does not matter.
func (m moveList) raise() {
	n := 0
	for i := range m {
		if m[i].rank <= 0 {
			continue
		}
		raised := m[i]
		m[i] = m[n]
		j := n
		for ; j > 0 && m[j-1].rank < raised.rank; j-- {
			m[j] = m[j-1]
		}
		m[j] = raised
		n++
	}
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
