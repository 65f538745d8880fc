package tankbattle

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

func (g *Game) makeSpec() env.Spec {
	t := &g.terrain
	spec := engine.NewSpec(&g.rules.Header, about.Version, &g.start)
	g.rays.Describe(&spec)
	spec.MaxLegal = g.maxLegal()
	spec.Planes, spec.Ends, spec.Features = g.planes(), g.ends(), featureNames[:]
	p := &g.rules.Points
	spec.Pieces = []env.PieceType{
		commanderType: {Name: typeNames[commanderType], Symbol: symbols[:1], Count: [2]int{1, 1}, MaxCount: 1, Attributes: []env.Attribute{
			{Name: "longest_move", Value: g.rays.Longest}, {Name: "enters_contaminated", Value: 1},
			{Name: "points_home", Value: p.CommanderHome}, {Name: "points_in_base", Value: p.CommanderInBase}, {Name: "points_elsewhere", Value: p.Elsewhere},
		}},
		tankType: {Name: typeNames[tankType], Symbol: symbols[1:], Count: [2]int{t.base[0].len() - 1, t.base[1].len() - 1}, MaxCount: 1, Attributes: []env.Attribute{
			{Name: "longest_move", Value: g.rays.Longest}, {Name: "enters_contaminated", Value: 0},
			{Name: "points_in_base", Value: p.TankInBase}, {Name: "points_elsewhere", Value: p.Elsewhere},
		}},
	}
	return spec
}

// maxLegal bounds the legal actions: a side has its whole army, and the tanks stand
// on the squares from which they go farthest on the empty board.
func (g *Game) maxLegal() int {
	var sums [2]int
	for owner := range sums {
		for number, count := range [2]int{1, g.terrain.base[owner].len() - 1} {
			piece := makeID(owner, number)
			sums[owner] += g.rays.MostMoves(count, func(square int, d env.Direction) int {
				if g.terrain.standing(piece, square) != nil {
					return 0
				}
				return g.terrain.limit(kindOf(piece), square, d)
			})
		}
	}
	return max(sums[0], sums[1])
}

// ends lists the ends in the order of the rule page.
func (g *Game) ends() []env.End {
	var ends engine.Ends
	r := &g.rules
	who := "a player has"
	if g.moverOnly {
		who = "the player who has just moved has"
	}
	ends.Add(true, env.AllHome, false, "%s all surviving tanks in the enemy base, or none left; more points win, equal points draw", who)
	ends.Add(r.NoProgress > 0, env.NoProgress, true, "%d plies in a row without a capture or a tank entering the enemy base; more points win, equal points draw", r.NoProgress)
	ends.Add(r.Repetition > 0, env.Repetition, true, "the position has occurred %d times; drawn", r.Repetition)
	ends.Add(true, env.NoMove, true, "the player to move has no legal move; more points win, equal points draw")
	return ends
}
