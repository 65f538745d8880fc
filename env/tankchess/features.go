package tankchess

import "github.com/sandtable-farm/sandtable/env"

// Features of a state.
const (
	escapeFeature = iota // 1 when the Command Tank could escape were it its side's turn
	turnFeature          // 1 when it is one's turn, −1 when it is the enemy's, 0 when the game is over
	featureCount
)

var featureNames = [featureCount]string{"Command Tank can escape", "turn"}

// Features implements env.Features.
func (s *State) Features(dst []int32, viewer env.Player) {
	viewer &= 1
	*(*[featureCount]int32)(dst) = [featureCount]int32{
		escapeFeature: int32(env.Flag(s.CanEscape(viewer))) - int32(env.Flag(s.CanEscape(viewer^1))),
		turnFeature:   env.Turn(s, viewer),
	}
}
