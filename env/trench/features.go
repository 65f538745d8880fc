package trench

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// Features of a state.
const (
	pointsFeature   = iota // captured points
	mobilityFeature        // moves that each side would have if it were to move
	attackFeature          // points of the enemy pieces that some of these moves capture
	turnFeature            // 1 if it is the viewer's turn, −1 if it is the enemy's, 0 if the game is over
	featureCount
)

var featureNames = [featureCount]string{"captured points", "mobility", "attacked points", "turn"}

// Features implements env.Features.
func (s *State) Features(dst []int32, viewer env.Player) {
	viewer &= 1
	own, attacked := s.activity(viewer)
	enemy, exposed := s.activity(viewer ^ 1)
	*(*[featureCount]int32)(dst) = [featureCount]int32{
		pointsFeature:   s.points[viewer] - s.points[viewer^1],
		mobilityFeature: own - enemy,
		attackFeature:   attacked - exposed,
		turnFeature:     env.Turn(s, viewer),
	}
}

// Spans of the costly features. In 99 % of the positions of random games with many
// captures, the absolute values are at most these.
const (
	mobilitySpan = 40
	attackSpan   = 12
)

// BriefFeatures implements env.BriefFeatures.
func (s *State) BriefFeatures(dst, spans []int32, viewer env.Player) {
	viewer &= 1
	*(*[featureCount]int32)(dst) = [featureCount]int32{
		pointsFeature: s.points[viewer] - s.points[viewer^1],
		turnFeature:   env.Turn(s, viewer),
	}
	*(*[featureCount]int32)(spans) = [featureCount]int32{mobilityFeature: mobilitySpan, attackFeature: attackSpan}
}

// activity returns the moves that p would have and the points that they attack.
func (s *State) activity(p env.Player) (moves, points int32) {
	n, squares := s.mobility(p)
	if p == env.Second {
		squares = bits.Reverse64(squares)
	}
	for rank, enemies := range &s.kinds[p&1^1] {
		points += int32(bits.OnesCount64(enemies&squares)) * s.game.points[rank]
	}
	return int32(n), points
}
