package trench

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

func (g *Game) makeSpec() env.Spec {
	spec := env.Spec{
		Game:        engineName,
		Name:        g.rules.Name,
		Description: g.rules.Description,
		Source:      g.rules.Source,
		Version:     behaviour,
		Players:     playerNames,
		Width:       width,
		Height:      width,
		StartText:   env.PositionText(&g.start),
		Actions:     squares * 8 * g.longest,
		MaxLegal:    room,
		Encoding: fmt.Sprintf("(from·8 + direction)·%d + distance − 1 in the mover's frame: the board as it is for Black, turned by "+
			"180° for White. from is y·8 + x with a1 at 0, directions are 0 to 7 clockwise from N.", g.longest),
		Planes:   g.planes(),
		Ends:     g.ends(),
		Features: featureNames[:],

		MultipleCapture: "charge",
	}
	for d := env.N; d <= env.NW; d++ {
		for distance := 1; distance <= g.longest; distance++ {
			spec.ActionPlanes = append(spec.ActionPlanes, fmt.Sprintf("%v %d", d, distance))
		}
	}
	planes := 8 * g.longest
	for a := range spec.Actions {
		spec.ActionCells = append(spec.ActionCells, env.ActionCell{Plane: int16(a % planes), Square: int16(a / planes)})
	}
	for rank, count := range armyCounts {
		letter := letters[rank : rank+1]
		piece := g.rules.Pieces[letter]
		kind := env.PieceType{
			Name: piece.Name, Symbol: letter, Count: [2]int{count, count}, MaxCount: 1,
			Attributes: []env.Attribute{{Name: "longest_move", Value: piece.LongestMove}, {Name: "points", Value: piece.Points}},
		}
		if apart, is := g.rules.White[letter]; is {
			kind.Attributes = append(kind.Attributes, env.Attribute{Name: "longest_move_of_white", Value: apart.LongestMove})
		}
		for d := env.N; d <= env.NW; d++ {
			has := 0
			if piece.Directions.Has(d) {
				has = 1
			}
			kind.Attributes = append(kind.Attributes, env.Attribute{Name: "direction_" + d.String(), Value: has})
		}
		spec.Pieces = append(spec.Pieces, kind)
	}
	return spec
}

// ends lists the ends in the order of the rule page.
func (g *Game) ends() []env.End {
	var ends []env.End
	add := func(on bool, reason env.Reason, house bool, format string, args ...any) {
		if on {
			ends = append(ends, env.End{Reason: reason, HouseRule: house, Description: fmt.Sprintf(format, args...)})
		}
	}
	r := &g.rules
	turns := ""
	if r.EqualTurns {
		turns = "; when Black reaches them White has one more move, then more points win and equal points draw (that draw is a house rule)"
	}
	add(r.TargetPoints > 0, env.Points, false, "a player has captured %d points%s", r.TargetPoints, turns)
	add(r.GeneralWins, env.General, false, "a General was captured")
	first := ""
	if 0 < r.TargetPoints && r.TargetPoints <= g.worth && !r.EqualTurns {
		first = " (from the start the target is reached first)"
	}
	add(true, env.Annihilated, false, "an army has no piece left and has lost%s", first)
	add(r.MovesEach > 0, env.MoveLimit, false, "each side has made %d moves; more points win, equal points draw", r.MovesEach)
	add(r.NoProgress > 0, env.Armistice, true, "%d plies in a row without a capture; more points win, equal points draw", r.NoProgress)
	add(true, env.NoMove, true, "the player to move has no legal move; more points win, equal points draw")
	add(r.Repetition > 0, env.Repetition, true, "the position has occurred %d times; drawn", r.Repetition)
	return ends
}
