package envtest

import (
	"fmt"
	"math"

	"github.com/sandtable-farm/sandtable/env"
)

// checkCounters demands that a limit of plies never ends the game earlier than
// the state says, that a ply takes at most one of the plies left, and that the
// last occurrence that the rules allow draws the game, and no earlier one.
func checkCounters(s *Subject) error {
	next, draws := env.NewState(s.game), 0 // draws: occurrences with which repetition ended a game
	return s.walk(3, func(at spot) error {
		c, ok := at.state.(env.Counter)
		if !ok || len(at.legal) == 0 {
			return nil
		}
		left, times := c.Counters()
		if left < 1 || left > math.MaxInt32 || times < 1 {
			return fmt.Errorf("a game is running with %d plies left and %d occurrences of the position", left, times)
		}
		if draws > 0 && times >= draws {
			return fmt.Errorf("the position has occurred %d times in a running game, but %d occurrences drew another game", times, draws)
		}
		for _, a := range at.legal {
			next.CopyFrom(at.state)
			next.Apply(a)
			after, times := next.(env.Counter).Counters()
			switch _, reason := next.Result(); reason {
			case env.NoReason:
				if after < left-1 {
					return fmt.Errorf("action %d takes the plies left from %d to %d", a, left, after)
				}
			case env.NoProgress, env.Armistice, env.MoveLimit:
				if left != 1 {
					return fmt.Errorf("action %d ends the game by %s with %d plies left", a, reason, left)
				}
			case env.Repetition:
				if draws == 0 {
					draws = times
				}
				if times < 2 || times != draws {
					return fmt.Errorf("action %d draws by repetition after %d occurrences, another after %d", a, times, draws)
				}
			}
		}
		return nil
	})
}
