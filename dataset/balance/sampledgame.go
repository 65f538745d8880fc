package balance

import (
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
)

// A phase is a part of a game, by the share of both sides' pieces, or seeds, at the start
// of the rule set that are left.
type phase uint8

const (
	early  phase = iota // more than two thirds
	middle              // more than one third
	late                // one third or less
	phases
)

func (b *board) phase(left int64) phase {
	full := b.full[0] + b.full[1]
	switch {
	case 3*left > 2*full:
		return early
	case 3*left > full:
		return middle
	}
	return late
}

// A sampledGame follows a game of the sample. Plies are counted from the end of the
// opening.
type sampledGame struct {
	board       *board
	rand        env.Rand
	mobilityPly int // ply at which to count legal actions, from the start of the game, or −1
	key         uint64
	opening     uint64
	pieces      []env.Piece // of the position
	born        []env.Piece // of the position after the opening
	death       []int       // ply by piece id, or −1
	contact     int         // ply of the first capture, or −1
	contacts    []int       // by type: ply of the first capture by or of it, or −1
	length      int
	trades      grid
	ahead       []int16 // of the position
	seen        [phases]int
	rows        [phases]row
}

func newSampledGame(b *board) sampledGame {
	k := len(b.spec.Pieces)
	g := sampledGame{board: b, contacts: make([]int, k), trades: newGrid(k, k), ahead: make([]int16, k)}
	for i := range g.rows {
		g.rows[i].ahead = make([]int16, k)
	}
	return g
}

// sampleStream is the stream of random numbers, derived from an episode's seed, that draws
// its positions. The game itself is played with other streams.
const sampleStream = 0x62616c616e6365 // "balance"

func (g *sampledGame) begin(it *item) {
	g.rand.Seed(env.Derive(it.Seed, sampleStream, uint64(it.Number)))
	g.mobilityPly = -1
	if n := it.Plies() - it.OpeningPlies; n > 0 {
		g.mobilityPly = it.OpeningPlies + g.rand.IntN(n)
	}
	g.key, g.opening = 0, 0
	for i := range it.Steps {
		g.key = env.Derive(g.key, uint64(it.Steps[i].Hash))
	}
	g.key = env.Derive(g.key, it.FinalHash)
	g.death, g.born, g.contact, g.length = g.death[:0], g.born[:0], -1, 0
	g.seen = [phases]int{}
	clear(g.trades.cells)
	for t := range g.contacts {
		g.contacts[t] = -1
	}
}

// look records a position and the events that led to it.
func (g *sampledGame) look(m *replay.Moment, ply int) {
	g.pieces = m.State.(env.PieceLister).Pieces(g.pieces[:0])
	g.length = ply
	if ply == 0 {
		g.opening = m.State.Hash()
		g.born = append(g.born, g.pieces...)
		return
	}
	for i := range m.Events {
		e := &m.Events[i]
		if e.Kind != env.Captured && e.Kind != env.Destroyed {
			continue
		}
		g.trades.add(int(e.Piece), int(e.Victim), int(g.board.amount(e)))
		for _, first := range []*int{&g.contact, &g.contacts[e.Piece], &g.contacts[e.Victim]} {
			if *first < 0 {
				*first = ply
			}
		}
		for int(e.VictimID) >= len(g.death) {
			g.death = append(g.death, -1)
		}
		g.death[e.VictimID] = ply
	}
}

// draw may choose the position for its phase. Every position of the phase has the same
// probability (reservoir sampling).
func (g *sampledGame) draw(mover env.Player) {
	clear(g.ahead)
	left := int64(0)
	for _, p := range g.pieces {
		if !p.Wreck {
			g.ahead[p.Type] += p.Count * int16(1-2*p.Owner)
			left += int64(p.Count)
		}
	}
	phase := g.board.phase(left)
	if g.seen[phase]++; g.rand.IntN(g.seen[phase]) == 0 {
		r := &g.rows[phase]
		copy(r.ahead, g.ahead)
		r.turn = int8(1 - 2*mover)
	}
}

// end adds the game to a sample.
func (g *sampledGame) end(it *item, s *sample) {
	s.games++
	s.different[g.key] = struct{}{}
	s.openings[g.opening] = struct{}{}
	s.contact.add(it.group, until(g.contact, g.length), g.contact >= 0)
	for t, ply := range g.contacts {
		s.contacts[t].add(it.group, until(ply, g.length), ply >= 0)
	}
	for _, p := range g.born {
		if p.Wreck || g.board.counted[p.Type] {
			continue
		}
		ply := -1
		if int(p.ID) < len(g.death) {
			ply = g.death[p.ID]
		}
		s.lives[p.Type].add(it.group, until(ply, g.length), ply >= 0)
	}
	for k := range g.trades.columns {
		for v := range g.trades.columns {
			if n := g.trades.at(k, v); n > 0 {
				s.trades = append(s.trades, trade{group: it.group, killer: int16(k), victim: int16(v), amount: int32(n)})
			}
		}
	}
	for phase := range phases {
		if g.seen[phase] > 0 {
			r := g.rows[phase]
			r.game, r.group, r.opening, r.phase, r.outcome = it.game, it.group, g.opening, phase, int8(it.Result)
			r.agents, r.ahead = it.Agents, slices.Clone(r.ahead)
			s.rows = append(s.rows, r)
		}
	}
}

// until returns the ply of an event, or the length of the game if ply is −1.
func until(ply, length int) int {
	if ply < 0 {
		return length
	}
	return ply
}
