package ntxuva

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Features of a state.
const (
	exposedFeature = iota // seeds that can be captured: of columns whose attack house is not empty
	threatFeature         // empty attack houses that face an occupied one: a move that ends there captures
	turnFeature           // 1 if it is the viewer's turn, −1 if it is the enemy's, 0 if the game is over
	featureCount
)

var featureNames = [featureCount]string{"exposed seeds", "threatening houses", "turn"}

// Features implements env.Features.
func (s *State) Features(dst []int32, viewer env.Player) {
	ownExposed, ownThreats := s.exposure(viewer)
	enemyExposed, enemyThreats := s.exposure(viewer.Opponent())
	*(*[featureCount]int32)(dst) = [featureCount]int32{
		exposedFeature: int32(ownExposed - enemyExposed),
		threatFeature:  int32(ownThreats - enemyThreats),
		turnFeature:    env.Turn(s, viewer),
	}
}

// exposure counts a player's exposed seeds and threatening houses.
func (s *State) exposure(p env.Player) (exposed, threats int) {
	columns := s.game.rules.Columns
	for column := range columns {
		attack := s.count(p, 2*columns-1-column)
		switch {
		case attack == 0:
			threats += int(engine.Flag(s.count(p.Opponent(), columns+column) != 0))
		case s.game.rules.Capture == pair:
			exposed += attack + s.count(p, column)
		default:
			exposed += attack
		}
	}
	return exposed, threats
}
