package engine

import (
	"fmt"
	"strconv"

	"github.com/sandtable-farm/sandtable/env"
)

// A Turn is what the text of a position says besides the board.
type Turn struct {
	Quiet int32      // plies since the last progress
	Plies int32      // plies played
	Next  env.Player // whose turn it is, or would be if the game were not over
}

// Ply counts a ply, which is quiet until the engine finds progress in it.
func (t *Turn) Ply() {
	t.Quiet++
	t.Plies++
}

// AppendCounts appends the last two fields of a position text, QUIET and PLIES,
// with a space before each.
func (t *Turn) AppendCounts(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, ' '), int64(t.Quiet), 10)
	return strconv.AppendInt(append(dst, ' '), int64(t.Plies), 10)
}

// ParseTurn reads the side to move and the last two fields of a position text.
// Letters are those of the two players, as in "wb".
func ParseTurn(letters, side, quiet, plies string) (t Turn, err error) {
	if t.Next, err = parseSide(side, letters); err != nil {
		return t, err
	}
	err = ParseCounts(Count{"quiet plies", quiet, &t.Quiet}, Count{"plies played", plies, &t.Plies})
	return t, err
}

// Base is the part of a State that all engines have. A State embeds it, and with it
// has the methods Player and Result. The fields are the engine's to change.
type Base struct {
	Turn
	Winner  env.Result // of a game that is over
	Reason  env.Reason // NoReason while the game is running
	History History    // since the last irreversible ply
}

// NewBase returns the base of a start position, whose history has room for that
// position only.
func NewBase(l *Limits) Base {
	return Base{History: History{Keys: make([]uint64, 0, min(l.HistorySize(), 1))}}
}

// At returns the base of a running game at another turn with the same history.
func (b *Base) At(t Turn) Base { return Base{Turn: t, History: b.History} }

// Begin begins the history at the position with the given key.
func (b *Base) Begin(key uint64) {
	b.History.Forget()
	b.History.Add(key)
}

// Progress begins the history again after an irreversible ply, which is not quiet.
// The caller adds the new position next.
func (b *Base) Progress() {
	b.Quiet = 0
	b.History.Forget()
}

// End ends the game.
func (b *Base) End(winner env.Result, reason env.Reason) { b.Winner, b.Reason = winner, reason }

// Over reports whether the game is over.
func (b *Base) Over() bool { return b.Reason != env.NoReason }

// Player implements env.State.
func (b *Base) Player() env.Player {
	if b.Reason != env.NoReason {
		return env.NoPlayer
	}
	return b.Next
}

// Result implements env.State.
func (b *Base) Result() (env.Result, env.Reason) { return b.Winner, b.Reason }

//lint:ignore U1000 NewStates calls it through its type constraint.
func (b *Base) base() *Base { return b }

// NewStates allocates n states side by side, with memory for their histories, and
// returns copies of the start position in them.
func NewStates[S any, P interface {
	*S
	env.State
	base() *Base
}](n int, l *Limits, start P) []env.State {
	states, size := make([]S, n), l.HistorySize()
	memory := make([]uint64, n*size)
	out := make([]env.State, n)
	for i := range states {
		s := P(&states[i])
		s.base().History.Keys = memory[i*size : i*size : (i+1)*size]
		s.CopyFrom(start)
		out[i] = s
	}
	return out
}

// Copy makes to equal to from and keeps its memory for the history. H and o are the
// histories in them.
func Copy[S any](to, from *S, h, o *History) {
	keys := h.keep(o)
	*to = *from
	h.Keys = keys
}

// SetPosition implements env.Notation: parse reads the fields of a position text, which
// one space each separates, and set sets up what it returns. Form names the fields, as
// in "BOARD SIDE QUIET PLIES".
func SetPosition[P any](text, form string, parse func(fields []string) (P, error), set func(*P)) error {
	fields, err := splitFields(text, form)
	var position P
	if err == nil {
		position, err = parse(fields)
	}
	if err != nil {
		return fmt.Errorf("position %q: %w", text, err)
	}
	set(&position)
	return nil
}
