package tankbattle

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// Features of a state.
const (
	scoreFeature     = iota // what a side would score now
	mobilityFeature         // moves that each side would have if it were to move
	attackFeature           // enemy tanks that some of these moves capture, without the commander
	commanderFeature        // 1 when the enemy commander is among them
	turnFeature             // 1 if it is the viewer's turn, −1 if it is the enemy's, 0 if the game is over
	featureCount
)

var featureNames = [featureCount]string{"score", "mobility", "attacked tanks", "attacked commander", "turn"}

// Features implements env.Features.
func (s *State) Features(dst []int32, viewer env.Player) {
	viewer &= 1
	ownMoves, attacked := s.activity(viewer)
	enemyMoves, exposed := s.activity(viewer ^ 1)
	const commanders = 1<<0 | 1<<1
	*(*[featureCount]int32)(dst) = [featureCount]int32{
		scoreFeature:     int32(env.Score(s, viewer)),
		mobilityFeature:  int32(ownMoves - enemyMoves),
		attackFeature:    int32(bits.OnesCount32(attacked&^commanders) - bits.OnesCount32(exposed&^commanders)),
		commanderFeature: int32(bits.OnesCount32(attacked&commanders) - bits.OnesCount32(exposed&commanders)),
		turnFeature:      env.Turn(s, viewer),
	}
}

// Spans of the costly features. In 99 % of the positions of random games with many
// captures, the absolute values are at most these.
const (
	mobilitySpan = 90
	attackSpan   = 9
)

// BriefFeatures implements env.BriefFeatures.
func (s *State) BriefFeatures(dst, spans []int32, viewer env.Player) {
	*(*[featureCount]int32)(dst) = [featureCount]int32{
		scoreFeature: int32(env.Score(s, viewer)),
		turnFeature:  env.Turn(s, viewer),
	}
	*(*[featureCount]int32)(spans) = [featureCount]int32{mobilityFeature: mobilitySpan, attackFeature: attackSpan, commanderFeature: 1}
}

// activity returns the number of moves that p has, were it p's turn, and the ids of
// the enemies that they capture, as a set.
func (s *State) activity(p env.Player) (moves int, attacked uint32) {
	toCell := &s.game.cells[p&1]
	for word, rest := range s.pieces[p&1] {
		for ; rest != 0; rest &= rest - 1 {
			cell := toCell[(word<<6|bits.TrailingZeros64(rest))&127]
			reach := s.reach[s.board[cell]%ids].packed()
			moves += sum(reach)
			attacked |= s.ahead(cell, reach, 0, stride) | s.ahead(cell, reach, 1, stride+1) |
				s.ahead(cell, reach, 2, 1) | s.ahead(cell, reach, 3, 1-stride) |
				s.ahead(cell, reach, 4, -stride) | s.ahead(cell, reach, 5, -stride-1) |
				s.ahead(cell, reach, 6, -1) | s.ahead(cell, reach, 7, stride-1)
		}
	}
	// White's ids are even, Black's odd, the wall's too.
	const even = 0x55555555
	if p&1 == env.First {
		return moves, attacked &^ even &^ (1 << wall)
	}
	return moves, attacked & even
}

// ahead returns the set of the piece at the end of a reach in direction d, given the
// change of the cell for one step.
func (s *State) ahead(cell uint8, reach uint64, d, step int) uint32 {
	return 1 << (s.board[cell+uint8(reach>>(8*d))*uint8(step)] % ids)
}
