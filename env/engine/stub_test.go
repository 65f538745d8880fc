package engine_test

import (
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// stub is a state on a board with straight moves, whose legal actions are given. It
// has only the methods that are called.
type stub struct {
	env.State
	player env.Player
	result env.Result
	reason env.Reason
	rays   *engine.Rays
	legal  []env.Action
	pieces []env.Piece
}

func (s *stub) Player() env.Player                  { return s.player }
func (s *stub) Result() (env.Result, env.Reason)    { return s.result, s.reason }
func (s *stub) Legal(dst []env.Action) []env.Action { return append(dst, s.legal...) }
func (s *stub) CopyFrom(src env.State)              { *s = *src.(*stub) }
func (s *stub) Pieces(dst []env.Piece) []env.Piece  { return append(dst, s.pieces...) }
func (s *stub) AppendPosition(dst []byte) []byte    { return append(dst, "position"...) }
func (s *stub) AppendAction(dst []byte, a env.Action) []byte {
	dst = s.rays.AppendMove(dst, s.player, a, '-')
	return append(dst, strings.Repeat("!", int(a%2))...)
}
