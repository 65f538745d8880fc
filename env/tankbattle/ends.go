package tankbattle

import "github.com/sandtable-farm/sandtable/env"

// judge decides whether the game is over after a move of the player who is not to
// move. The tests are in the order of the rules.
func (s *State) judge() {
	g := s.game
	next := s.Next & 1
	mover := next ^ 1
	switch {
	case s.tally[mover].away() == 0, s.tally[next].away() == 0 && !g.moverOnly:
		s.score(env.AllHome)
	case s.Quiet >= g.limits.Quiet:
		s.score(env.NoProgress)
	case s.History.Times() >= int(g.limits.Times):
		s.End(0, env.Repetition)
	case !s.canMove():
		s.score(env.NoMove)
	}
}

// score ends the game by points.
func (s *State) score(reason env.Reason) {
	s.End(env.ByPoints(s.Points(env.First), s.Points(env.Second)), reason)
}

// Counters implements env.Counter.
func (s *State) Counters() (left, times int) { return s.game.limits.Counters(&s.Base) }
