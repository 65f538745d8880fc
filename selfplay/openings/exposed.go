package openings

import "github.com/sandtable-farm/sandtable/env"

// mostLosing is the greatest share of the moves of the side to move that may lose at once.
// A position in which most moves do is a threat, such as a Command Tank in the line of
// fire: a player that looks one ply ahead loses there on its first move.
const mostLosing = 0.1

// A lookout looks two plies ahead, in memory that it reuses.
type lookout struct {
	states   [2]env.State
	mine     []env.Action
	opposing []env.Action
}

func newLookout(game env.Game) *lookout {
	states := game.NewStates(2)
	return &lookout{states: [2]env.State(states), mine: game.Spec().NewActions(), opposing: game.Spec().NewActions()}
}

// exposed reports whether more than mostLosing of the moves of the side to move lose at once.
func (l *lookout) exposed(position env.State) bool {
	mover, next := position.Player(), l.states[0]
	l.mine = position.Legal(l.mine[:0])
	losing := 0
	for _, action := range l.mine {
		next.CopyFrom(position)
		next.Apply(action)
		if next.Player() == mover.Opponent() && l.winsAtOnce(next) {
			losing++
		}
	}
	return float64(losing) > mostLosing*float64(len(l.mine))
}

// winsAtOnce reports whether a move of the side to move wins.
func (l *lookout) winsAtOnce(position env.State) bool {
	mover, next := position.Player(), l.states[1]
	l.opposing = position.Legal(l.opposing[:0])
	for _, action := range l.opposing {
		next.CopyFrom(position)
		next.Apply(action)
		if next.Player() != env.NoPlayer {
			continue
		}
		if result, _ := next.Result(); result.For(mover) > 0 {
			return true
		}
	}
	return false
}
