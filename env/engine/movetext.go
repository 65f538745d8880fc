package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// AppendMove appends the start and the landing square of p's move, with a sign
// between them.
func (r *Rays) AppendMove(dst []byte, p env.Player, a env.Action, sign byte) []byte {
	from, d, distance := r.Decode(a)
	dst = env.AppendSquare(dst, r.Absolute(p, from), r.Size)
	return env.AppendSquare(append(dst, sign), r.Absolute(p, r.Landing(from, d, distance)), r.Size)
}

// A MoveText describes how a game writes its straight moves.
type MoveText struct {
	Signs   string // between the squares: "-x"
	Example string // "a move is two squares, such as k1-g5, or k1xg5 for a capture"
	Short   bool   // what follows the landing square may be left out
}

// ParseAction implements env.Notation for the state s of a game with the given spec.
func (r *Rays) ParseAction(s env.State, spec *env.Spec, text string, form MoveText) (env.Action, error) {
	return ParseAction(text, func(text string) (env.Action, error) { return r.parseAction(s, spec, text, form) })
}

// ParseAction implements env.Notation: it names the move in the errors of parse.
func ParseAction(text string, parse func(string) (env.Action, error)) (env.Action, error) {
	a, err := parse(text)
	if err != nil {
		return env.NoAction, fmt.Errorf("move %q: %w", text, err)
	}
	return a, nil
}

func (r *Rays) parseAction(s env.State, spec *env.Spec, text string, form MoveText) (env.Action, error) {
	from, rest, err := env.ParseSquare(text, r.Size, r.Size)
	if err != nil {
		return 0, fmt.Errorf("%w; %s", err, form.Example)
	}
	if rest == "" || strings.IndexByte(form.Signs, rest[0]) < 0 {
		signs := strings.Join(strings.Split(form.Signs, ""), " or ")
		return 0, fmt.Errorf("%q follows the start square, must be %s and the landing square; %s", rest, signs, form.Example)
	}
	to, _, err := env.ParseSquare(rest[1:], r.Size, r.Size)
	if err != nil {
		return 0, err
	}
	if _, reason := s.Result(); reason != env.NoReason {
		return 0, fmt.Errorf("the game is over (%v)", reason)
	}
	a, landings := r.find(s.Legal(spec.NewActions()), s.Player(), from, to)
	if a == env.NoAction {
		return 0, r.whyIllegal(s, spec, from, landings)
	}
	full, short := env.ActionText(s, a), string(r.AppendMove(nil, s.Player(), a, rest[0]))
	if text != full && !(form.Short && text == short) {
		return 0, fmt.Errorf("the move is written %s", full)
	}
	return a, nil
}

// find returns the action of p between two absolute squares, or NoAction and the
// names of the squares where the legal actions from the start square end.
func (r *Rays) find(legal []env.Action, p env.Player, from, to int) (env.Action, []string) {
	var landings []string
	for _, a := range legal {
		start, d, distance := r.Decode(a)
		if r.Absolute(p, start) != from {
			continue
		}
		landing := r.Absolute(p, r.Landing(start, d, distance))
		if landing == to {
			return a, nil
		}
		landings = append(landings, r.SquareName(landing))
	}
	return env.NoAction, landings
}

func (r *Rays) whyIllegal(s env.State, spec *env.Spec, from int, landings []string) error {
	square := r.SquareName(from)
	pieces := s.(env.PieceLister).Pieces(nil)
	i := slices.IndexFunc(pieces, func(p env.Piece) bool { return int(p.Square) == from })
	if i < 0 {
		return fmt.Errorf("there is no piece on %s", square)
	}
	owner, name := pieces[i].Owner, spec.Pieces[pieces[i].Type].Name
	switch p := s.Player(); {
	case owner != p:
		return fmt.Errorf("the %s on %s belongs to %s, and %s is to move", name, square, r.Players[owner&1], r.Players[p&1])
	case len(landings) == 0:
		return fmt.Errorf("the %s on %s has no legal move", name, square)
	}
	return fmt.Errorf("the move is not legal; the %s on %s may go to %s", name, square, strings.Join(landings, ", "))
}
