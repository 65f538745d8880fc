package tankchess

import (
	"math"

	"github.com/sandtable-farm/sandtable/env"
)

// judge decides whether the game is over, the player who is not to move having
// just moved. The tests stand in the order of the rules.
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
	case s.quiet >= g.quietLimit:
		s.end(0, env.NoProgress)
	case int32(s.history.Times()) >= g.occurLimit:
		s.end(0, env.Repetition)
	}
}

func (s *State) end(result env.Result, reason env.Reason) { s.result, s.reason = result, reason }

// Counters implements env.Counter.
func (s *State) Counters() (left, times int) {
	if s.game.quietLimit == math.MaxInt32 {
		return math.MaxInt32, s.history.Times()
	}
	return int(s.game.quietLimit - s.quiet), s.history.Times()
}
