package ntxuva

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// State is one position of a Game with its history.
type State struct {
	game   *Game
	houses [2]circuit

	// These belong to the position if resolved is true.
	resolved bool
	endless  bool       // some legal relay never ends
	starts   uint32     // mask of the legal starts: bit i stands for house i
	ends     [16]uint64 // packed kernel: the moment in which the relay from each start ends

	engine.Base // its history begins with the last capture
}

// position is what a position text says.
type position struct {
	engine.Turn
	houses [2]circuit
}

// set sets up a position with a history that starts there.
func (s *State) set(p *position) {
	s.lay(p)
	s.Begin(s.key())
	s.judge()
}

// lay sets up a position of a running game and leaves the history as it is.
func (s *State) lay(p *position) {
	*s = State{game: s.game, Base: s.At(p.Turn), houses: p.houses}
}

// Reset implements env.State.
func (s *State) Reset() { s.CopyFrom(&s.game.start) }

// CopyFrom implements env.State.
func (s *State) CopyFrom(src env.State) {
	o := src.(*State)
	engine.Copy(s, o, &s.History, &o.History)
}

// Player implements env.State.
func (s *State) Player() env.Player {
	s.resolve()
	return s.Base.Player()
}

// Result implements env.State.
func (s *State) Result() (env.Result, env.Reason) {
	s.resolve()
	return s.Base.Result()
}

// Hash implements env.State. It covers both circuits, the player to move and
// whether an endless relay ended the game.
func (s *State) Hash() uint64 {
	if s.Reason == env.Endless {
		return ^s.key()
	}
	return s.key()
}

// key is what repetition compares. It mixes by wide multiplications, as wyhash
// does (Wang Yi 2019).
func (s *State) key() uint64 {
	const k0, k1, k2 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3
	key := uint64(s.Next)
	for i := range s.game.words {
		high, low := bits.Mul64(s.houses[0][i&3]^k0, s.houses[1][i&3]^k1^key)
		key ^= high ^ low
	}
	high, low := bits.Mul64(key^k2, k0)
	return high ^ low
}

// Points implements env.Scorer: the seeds of a player.
func (s *State) Points(p env.Player) (seeds int) {
	for house := range s.game.houses {
		seeds += s.count(p, house)
	}
	return seeds
}

// Apply implements env.State.
func (s *State) Apply(a env.Action) {
	engine.CheckLegal(s, a)
	g, me := s.game, s.Next&1
	own, enemy := &s.houses[me], &s.houses[me^1]
	var end int
	if moment, known := s.moment(int(a)); known {
		own[0], end = moment&boardMask, int(moment>>placeShift)
	} else {
		*own, end = s.sow(int(a))
	}
	s.Next = me ^ 1
	s.resolved = false
	s.Ply()
	if c := &g.captures[end&63]; enemy.meets(&c.attack) {
		enemy.clear(&c.taken)
		s.Progress()
	}
	s.History.Add(s.key())
	if end < 0 && g.rules.Endless == draw {
		s.end(0, env.Endless)
		return
	}
	s.judge()
}

// moment returns the moment in which the relay from a legal start ends, and whether it is
// known already.
func (s *State) moment(house int) (moment uint64, known bool) {
	g := s.game
	if g.packed == nil || !s.resolved || s.endless {
		return 0, false
	}
	if own := s.houses[s.Next&1][0]; g.onlyEmpty && own>>(house*houseBits&63)&houseMask == 1 {
		moment, _, _ = g.packed.lap(own | uint64(house)<<placeShift)
		return moment, true
	}
	return s.ends[house&15], true
}
