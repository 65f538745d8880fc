package tankbattle

import "github.com/sandtable-farm/sandtable/env"

// Features of a state.
const (
	scoreFeature    = iota // what a side would score now
	mobilityFeature        // moves each side would have were it to move
	turnFeature            // 1 when it is one's turn, −1 when it is the enemy's, 0 when the game is over
	featureCount
)

var featureNames = [featureCount]string{"score", "mobility", "turn"}

// Features implements env.Features.
func (s *State) Features(dst []int32, viewer env.Player) {
	viewer &= 1
	*(*[featureCount]int32)(dst) = [featureCount]int32{
		scoreFeature:    int32(env.Score(s, viewer)),
		mobilityFeature: int32(s.mobility(viewer) - s.mobility(viewer^1)),
		turnFeature:     env.Turn(s, viewer),
	}
}
