package ntxuva

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

var playerNames = [2]string{"South", "North"}

// The piece types. A house with seeds is a piece, with the number of its seeds as
// count. Its id is its number, plus 2C for North.
const (
	attackHouse = iota
	defenceHouse
)

func (g *Game) makeSpec() env.Spec {
	r := &g.rules
	spec := engine.NewSpec(&r.Header, about.Version, &g.start)
	spec.Players = playerNames
	spec.Width, spec.Height = r.Columns, 4
	spec.Actions, spec.MaxLegal = g.houses, g.houses
	spec.Encoding = fmt.Sprintf("The start house, 0 to %d, in the mover's own numbering: defence from left to right, then attack from "+
		"right to left.", g.houses-1)
	spec.ActionPlanes = []string{"start"}
	start := env.Factor{Name: "house", Description: "start house", Size: g.houses}
	for house := range g.houses {
		square := int16(ownSquare(house, r.Columns))
		spec.ActionCells = append(spec.ActionCells, env.ActionCell{Square: square})
		start.Squares = append(start.Squares, square)
	}
	spec.ActionFactors = []env.Factor{start}
	spec.Planes, spec.Ends, spec.Features = g.planes(), g.ends(), featureNames[:]
	for _, house := range []struct{ name, symbol string }{attackHouse: {"attack house", "A"}, defenceHouse: {"defence house", "D"}} {
		spec.Pieces = append(spec.Pieces, env.PieceType{
			Name: house.name, Symbol: house.symbol, Count: [2]int{r.Columns, r.Columns}, MaxCount: g.maxSeeds(),
			Attributes: []env.Attribute{{Name: "seeds", Value: r.Seeds}},
		})
	}
	return spec
}

// ends lists the ends in the order of the rule page.
func (g *Game) ends() []env.End {
	var ends engine.Ends
	r := &g.rules
	canBlock := r.SingleStep == emptyOnly || r.Endless == illegal
	ends.Add(r.Endless == draw, env.Endless, false, "a relay that never ends was started; drawn")
	ends.Add(true, env.WipedOut, false, "a player without seeds has lost")
	ends.Add(canBlock, env.Blocked, true, "a player to move who has seeds but no legal start has lost")
	ends.Add(r.NoProgress > 0, env.NoProgress, true, "%d plies in a row without a capture; drawn", r.NoProgress)
	ends.Add(r.Repetition > 0, env.Repetition, true, "the position has occurred %d times; drawn", r.Repetition)
	return ends
}

// ownSquare returns the square of a house as its owner sees the board.
func ownSquare(house, columns int) int {
	if house < columns {
		return house
	}
	return columns + 2*columns - 1 - house
}

// square returns the absolute square of a house, which is how South sees the board.
func (g *Game) square(owner env.Player, house int) int16 {
	return int16(g.spec.Frame(owner, ownSquare(house, g.rules.Columns)))
}

// pieceID returns the id of a house, and houseOfPiece the house of a piece.
func (g *Game) pieceID(owner env.Player, house int) int16 {
	return int16(int(owner)*g.houses + house)
}

func (g *Game) houseOfPiece(p env.Piece) int { return int(p.ID) - int(p.Owner)*g.houses }

func (g *Game) pieceType(house int) int16 {
	if house < g.rules.Columns {
		return defenceHouse
	}
	return attackHouse
}
