package tankbattle

import (
	"math/bits"
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Legal implements env.State. dst grows unless it has the room that
// Spec.NewActions makes.
func (s *State) Legal(dst []env.Action) []env.Action {
	if s.Over() {
		return dst
	}
	dst, p := engine.Room(dst, s.game.spec.MaxLegal)
	return dst[:len(dst)+engine.Listed(p, s.list(p), s.game.spec.MaxLegal)]
}

// list writes the moves of the player to move at p and returns where they end. It
// overwrites up to ten actions behind them, which engine.Slack covers.
//
// Each direction is written eight actions wide, and the pointer advances by the
// number of legal ones, so that no branch depends on how far a piece can go but for
// the rare piece that goes nine squares or ten.
func (s *State) list(p unsafe.Pointer) unsafe.Pointer {
	g := s.game
	me := s.Next & 1
	toCell := &g.cells[me]
	turn := int(me) << 5
	for word, rest := range s.pieces[me] {
		for ; rest != 0; rest &= rest - 1 {
			from := word<<6 | bits.TrailingZeros64(rest)
			reach := bits.RotateLeft64(s.reach[s.board[toCell[from&127]]%ids].packed(), turn)
			actions := g.actions[from&127]
			if (reach+0x7777777777777777)&0x8080808080808080 != 0 {
				for d := range actions {
					*(*[maxSize - 1]env.Action)(p) = actions[d]
					p = unsafe.Add(p, engine.ActionSize*uintptr(uint8(reach)))
					reach >>= 8
				}
				continue
			}
			*(*[4]env.Action)(p) = [4]env.Action(actions[env.N][:4])
			*(*[4]env.Action)(unsafe.Add(p, 4*engine.ActionSize)) = [4]env.Action(actions[env.N][4:8])
			p = unsafe.Add(p, engine.ActionSize*uintptr(uint8(reach)))
			*(*[4]env.Action)(p) = [4]env.Action(actions[env.NE][:4])
			*(*[4]env.Action)(unsafe.Add(p, 4*engine.ActionSize)) = [4]env.Action(actions[env.NE][4:8])
			p = unsafe.Add(p, engine.ActionSize*uintptr(uint8(reach>>8)))
			*(*[4]env.Action)(p) = [4]env.Action(actions[env.E][:4])
			*(*[4]env.Action)(unsafe.Add(p, 4*engine.ActionSize)) = [4]env.Action(actions[env.E][4:8])
			p = unsafe.Add(p, engine.ActionSize*uintptr(uint8(reach>>16)))
			*(*[4]env.Action)(p) = [4]env.Action(actions[env.SE][:4])
			*(*[4]env.Action)(unsafe.Add(p, 4*engine.ActionSize)) = [4]env.Action(actions[env.SE][4:8])
			p = unsafe.Add(p, engine.ActionSize*uintptr(uint8(reach>>24)))
			*(*[4]env.Action)(p) = [4]env.Action(actions[env.S][:4])
			*(*[4]env.Action)(unsafe.Add(p, 4*engine.ActionSize)) = [4]env.Action(actions[env.S][4:8])
			p = unsafe.Add(p, engine.ActionSize*uintptr(uint8(reach>>32)))
			*(*[4]env.Action)(p) = [4]env.Action(actions[env.SW][:4])
			*(*[4]env.Action)(unsafe.Add(p, 4*engine.ActionSize)) = [4]env.Action(actions[env.SW][4:8])
			p = unsafe.Add(p, engine.ActionSize*uintptr(uint8(reach>>40)))
			*(*[4]env.Action)(p) = [4]env.Action(actions[env.W][:4])
			*(*[4]env.Action)(unsafe.Add(p, 4*engine.ActionSize)) = [4]env.Action(actions[env.W][4:8])
			p = unsafe.Add(p, engine.ActionSize*uintptr(uint8(reach>>48)))
			*(*[4]env.Action)(p) = [4]env.Action(actions[env.NW][:4])
			*(*[4]env.Action)(unsafe.Add(p, 4*engine.ActionSize)) = [4]env.Action(actions[env.NW][4:8])
			p = unsafe.Add(p, engine.ActionSize*uintptr(uint8(reach>>56)))
		}
	}
	return p
}

// reachFrom returns how far a piece of p can go, by absolute direction from the
// lowest byte on. Its square is in p's frame.
func (s *State) reachFrom(p env.Player, square int) uint64 {
	return s.reach[s.board[s.game.cells[p&1][square&127]]%ids].packed()
}

// sum adds up the bytes of reach, which come to at most 255.
func sum(reach uint64) int { return int(reach * 0x0101010101010101 >> 56) }

// canMove reports whether the player to move has a move. It checks the foremost
// pieces first, which nearly always have one.
func (s *State) canMove() bool {
	me := s.Next & 1
	for word := 1; word >= 0; word-- {
		for rest := s.pieces[me][word]; rest != 0; {
			bit := 63 - bits.LeadingZeros64(rest)
			if s.reachFrom(me, word<<6|bit) != 0 {
				return true
			}
			rest ^= 1 << bit
		}
	}
	return false
}
