package env

import "fmt"

// Player is one of the two players.
type Player int8

const (
	First    Player = 0 // moves first
	Second   Player = 1
	NoPlayer Player = -1 // to move when the game is over
)

// Opponent returns the other player. p must not be NoPlayer.
func (p Player) Opponent() Player { return p ^ 1 }

// Turn returns 1 if p is to move in s, −1 if the opponent is, and 0 if the game is
// over.
func Turn(s State, p Player) int32 {
	switch s.Player() {
	case p:
		return 1
	case NoPlayer:
		return 0
	}
	return -1
}

// Result is the zero-sum outcome from the first player's point of view: +1 won, 0
// drawn, −1 lost. It has a meaning only with a Reason other than NoReason.
type Result int8

// WinFor returns the result in which p has won.
func WinFor(p Player) Result { return Result(1 - 2*p) }

// String returns first or second for the winner, or draw.
func (r Result) String() string {
	switch {
	case r > 0:
		return "first"
	case r < 0:
		return "second"
	}
	return "draw"
}

// For returns the result from p's point of view: +1, 0 or −1.
func (r Result) For(p Player) int {
	if p == Second {
		return -int(r)
	}
	return int(r)
}

// ByPoints returns the result of counting points: more points win, equal points draw.
func ByPoints(first, second int) Result {
	switch {
	case first > second:
		return 1
	case first < second:
		return -1
	}
	return 0
}

// Reason is why a game ended.
type Reason uint8

// The reasons of all games, as their rules name them.
const (
	NoReason         Reason = iota // the game is running
	Points                         // a player reached the target
	General                        // the General was captured
	Annihilated                    // an army has no piece left
	MoveLimit                      // both sides have made their moves
	Armistice                      // too long without a capture, points counted
	NoMove                         // the player to move has no legal move
	Repetition                     // the position occurred too often
	WipedOut                       // a player has no seeds left
	Blocked                        // the player to move has seeds but no legal move
	Endless                        // a relay that never ends
	NoProgress                     // too long without progress
	AllHome                        // all surviving tanks are in the enemy base
	CommandDestroyed               // the command tank was destroyed
	Escaped                        // the command tank escaped

	// The rules do not have these four reasons. The program that plays the game counts
	// it as lost by the player to move, because of that player's conduct. See Forfeit.

	IllegalAction // the player chose an illegal action
	Resigned      // the player resigned
	TimeForfeit   // the player ran out of time
	Crashed       // the player's program stopped working

	reasons
)

// Forfeit reports whether the player to move lost by conduct, not by a rule of the
// game.
func (r Reason) Forfeit() bool {
	switch r {
	case IllegalAction, Resigned, TimeForfeit, Crashed:
		return true
	}
	return false
}

func (r Reason) String() string {
	names := [reasons]string{"none", "points", "general", "annihilated", "move_limit", "armistice", "no_move", "repetition",
		"wiped_out", "blocked", "endless", "no_progress", "all_home", "command_destroyed", "escaped", "illegal_action", "resigned", "time_forfeit", "crashed"}
	if r >= reasons {
		return fmt.Sprintf("Reason(%d)", uint8(r))
	}
	return names[r]
}

// ParseReason is the inverse of Reason.String.
func ParseReason(text string) (Reason, error) {
	for r := NoReason; r < reasons; r++ {
		if r.String() == text {
			return r, nil
		}
	}
	return NoReason, fmt.Errorf("reason %q is unknown", text)
}
