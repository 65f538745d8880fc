package trench

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Warnings implements variant.Warner: it reports settings that are valid but probably
// not intended. The rule set must be valid.
func (r *Rules) Warnings() []variant.Warning {
	return slices.Concat(r.limitWarnings(), r.rankWarnings(), r.startWarnings())
}

func (r *Rules) limitWarnings() []variant.Warning {
	var list []variant.Warning
	worth := 0
	for rank, count := range armyCounts {
		worth += count * r.Pieces[letters[rank:rank+1]].Points
	}
	if r.TargetPoints > worth {
		list = append(list, variant.Warning{Field: "target_points",
			Text: fmt.Sprintf("is %d and cannot be reached: a whole army is worth %d", r.TargetPoints, worth)})
	}
	if r.EqualTurns && r.TargetPoints == 0 {
		list = append(list, variant.Warning{Field: "equal_turns", Text: "has no effect while target_points is 0"})
	}
	if r.Repetition == 0 && r.NoProgress == 0 && r.MovesEach == 0 {
		list = append(list, variant.Warning{
			Text: "repetition, no_progress and moves_each are all 0: a game without captures never ends by the rules"})
	}
	return list
}

func (r *Rules) rankWarnings() []variant.Warning {
	var list []variant.Warning
	named := map[string]string{}
	for _, letter := range slices.Sorted(maps.Keys(r.Pieces)) {
		piece, field := r.Pieces[letter], "pieces."+letter
		if other, taken := named[piece.Name]; taken {
			list = append(list, variant.Warning{Field: field + ".name",
				Text: fmt.Sprintf("is %q like pieces.%s.name; reports cannot distinguish them", piece.Name, other)})
		}
		named[piece.Name] = letter
		if !piece.Directions.forward() {
			list = append(list, variant.Warning{Field: field + ".directions",
				Text: "has none of N, NE, E, so the piece never comes nearer to the enemy"})
		}
		if piece.Directions.mirrored() != piece.Directions {
			list = append(list, variant.Warning{Field: field + ".directions",
				Text: "is not symmetric about the diagonal a1-h8, so the two wings play differently and training data cannot be augmented"})
		}
		if apart, is := r.White[letter]; is {
			list = append(list, variant.Warning{Field: "white." + letter,
				Text: fmt.Sprintf("lets the rank go %d squares for White and %d for Black, so the sides are not equal", apart.LongestMove, piece.LongestMove)})
		}
		if piece.Points == 0 && r.TargetPoints > 0 {
			list = append(list, variant.Warning{Field: field + ".points",
				Text: "is 0: capturing this rank brings no player nearer to the target"})
		}
	}
	return list
}

// forward reports whether a direction leads nearer to the enemy's corner.
func (s Directions) forward() bool { return s.Has(env.N) || s.Has(env.NE) || s.Has(env.E) }

func (r *Rules) startWarnings() []variant.Warning {
	var list []variant.Warning
	position := start(r.Start)
	if text, odd := asymmetry(&position.board); odd {
		list = append(list, variant.Warning{Field: "start", Text: text})
	}
	s := env.NewState(newGame(*r)).(*State)
	for _, c := range []struct {
		mover env.Player
		text  string
	}{
		{env.First, "lets Black capture with the first move of the game: "},
		{env.Second, "lets White capture with its first move, unless Black's first move prevents it: "},
	} {
		position.Next = c.mover
		s.set(&position)
		var moves []string
		for _, a := range s.Noisy(nil) {
			moves = append(moves, env.ActionText(s, a))
		}
		if len(moves) > 0 {
			list = append(list, variant.Warning{Field: "start", Text: c.text + strings.Join(moves, " ")})
		}
	}
	return list
}

// asymmetry names the first square on which a board differs from itself turned
// by 180° with the colours changed.
func asymmetry(b *board) (text string, odd bool) {
	for square := range squares / 2 {
		here, there := b[square], b[squares-1-square]
		if here == vacant && there == vacant {
			continue
		}
		if here == vacant || there == vacant || rankOf(here) != rankOf(there) || ownerOf(here) == ownerOf(there) {
			return fmt.Sprintf("does not look the same to both sides: %s holds %s, %s on the other side of the board %s",
				env.AppendSquare(nil, square, width), occupant(here), env.AppendSquare(nil, squares-1-square, width), occupant(there)), true
		}
	}
	return "", false
}

func occupant(c code) string {
	if c == vacant {
		return "nothing"
	}
	return string(pieceLetter(ownerOf(c), rankOf(c)))
}
