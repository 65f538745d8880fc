package ntxuva

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// Piece types: a house that is not empty counts as a piece, with its seeds as
// count and its number, plus 2C for North, as id.
const (
	attackHouse = iota
	defenceHouse
)

func newSpec(g *game) env.Spec {
	r := &g.rules
	spec := env.Spec{
		Game:        name,
		Name:        r.Name,
		Description: r.Description,
		Source:      r.Source,
		Version:     version,
		Players:     [2]string{"South", "North"},
		Width:       r.Columns,
		Height:      4,
		StartText:   env.PositionText(&g.start),
		Actions:     g.houses,
		MaxLegal:    g.houses,
		Encoding: fmt.Sprintf("The start house, 0 to %d, in the mover's own numbering: defence from left to right, then attack from "+
			"right to left.", g.houses-1),
		ActionPlanes: []string{"start"},
		Planes:       planes(r),
		Ends:         ends(r),
		Features:     featureNames[:],
	}
	for house := range g.houses {
		spec.ActionCells = append(spec.ActionCells, env.ActionCell{Square: int16(ownSquare(house, r.Columns))})
	}
	for _, kind := range []struct{ name, symbol string }{{"attack house", "A"}, {"defence house", "D"}} {
		spec.Pieces = append(spec.Pieces, env.PieceType{
			Name:       kind.name,
			Symbol:     kind.symbol,
			Count:      [2]int{r.Columns, r.Columns},
			MaxCount:   g.houses * r.Seeds,
			Attributes: []env.Attribute{{Name: "seeds", Value: r.Seeds}},
		})
	}
	return spec
}

// ends lists the ends in the order of the rule page.
func ends(r *Rules) []env.End {
	var list []env.End
	if r.Endless == draw {
		list = append(list, env.End{Reason: env.Endless, Description: "a relay that never ends was started: drawn"})
	}
	list = append(list, env.End{Reason: env.WipedOut, Description: "a player without pieces has lost"})
	if r.SingleStep == emptyOnly || r.Endless == illegal {
		list = append(list, env.End{Reason: env.Blocked, HouseRule: true,
			Description: "a player to move who has pieces but no legal start has lost"})
	}
	if r.NoProgress != 0 {
		list = append(list, env.End{Reason: env.NoProgress, HouseRule: true,
			Description: fmt.Sprintf("%d plies in a row without a capture: drawn", r.NoProgress)})
	}
	if r.Repetition != 0 {
		list = append(list, env.End{Reason: env.Repetition, HouseRule: true,
			Description: fmt.Sprintf("the position occurred %d times: drawn", r.Repetition)})
	}
	return list
}

// ownSquare is the square of a player's own house as that player sees the board.
func ownSquare(house, columns int) int {
	if house < columns {
		return house
	}
	return columns + 2*columns - 1 - house
}

// seenSquare is the square of owner's house as viewer sees the board.
func seenSquare(owner, viewer env.Player, house, columns int) int {
	if square := ownSquare(house, columns); owner == viewer {
		return square
	} else {
		return 4*columns - 1 - square
	}
}

// square is the absolute square of a house, which is how South sees the board.
func (s *State) square(owner env.Player, house int) int16 {
	return int16(seenSquare(owner, env.First, house, s.game.rules.Columns))
}

func (s *State) id(owner env.Player, house int) int16 {
	return int16(int(owner)*s.game.houses + house)
}

func (s *State) kind(house int) int16 {
	if house < s.game.rules.Columns {
		return defenceHouse
	}
	return attackHouse
}

func (s *State) count(owner env.Player, house int) int {
	return s.houses[owner&1].count(s.game.at[house], s.game.mask)
}
