package engine_test

import (
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// fake is a state on a board with straight moves, whose legal actions are given. It
// has only the methods that are called.
type fake struct {
	env.State
	player env.Player
	result env.Result
	reason env.Reason
	rays   *engine.Rays
	legal  []env.Action
	pieces []env.Piece
}

func (s *fake) Player() env.Player                  { return s.player }
func (s *fake) Result() (env.Result, env.Reason)    { return s.result, s.reason }
func (s *fake) Legal(dst []env.Action) []env.Action { return append(dst, s.legal...) }
func (s *fake) CopyFrom(src env.State)              { *s = *src.(*fake) }
func (s *fake) Pieces(dst []env.Piece) []env.Piece  { return append(dst, s.pieces...) }
func (s *fake) AppendPosition(dst []byte) []byte    { return append(dst, "position"...) }
func (s *fake) AppendAction(dst []byte, a env.Action) []byte {
	dst = s.rays.AppendMove(dst, s.player, a, '-')
	return append(dst, strings.Repeat("!", int(a%2))...)
}
