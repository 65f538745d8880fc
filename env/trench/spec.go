package trench

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

func (g *Game) makeSpec() env.Spec {
	spec := engine.NewSpec(&g.rules.Header, about.Version, &g.start)
	g.rays.Describe(&spec)
	spec.MaxLegal = g.maxLegal()
	spec.Planes, spec.Ends, spec.Features = g.planes(), g.ends(), featureNames[:]
	spec.MultipleCapture = "charge"
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
			has := engine.Flag(piece.Directions.Has(d))
			kind.Attributes = append(kind.Attributes, env.Attribute{Name: "direction_" + d.String(), Value: int(has)})
		}
		spec.Pieces = append(spec.Pieces, kind)
	}
	return spec
}

// maxLegal bounds the legal actions: a side has its whole army, and the pieces of
// each rank stand on the squares from which they go farthest on the empty board.
func (g *Game) maxLegal() (most int) {
	for owner := env.First; owner <= env.Second; owner++ {
		sum := 0
		for rank, count := range armyCounts {
			longest, dirs := g.rules.longestMove(owner, rank), g.dirs[rank]
			sum += g.rays.MostMoves(count, func(square int, d env.Direction) int {
				return min(longest, g.rays.ToEdge(square, d)) * int(engine.Flag(dirs.Has(d)))
			})
		}
		most = max(most, sum)
	}
	return most
}

// ends lists the ends in the order of the rule page.
func (g *Game) ends() []env.End {
	r, turns := &g.rules, ""
	if r.EqualTurns {
		turns = "; when Black reaches them White has one more move, then more points win and equal points draw (that draw is a house rule)"
	}
	var ends engine.Ends
	ends.Add(r.TargetPoints > 0, env.Points, false, "a player has captured %d points%s", r.TargetPoints, turns)
	ends.Add(r.GeneralWins, env.General, false, "a General was captured")
	first := ""
	if 0 < r.TargetPoints && r.TargetPoints <= g.worth && !r.EqualTurns {
		first = " (from the start the target is reached first)"
	}
	ends.Add(true, env.Annihilated, false, "an army has no piece left and has lost%s", first)
	ends.Add(r.MovesEach > 0, env.MoveLimit, false, "each side has made %d moves; more points win, equal points draw", r.MovesEach)
	ends.Add(r.NoProgress > 0, env.Armistice, true, "%d plies in a row without a capture; more points win, equal points draw", r.NoProgress)
	ends.Add(true, env.NoMove, true, "the player to move has no legal move; more points win, equal points draw")
	ends.Add(r.Repetition > 0, env.Repetition, true, "the position has occurred %d times; drawn", r.Repetition)
	return ends
}
