package trench

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// State is one position of a Game with its history. Its size is a multiple of a cache
// line of 64 bytes, because states of several goroutines may lie side by side: writing
// to one must not slow the others down.
type State struct {
	game *Game
	// at[p][f] are p's pieces in the frame of player f: bit s for square s as f
	// sees the board.
	at       [2][2]uint64
	board    board            // the same and the ranks, absolute
	kinds    [2][ranks]uint64 // the same as a set for each player and rank, absolute
	key      uint64
	points   [2]int32 // captured by each player
	generals [2]bool  // each player's General stands

	engine.Base // its history begins with the last capture
}

// position is what a position text says.
type position struct {
	engine.Turn
	board  board
	points [2]int32
}

// set sets up a position with a history that starts there.
func (s *State) set(p *position) {
	s.lay(p)
	s.Begin(s.key)
	s.judge()
}

// lay sets up a position and leaves the history as it is, and the game running.
func (s *State) lay(p *position) {
	*s = State{game: s.game, Base: s.At(p.Turn), board: p.board, points: p.points}
	for square, c := range p.board {
		if c == vacant {
			continue
		}
		owner := ownerOf(c)
		s.at[owner][0] |= 1 << square
		s.at[owner][1] |= 1 << (squares - 1 - square)
		s.kinds[owner][rankOf(c)] |= 1 << square
		s.key ^= s.game.zobrist[owner][rankOf(c)][square]
		s.generals[owner] = s.generals[owner] || rankOf(c) == general
	}
	if s.Next == env.Second {
		s.key ^= s.game.whiteMove
	}
}

// Reset implements env.State.
func (s *State) Reset() { s.CopyFrom(&s.game.start) }

// CopyFrom implements env.State.
func (s *State) CopyFrom(src env.State) {
	o := src.(*State)
	engine.Copy(s, o, &s.History, &o.History)
}

// Hash implements env.State. It covers board, player to move and points.
func (s *State) Hash() uint64 {
	return s.key ^ env.Derive(uint64(uint32(s.points[0]))<<32|uint64(uint32(s.points[1])))
}

// Points implements env.Scorer: the points a player has captured.
func (s *State) Points(p env.Player) int { return int(s.points[p&1]) }

// turn is the value whose exclusive or with a square of p's frame is the absolute square.
func turn(p env.Player) int { return int(p&1) * (squares - 1) }

// Apply implements env.State.
func (s *State) Apply(a env.Action) {
	engine.CheckLegal(s, a)
	g := s.game
	me := s.Next & 1
	s.Ply()
	from, d, distance := g.rays.Decode(a)
	to := g.rays.Landing(from, d, distance)
	if captured := g.path(from, d, distance) & s.at[me^1][me]; captured != 0 {
		s.capture(captured)
		s.Progress()
	}

	// The squares are 0 to 63 already; the masks spare the bounds checks.
	absFrom, absTo := (from^turn(me))&63, (to^turn(me))&63
	c := s.board[absFrom]
	s.board[absFrom] = vacant
	s.board[absTo] = c
	keys := &g.zobrist[c>>7][c&7]
	s.kinds[me][rankOf(c)] ^= uint64(1)<<absFrom | uint64(1)<<absTo
	s.key ^= keys[absFrom] ^ keys[absTo] ^ g.whiteMove
	moved := uint64(1)<<(from&63) | uint64(1)<<(to&63)
	s.at[me][me] ^= moved
	s.at[me][me^1] ^= bits.Reverse64(moved)
	s.Next = me ^ 1
	s.History.Add(s.key)
	s.judge()
}

// Pass implements env.Passer.
func (s *State) Pass() {
	s.Ply()
	s.key ^= s.game.whiteMove
	s.Next ^= 1
	s.History.Add(s.key)
	s.judge()
}

// capture takes enemy pieces, given in the mover's frame, off the board.
func (s *State) capture(captured uint64) {
	me := s.Next & 1
	enemy := me ^ 1
	for rest := captured; rest != 0; rest &= rest - 1 {
		square := bits.TrailingZeros64(rest)
		abs := square ^ turn(me)
		rank := rankOf(s.board[abs])
		s.board[abs] = vacant
		s.at[enemy][enemy] &^= 1 << (63 - square)
		s.kinds[enemy][rank] &^= 1 << abs
		s.key ^= s.game.zobrist[enemy][rank][abs]
		s.points[me] += s.game.points[rank]
		if rank == general {
			s.generals[enemy] = false
		}
	}
	s.at[enemy][me] &^= captured
}
