package ntxuva

import "github.com/sandtable-farm/sandtable/env"

// judge decides whether the game is over, in the order of the rules. Two ends are
// found elsewhere: an endless relay by Apply, and a player without a legal start by
// resolve.
func (s *State) judge() {
	g, me := s.game, s.Next&1
	switch {
	case s.houses[me].empty():
		s.end(env.WinFor(me^1), env.WipedOut)
	case s.houses[me^1].empty(): // only in a position that was set up
		s.end(env.WinFor(me), env.WipedOut)
	case s.Quiet >= g.limits.Quiet:
		s.end(0, env.NoProgress)
	case s.History.Times() >= int(g.limits.Times):
		s.end(0, env.Repetition)
	}
}

// end ends the game, so that there are no legal starts.
func (s *State) end(result env.Result, reason env.Reason) {
	s.End(result, reason)
	s.resolved, s.endless, s.starts = true, false, 0
}

// Counters implements env.Counter.
func (s *State) Counters() (left, times int) { return s.game.limits.Counters(&s.Base) }
