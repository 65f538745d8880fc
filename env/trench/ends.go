package trench

import "github.com/sandtable-farm/sandtable/env"

// judge decides whether the game is over after a move of the player who is not to
// move. The tests are in the order of the rules.
func (s *State) judge() {
	g := s.game
	next := s.Next & 1
	mover := next ^ 1
	switch {
	case s.targetEnds(mover):
		// targetEnds has ended the game.
	case g.rules.GeneralWins && !s.generals[next]:
		s.End(env.WinFor(mover), env.General)
	case s.at[next][next] == 0:
		s.End(env.WinFor(mover), env.Annihilated)
	case s.at[mover][mover] == 0: // only in a position from a text
		s.End(env.WinFor(next), env.Annihilated)
	case s.Plies >= g.limits.Plies:
		s.End(s.count(), env.MoveLimit)
	case s.Quiet >= g.limits.Quiet:
		s.End(s.count(), env.Armistice)
	case s.History.Times() >= int(g.limits.Times):
		s.End(0, env.Repetition)
	case !s.canMove():
		s.End(s.count(), env.NoMove)
	}
}

// targetEnds tests the target. With equal turns White has one more move after Black
// reaches it; then points are counted.
func (s *State) targetEnds(mover env.Player) bool {
	g := s.game
	if s.points[mover&1] < g.target && !(g.rules.EqualTurns && mover == env.Second && s.points[env.First] >= g.target) {
		return false
	}
	switch {
	case !g.rules.EqualTurns:
		s.End(env.WinFor(mover), env.Points)
	case mover == env.First:
		return false
	case s.points[env.First] >= g.target:
		s.End(s.count(), env.Points)
	default:
		s.End(env.WinFor(mover), env.Points)
	}
	return true
}

// pending reports whether White has the last move of equal turns.
func (s *State) pending() bool {
	return s.game.rules.EqualTurns && s.Next == env.Second && s.points[env.First] >= s.game.target
}

func (s *State) count() env.Result {
	return env.ByPoints(int(s.points[env.First]), int(s.points[env.Second]))
}

// Counters implements env.Counter.
func (s *State) Counters() (left, times int) { return s.game.limits.Counters(&s.Base) }
