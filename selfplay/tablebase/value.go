package tablebase

import (
	"cmp"
	"fmt"
)

// A Value is what a position is worth to the player to move when both sides play
// as well as they can: the winner wins as soon as possible, the loser loses as
// late as possible.
type Value struct {
	Result int // +1 won, 0 drawn, −1 lost
	Plies  int // to the end of the game; 0 for a draw
}

// String writes "win in 5" and "loss in 4" plies, or "draw".
func (v Value) String() string {
	switch {
	case v.Result > 0:
		return fmt.Sprintf("win in %d", v.Plies)
	case v.Result < 0:
		return fmt.Sprintf("loss in %d", v.Plies)
	}
	return "draw"
}

// Compare returns +1 where v is the better value to have, −1 where w is, else 0.
func (v Value) Compare(w Value) int {
	if v.Result != w.Result {
		return cmp.Compare(v.Result, w.Result)
	}
	return -v.Result * cmp.Compare(v.Plies, w.Plies)
}

// before is the value of a position, to the player to move there, from which an
// action leads to one of value v.
func (v Value) before() Value {
	if v.Result == 0 {
		return v
	}
	return Value{-v.Result, v.Plies + 1}
}

// The form of a value in a file is a byte: the plies to the end and 1, even for
// a won position and odd for a lost one because the players alternate; or drawn.
const (
	drawn   = 0
	lostNow = 1
)

func decode(b byte) Value {
	switch {
	case b == drawn:
		return Value{}
	case b%2 == 0:
		return Value{Result: 1, Plies: int(b) - 1}
	}
	return Value{Result: -1, Plies: int(b) - 1}
}
