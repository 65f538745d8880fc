package trench

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// Features after the differences in number of each rank. All are own minus enemy.
const (
	pointsFeature   = ranks + iota // captured points
	advanceFeature                 // ranks and files gone from the home corner, summed over the pieces, in units of 14
	trenchFeature                  // pieces on the trench
	invaderFeature                 // pieces in the other's territory
	mobilityFeature                // moves each side would have were it to move, in units of 10
	turnFeature                    // 1 when it is one's turn, −1 when it is the enemy's, 0 when the game is over
	featureCount
)

func (g *Game) features() []string {
	var names []string
	for rank := range ranks {
		names = append(names, g.rules.Pieces[letters[rank:rank+1]].Name+" count")
	}
	return append(names, "captured points", "advance", "on the trench", "in enemy territory", "mobility", "turn")
}

// Features implements env.Features.
func (s *State) Features(dst []float32, viewer env.Player) {
	dst = dst[:featureCount]
	clear(dst)
	viewer &= 1
	for _, p := range [2]env.Player{viewer, viewer ^ 1} {
		sign := float32(1)
		if p != viewer {
			sign = -1
		}
		own := s.at[p][p]
		advance := 0
		for rest := own; rest != 0; rest &= rest - 1 {
			square := bits.TrailingZeros64(rest)
			advance += square%width + square/width
			dst[rankOf(s.board[square^turn(p)])] += sign
		}
		dst[pointsFeature] += sign * float32(s.points[p])
		dst[advanceFeature] += sign * float32(advance)
		dst[trenchFeature] += sign * float32(bits.OnesCount64(own&trenchSquares))
		dst[invaderFeature] += sign * float32(bits.OnesCount64(own&enemySquares))
		dst[mobilityFeature] += sign * float32(s.mobility(p))
	}
	dst[advanceFeature] /= 2 * (width - 1)
	dst[mobilityFeature] /= 10
	switch s.Player() {
	case viewer:
		dst[turnFeature] = 1
	case viewer ^ 1:
		dst[turnFeature] = -1
	}
}
