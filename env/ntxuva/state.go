package ntxuva

import (
	"math"
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// State is one position with its history.
type State struct {
	game   *game
	houses [2]circuit

	player env.Player // to move, also when the game is over
	reason env.Reason
	result env.Result
	known  bool // starts, endless and ends are those of this position

	starts  uint64     // legal starts, a set as of game.bit
	endless uint64     // those of them that never end
	ends    [16]uint64 // packed kernel: the moment in which each start that was sown ends

	quiet, plies int

	occurrences int      // of this position, 1 for the first
	kept        int      // positions in keys
	filter      uint64   // the filterBits of the keys
	keys        []uint64 // of the positions since the last capture, the present one last

	// States of several goroutines may lie side by side: each fills whole cache
	// lines of 64 bytes, or writing to one would slow the others down.
	_ [32]byte
}

// Reset returns to the start position.
func (s *State) Reset() { s.CopyFrom(&s.game.start) }

// CopyFrom makes s equal to src.
func (s *State) CopyFrom(src env.State) {
	from, keys := src.(*State), s.keys
	*s = *from
	s.keys = keys
	copy(keys, from.keys[:from.kept])
}

// Player returns the player to move.
func (s *State) Player() env.Player {
	if s.resolve(); s.reason != env.NoReason {
		return env.NoPlayer
	}
	return s.player
}

// Result returns how the game ended.
func (s *State) Result() (env.Result, env.Reason) {
	s.resolve()
	return s.result, s.reason
}

// Legal appends the legal start houses.
func (s *State) Legal(dst []env.Action) []env.Action {
	s.resolve()
	return s.game.appendActions(dst, s.starts)
}

// LegalMask appends the legal start houses and writes their mask, which is one word.
func (s *State) LegalMask(dst []env.Action, mask []uint64) []env.Action {
	s.resolve()
	mask[0] = s.game.numbers(s.starts)
	return s.game.appendActions(dst, s.starts)
}

// Points returns the number of p's pieces on the board.
func (s *State) Points(p env.Player) int { return s.game.total(&s.houses[p]) }

// Hash returns the key of both circuits and the player to move. A draw by an
// endless move has a key of its own.
func (s *State) Hash() uint64 {
	key := s.key()
	if s.reason == env.Endless {
		key = ^key
	}
	return key
}

// key is what repetition compares. It mixes by wide multiplications, as wyhash
// does (Wang Yi 2019).
func (s *State) key() uint64 {
	const k0, k1, k2 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3
	key := uint64(s.player)
	for i := range s.game.words {
		high, low := bits.Mul64(s.houses[0][i&3]^k0, s.houses[1][i&3]^k1^key)
		key ^= high ^ low
	}
	high, low := bits.Mul64(key^k2, k0)
	return high ^ low
}

// begin starts the history at the present position.
func (s *State) begin() {
	s.known, s.reason, s.result = false, env.NoReason, 0
	s.forget()
	s.note()
	s.judge()
}

// judge finds the ends that need no look at history and legal starts, as if the
// player not to move had just moved.
func (s *State) judge() {
	own, other := s.Points(s.player), s.Points(s.player.Opponent())
	switch {
	case own == 0:
		s.finish(env.WipedOut, env.WinFor(s.player.Opponent()))
	case other == 0:
		s.finish(env.WipedOut, env.WinFor(s.player))
	case s.game.rules.NoProgress != 0 && s.quiet >= s.game.rules.NoProgress:
		s.finish(env.NoProgress, 0)
	}
}

// forget empties the history: what was before a capture cannot come back.
func (s *State) forget() { s.kept, s.filter = 0, 0 }

// note keeps the present position and counts its occurrences.
func (s *State) note() {
	s.occurrences = 1
	if len(s.keys) == 0 {
		return
	}
	key := s.key()
	if bit := filterBit(key); s.filter&bit == 0 {
		s.filter |= bit
	} else {
		s.occurrences += s.earlier(key, s.kept)
	}
	s.keys[s.kept] = key
	s.kept++
}

// filterBit is the bit of the filter that a kept key sets: where it is not set,
// a position is new.
func filterBit(key uint64) uint64 { return 1 << (key >> 58) }

// earlier counts a key among those kept before number end. Players alternate, so
// every other position has the same player to move.
func (s *State) earlier(key uint64, end int) int {
	n := 0
	for i := end - 2; i >= 0; i -= 2 {
		if s.keys[i] == key {
			n++
		}
	}
	return n
}

// Counters implements env.Counter.
func (s *State) Counters() (left, times int) {
	if s.game.rules.NoProgress == 0 {
		return math.MaxInt32, s.occurrences
	}
	return s.game.rules.NoProgress - s.quiet, s.occurrences
}

// finish ends the game. The legal starts are known then: none.
func (s *State) finish(reason env.Reason, result env.Result) {
	s.reason, s.result = reason, result
	s.known, s.starts, s.endless = true, 0, 0
}
