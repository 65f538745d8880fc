package tablebase

import (
	"cmp"
	"fmt"
)

// A Value is the value of a position to the player to move under perfect play: the winner
// wins as soon as possible, and the loser loses as late as possible.
type Value struct {
	Result int // +1 won, 0 drawn, −1 lost
	Plies  int // to the end of the game; 0 for a draw
}

// String returns "win in 5" or "loss in 4", in plies, or "draw".
func (v Value) String() string {
	switch {
	case v.Result > 0:
		return fmt.Sprintf("win in %d", v.Plies)
	case v.Result < 0:
		return fmt.Sprintf("loss in %d", v.Plies)
	}
	return "draw"
}

// Compare returns +1 if v is the better value, −1 if w is, and 0 if they are equal.
func (v Value) Compare(w Value) int {
	if v.Result != w.Result {
		return cmp.Compare(v.Result, w.Result)
	}
	return -v.Result * cmp.Compare(v.Plies, w.Plies)
}

// before returns the value to the mover of an action that leads to a position of value v.
func (v Value) before() Value {
	if v.Result == 0 {
		return v
	}
	return Value{-v.Result, v.Plies + 1}
}

// In a file a value is one byte: the number of plies to the end plus 1, which is even for
// a won position and odd for a lost one because the players alternate, or drawn.
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
