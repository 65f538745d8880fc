package ntxuva

import (
	"math"

	"github.com/sandtable-farm/sandtable/env"
)

// Trace plays a. The first event is Sown: the start house as acting piece, From
// it To the house of the last piece, Count the pieces dropped over all laps (at
// most 32767; 0 for an endless relay, which leaves everything where it was).
// Then comes Captured for each emptied enemy house, attack before defence, with
// the house of the last piece as acting piece and the pieces taken as Count.
func (s *State) Trace(a env.Action, dst []env.Event) []env.Event {
	start := int(a)
	_, end := s.outcome(start)
	if end < 0 {
		dst = append(dst, s.event(env.Sown, start, start, 0))
	} else {
		dst = append(dst, s.event(env.Sown, start, end, s.dropped(start)))
	}
	l := s.lootAt(end)
	if l.fromAttack != 0 {
		dst = append(dst, s.taken(end, l.attack, l.fromAttack))
	}
	if l.fromDefence != 0 {
		dst = append(dst, s.taken(end, l.defence, l.fromDefence))
	}
	s.Apply(a)
	return dst
}

// event is one of the player to move from one own house to another.
func (s *State) event(kind env.EventKind, from, to, count int) env.Event {
	return env.Event{
		Kind: kind, Player: s.player,
		Piece: s.kind(from), PieceID: s.id(s.player, from),
		From: s.square(s.player, from), To: s.square(s.player, to),
		Victim: env.None, VictimID: env.None,
		Count: int16(min(count, math.MaxInt16)),
	}
}

// taken is the capture from an enemy house by the last piece.
func (s *State) taken(last, victim, count int) env.Event {
	enemy := s.player.Opponent()
	e := s.event(env.Captured, last, last, count)
	e.To, e.Victim, e.VictimID = s.square(enemy, victim), s.kind(victim), s.id(enemy, victim)
	return e
}

// dropped counts the pieces dropped in a relay that ends.
func (s *State) dropped(start int) int {
	g, own := s.game, s.houses[s.player&1]
	moment := own[0] | uint64(start)<<placeShift
	for total := 0; ; {
		var sown, last int
		if g.packed != nil {
			moment, sown, last = g.packed.lap(moment)
		} else {
			sown, last = g.wide.lap(&own, &start)
		}
		if total += sown; last == 1 {
			return total
		}
	}
}

// Pieces lists the houses that are not empty; South's have the ids 0 to 2C−1.
func (s *State) Pieces(dst []env.Piece) []env.Piece {
	for owner := env.First; owner <= env.Second; owner++ {
		for house := range s.game.houses {
			if count := s.count(owner, house); count != 0 {
				dst = append(dst, env.Piece{
					Type: s.kind(house), ID: s.id(owner, house), Owner: owner,
					Square: s.square(owner, house), Count: int16(count),
				})
			}
		}
	}
	return dst
}

// Noisy appends the starts that capture.
func (s *State) Noisy(dst []env.Action) []env.Action {
	s.resolve()
	var noisy uint64
	for house := range s.game.houses {
		if bit := s.game.bit(house); s.starts&bit != 0 {
			if _, end := s.outcome(house); s.lootAt(end).fromAttack != 0 {
				noisy |= bit
			}
		}
	}
	return s.game.appendActions(dst, noisy)
}

// AddPieces adds up the numbers of the houses that are not empty.
func (s *State) AddPieces(table []int32) (sum int) {
	g := s.game
	for owner := range s.houses {
		own := &s.houses[owner]
		for house, first := range g.tabled[owner][:g.houses] {
			if count := own.count(g.at[house], g.mask); count != 0 {
				sum += int(table[first+count-1])
			}
		}
	}
	return sum
}
