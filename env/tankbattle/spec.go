package tankbattle

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

func (g *Game) makeSpec() env.Spec {
	t := &g.terrain
	spec := env.Spec{
		Game:        engineName,
		Name:        g.rules.Name,
		Description: g.rules.Description,
		Source:      g.rules.Source,
		Version:     behaviour,
		Players:     playerNames,
		Width:       t.size,
		Height:      t.size,
		StartText:   env.PositionText(&g.start),
		Actions:     t.squares() * 8 * g.longest,
		MaxLegal:    room,
		Encoding: fmt.Sprintf("(from·8 + direction)·%d + distance − 1 in the mover's frame: the board as it is for White, turned by "+
			"180° for Black. from is y·%d + x with a1 at 0, directions are 0 to 7 clockwise from N.", g.longest, t.size),
		Planes:   g.planes(),
		Ends:     g.ends(),
		Features: featureNames[:],
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
	p := &g.rules.Points
	spec.Pieces = []env.PieceType{
		commanderType: {Name: typeNames[commanderType], Symbol: symbols[:1], Count: [2]int{1, 1}, MaxCount: 1, Attributes: []env.Attribute{
			{Name: "longest_move", Value: g.longest}, {Name: "enters_contaminated", Value: 1},
			{Name: "points_home", Value: p.CommanderHome}, {Name: "points_in_base", Value: p.CommanderInBase}, {Name: "points_elsewhere", Value: p.Elsewhere},
		}},
		tankType: {Name: typeNames[tankType], Symbol: symbols[1:], Count: [2]int{t.base[0].len() - 1, t.base[1].len() - 1}, MaxCount: 1, Attributes: []env.Attribute{
			{Name: "longest_move", Value: g.longest}, {Name: "enters_contaminated", Value: 0},
			{Name: "points_in_base", Value: p.TankInBase}, {Name: "points_elsewhere", Value: p.Elsewhere},
		}},
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
	who := "a player has"
	if g.moverOnly {
		who = "the player who has just moved has"
	}
	add(true, env.AllHome, false, "%s all surviving tanks in the enemy base, or none left; more points win, equal points draw", who)
	add(r.NoProgress > 0, env.NoProgress, true, "%d plies in a row without a capture or a tank entering the enemy base; more points win, equal points draw", r.NoProgress)
	add(r.Repetition > 0, env.Repetition, true, "the position has occurred %d times; drawn", r.Repetition)
	add(true, env.NoMove, true, "the player to move has no legal move; more points win, equal points draw")
	return ends
}
