package tankchess

import "github.com/sandtable-farm/sandtable/env"

// judge decides whether the game is over, after a ply of the player who is not to
// move. The tests are in the order of the rule page.
func (s *State) judge() {
	g := s.game
	next := s.next & 1
	mover := next ^ 1
	command := s.tanks[mover][g.command]
	switch {
	case s.tanks[next][g.command].fate == wreck:
		s.end(env.WinFor(mover), env.CommandDestroyed)
	case command.fate == gone || s.commandMoved && g.rules.winsOn(mover, int(command.square)):
		s.end(env.WinFor(mover), env.Escaped)
	case s.counters.Quiet >= g.limits.Quiet:
		s.end(0, env.NoProgress)
	case int32(s.history.Times()) >= g.limits.Times:
		s.end(0, env.Repetition)
	}
}

func (s *State) end(result env.Result, reason env.Reason) { s.result, s.reason = result, reason }

// Counters implements env.Counter.
func (s *State) Counters() (left, times int) {
	return s.game.limits.Left(s.counters), s.history.Times()
}
