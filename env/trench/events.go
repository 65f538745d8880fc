package trench

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
	var sets stopSets
	own, toAbs, enemy := s.setStops(&sets, s.Next), turn(s.Next), s.at[me^1][me]
	for rest := own; rest != 0; rest &= rest - 1 {
		from := bits.TrailingZeros64(rest) & 63
		st, reach := &sets[g.zone[from]&3], g.reach[figureOf(s.board[from^toAbs])]
		around := bits.RotateLeft64(enemy, -from)
		for d := range 8 {
			if g.steps[d][7]&around == 0 {
				continue
			}
			n := int(reach[d][st.occupancy(d, from)])
			if g.steps[d][n&7]&around == 0 {
				continue
			}
			for distance := 1; distance <= n; distance++ {
				if g.steps[d][distance&7]&around != 0 {
					dst = append(dst, g.actions[from][d][distance-1])
				}
			}
		}
	}
	return dst
}

// Prize implements env.Prizer: the points of the pieces taken.
func (s *State) Prize(a env.Action) int {
	g, me := s.game, s.Next&1
	captured := g.path(g.rays.Decode(a)) & s.at[me^1][me]
	if me == env.Second {
		captured = bits.Reverse64(captured)
	}
	points := int32(0)
	for rank, enemies := range &s.kinds[me^1] {
		points += int32(bits.OnesCount64(enemies&captured)) * g.points[rank]
	}
	wins := s.points[me]+points >= g.target || g.rules.GeneralWins && s.kinds[me^1][general]&captured != 0
	if wins {
		return env.Decisive
	}
	return int(points)
}

// Trace implements env.Tracer: one Captured for each piece taken, in walking
// order, then Moved.
func (s *State) Trace(a env.Action, dst []env.Event) []env.Event {
	me := s.Next & 1
	rays := &s.game.rays
	from, d, distance := rays.Decode(a)
	c := s.board[from^turn(me)]
	moved := env.Event{
		Kind: env.Moved, Player: me, Piece: int16(rankOf(c)), PieceID: int16(idOf(c)),
		From: int16(from ^ turn(me)), To: int16(rays.Landing(from, d, distance) ^ turn(me)),
		Victim: env.None, VictimID: env.None, Count: 1,
	}
	for n := 1; n <= distance; n++ {
		square := rays.Landing(from, d, n) ^ turn(me)
		if victim := s.board[square]; victim != vacant {
			taken := moved
			taken.Kind, taken.To = env.Captured, int16(square)
			taken.Victim, taken.VictimID = int16(rankOf(victim)), int16(idOf(victim))
			taken.Count = int16(s.game.points[rankOf(victim)])
			dst = append(dst, taken)
		}
	}
	s.Apply(a)
	return append(dst, moved)
}

// Pieces implements env.PieceLister.
func (s *State) Pieces(dst []env.Piece) []env.Piece {
	var squareOf [2 * armySize]int16
	var standing uint32
	for square, c := range s.board {
		if c != vacant {
			squareOf[idOf(c)] = int16(square)
			standing |= 1 << idOf(c)
		}
	}
	for ; standing != 0; standing &= standing - 1 {
		id := bits.TrailingZeros32(standing)
		c := s.board[squareOf[id]]
		dst = append(dst, env.Piece{
			Type: int16(rankOf(c)), ID: int16(id), Owner: env.Player(ownerOf(c)), Square: squareOf[id], Count: 1,
		})
	}
	return dst
}

// AddPieces implements env.PieceAdder.
func (s *State) AddPieces(table []int32) (sum int) {
	for owner := range s.at {
		numbers := table[owner*ranks*squares:][:ranks*squares]
		for rest := s.at[owner][env.First]; rest != 0; rest &= rest - 1 {
			square := bits.TrailingZeros64(rest)
			sum += int(numbers[rankOf(s.board[square&63])*squares+square])
		}
	}
	return sum
}
