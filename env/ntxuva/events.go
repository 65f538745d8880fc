package ntxuva

import (
	"math"
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// Noisy implements env.Noisy.
func (s *State) Noisy(dst []env.Action) []env.Action {
	s.resolve()
	for rest := s.starts; rest != 0; rest &= rest - 1 {
		house := bits.TrailingZeros32(rest)
		if s.capturedAt(s.endOf(house)).fromAttack != 0 {
			dst = append(dst, env.Action(house))
		}
	}
	return dst
}

// endOf returns the house of the last seed of the relay from a legal start, or −1 for an
// endless relay.
func (s *State) endOf(house int) int {
	if moment, known := s.moment(house); known {
		return int(moment >> placeShift)
	}
	_, end := s.sow(house)
	return end
}

// Prize implements env.Prizer: the seeds taken.
func (s *State) Prize(a env.Action) int {
	s.resolve()
	c := s.capturedAt(s.endOf(int(a)))
	return c.fromAttack + c.fromDefence
}

// Trace implements env.Tracer. The first event is Sown, from the start house, which
// is the acting piece, to the house of the last seed. Its count is the seeds sown in
// all laps, at most 32767, and 0 for an endless relay, which changes nothing. Then
// comes Captured for each emptied enemy house, attack before defence. The acting
// piece is the house of the last seed, and the count is the seeds taken.
func (s *State) Trace(a env.Action, dst []env.Event) []env.Event {
	start := int(a)
	_, end := s.sow(start)
	if end < 0 {
		dst = append(dst, s.event(env.Sown, start, start, 0))
	} else {
		dst = append(dst, s.event(env.Sown, start, end, s.sown(start)))
	}
	c := s.capturedAt(end)
	if c.fromAttack != 0 {
		dst = append(dst, s.captureEvent(end, c.attack, c.fromAttack))
	}
	if c.fromDefence != 0 {
		dst = append(dst, s.captureEvent(end, c.defence, c.fromDefence))
	}
	s.Apply(a)
	return dst
}

// event returns an event between two houses of the player to move.
func (s *State) event(kind env.EventKind, from, to, count int) env.Event {
	g, me := s.game, s.Next
	return env.Event{
		Kind: kind, Player: me,
		Piece: g.pieceType(from), PieceID: g.pieceID(me, from),
		From: g.square(me, from), To: g.square(me, to),
		Victim: env.None, VictimID: env.None,
		Count: int16(min(count, math.MaxInt16)),
	}
}

// captureEvent returns the capture of the seeds of an enemy house.
func (s *State) captureEvent(last, victim, count int) env.Event {
	g, enemy := s.game, s.Next.Opponent()
	e := s.event(env.Captured, last, last, count)
	e.To, e.Victim, e.VictimID = g.square(enemy, victim), g.pieceType(victim), g.pieceID(enemy, victim)
	return e
}

// sown counts the seeds that are sown in a relay, which must not be endless.
func (s *State) sown(start int) (total int) {
	s.laps(start, func(_, sown int) { total += sown })
	return total
}

// laps calls do with the house in which each lap of a relay begins and the seeds that
// the lap sows, and returns the house of the last seed. The relay must not be endless.
func (s *State) laps(start int, do func(house, sown int)) (end int) {
	g, own := s.game, s.houses[s.Next&1]
	moment := own[0] | uint64(start)<<placeShift
	for last, house := 0, start; ; house = end {
		var sown int
		if g.packed != nil {
			moment, sown, last = g.packed.lap(moment)
			end = int(moment >> placeShift)
		} else {
			end = house
			sown, last = g.wide.lap(&own, &end)
		}
		do(house, sown)
		if last == 1 {
			return end
		}
	}
}

// Route implements env.Router.
func (s *State) Route(a env.Action, dst []int16) []int16 {
	g, start := s.game, int(a)
	if _, end := s.sow(start); end < 0 {
		return append(dst, g.square(s.Next, start))
	}
	end := s.laps(start, func(house, _ int) { dst = append(dst, g.square(s.Next, house)) })
	return append(dst, g.square(s.Next, end))
}

// Pieces implements env.PieceLister. Each house with seeds is a piece.
func (s *State) Pieces(dst []env.Piece) []env.Piece {
	g := s.game
	for owner := env.First; owner <= env.Second; owner++ {
		for house := range g.houses {
			if count := s.count(owner, house); count != 0 {
				dst = append(dst, env.Piece{
					Type: g.pieceType(house), ID: g.pieceID(owner, house), Owner: owner,
					Square: g.square(owner, house), Count: int16(count),
				})
			}
		}
	}
	return dst
}

// AddPieces implements env.PieceAdder.
func (s *State) AddPieces(table []int32) (sum int) {
	g := s.game
	for owner := range s.houses {
		own := &s.houses[owner]
		for house, first := range g.tableIndex[owner][:g.houses] {
			if count := own.count(g.at[house], g.mask); count != 0 {
				sum += int(table[first+count-1])
			}
		}
	}
	return sum
}
