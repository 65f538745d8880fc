package tankchess

import "github.com/sandtable-farm/sandtable/env"

// Noisy implements env.Noisy: the actions with a shot.
func (s *State) Noisy(dst []env.Action) []env.Action {
	if s.reason != env.NoReason {
		return dst
	}
	var m movement
	for slot := range s.game.slots {
		if s.tanks[s.next&1][slot].fate == living {
			s.movement(&m, s.next, slot)
			dst = s.appendActions(dst, &m, false)
		}
	}
	return dst
}
