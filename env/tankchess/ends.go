package tankchess

import "github.com/sandtable-farm/sandtable/env"

// judge decides whether the game is over, after a ply of the player who is not to
// move. The tests are in the order of the rule page.
func (s *State) judge() {
	g := s.game
	next := s.Next & 1
	mover := next ^ 1
	command := s.tanks[mover][g.command]
	switch {
	case s.tanks[next][g.command].fate == wreck:
		s.End(env.WinFor(mover), env.CommandDestroyed)
	case command.fate == gone || s.commandMoved && g.rules.winsOn(mover, int(command.square)):
		s.End(env.WinFor(mover), env.Escaped)
	case s.Quiet >= g.limits.Quiet:
		s.End(0, env.NoProgress)
	case int32(s.History.Times()) >= g.limits.Times:
		s.End(0, env.Repetition)
	}
}

// Counters implements env.Counter.
func (s *State) Counters() (left, times int) { return s.game.limits.Counters(&s.Base) }
