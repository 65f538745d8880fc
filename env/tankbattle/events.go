package tankbattle

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// Noisy implements env.Noisy.
func (s *State) Noisy(dst []env.Action) []env.Action {
	if s.Over() {
		return dst
	}
	g, me := s.game, s.Next&1
	steps := [8]int{stride, stride + 1, 1, 1 - stride, -stride, -stride - 1, -1, stride - 1} // by absolute direction
	turn := int(me) << 5
	for word, rest := range s.pieces[me] {
		for ; rest != 0; rest &= rest - 1 {
			from := word<<6 | bits.TrailingZeros64(rest)
			cell := g.cells[me][from&127]
			reach := bits.RotateLeft64(s.reach[s.board[cell]%ids].packed(), turn)
			for d := range 8 {
				n := uint8(reach >> (8 * d))
				if n != 0 && s.board[cell+n*uint8(steps[(d+4*int(me))&7])] != vacant {
					dst = append(dst, g.actions[from&127][d][n-1])
				}
			}
		}
	}
	return dst
}

// Prize implements env.Prizer: the points that the enemy loses and the mover gains.
func (s *State) Prize(a env.Action) int {
	g, me := s.game, s.Next&1
	square, d, distance := g.rays.Decode(a)
	from, to := g.cells[me][square&127], g.cells[me][g.rays.Landing(square, d, distance)&127]
	own := g.placements[s.board[from]%ids]
	lost, gain := g.placements[s.board[to]%ids][to].worth, own[to].worth-own[from].worth
	prize := lost.points() + own[to].worth.points() - own[from].worth.points()
	enemy, mine := s.tally[me^1]-lost, s.tally[me]+gain
	if (mine.away() == 0 || enemy.away() == 0 && !g.moverOnly) && mine.points() > enemy.points() {
		return env.Decisive
	}
	return prize
}

// Trace implements env.Tracer: Captured for a tank taken, then Moved.
func (s *State) Trace(a env.Action, dst []env.Event) []env.Event {
	rays := &s.game.rays
	me := s.Next & 1
	square, d, distance := rays.Decode(a)
	from, to := rays.Absolute(me, square), rays.Absolute(me, rays.Landing(square, d, distance))
	piece, victim := s.at(from), s.at(to)
	moved := env.Event{
		Kind: env.Moved, Player: me, Piece: int16(typeOf(piece)), PieceID: int16(piece),
		From: int16(from), To: int16(to), Victim: env.None, VictimID: env.None, Count: 1,
	}
	if victim != vacant {
		taken := moved
		taken.Kind, taken.Victim, taken.VictimID = env.Captured, int16(typeOf(victim)), int16(victim)
		dst = append(dst, taken)
	}
	s.Apply(a)
	return append(dst, moved)
}

// Pieces implements env.PieceLister.
func (s *State) Pieces(dst []env.Piece) []env.Piece {
	var squareOf [ids]int16
	var standing uint32
	for square := range s.game.terrain.squares() {
		if piece := s.at(square); piece != vacant {
			squareOf[piece%ids] = int16(square)
			standing |= 1 << (piece % ids)
		}
	}
	for ; standing != 0; standing &= standing - 1 {
		piece := id(bits.TrailingZeros32(standing))
		dst = append(dst, env.Piece{
			Type: int16(typeOf(piece)), ID: int16(piece), Owner: env.Player(ownerOf(piece)), Square: squareOf[piece], Count: 1,
		})
	}
	return dst
}

// AddPieces implements env.PieceAdder.
func (s *State) AddPieces(table []int32) (sum int) {
	g := s.game
	squares := g.last + 1
	for p, own := range s.pieces {
		numbers := table[p*len(typeNames)*squares:][:len(typeNames)*squares]
		for word, rest := range own {
			for ; rest != 0; rest &= rest - 1 {
				cell := g.cells[p][(word<<6|bits.TrailingZeros64(rest))&127]
				sum += int(numbers[typeOf(s.board[cell])*squares+int(g.squareOf[cell])])
			}
		}
	}
	return sum
}
