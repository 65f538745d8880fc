package tankchess

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// playerNames are what the players are called.
var playerNames = [2]string{"White", "Black"}

func (g *Game) makeSpec() env.Spec {
	t := g.templates.count
	spec := engine.NewSpec(&g.rules.Header, about.Version, &g.start)
	spec.Players, spec.Width, spec.Height = playerNames, g.size, g.size
	spec.Actions, spec.MaxLegal = int(g.escape)+1, g.maxLegal()
	spec.Encoding = fmt.Sprintf("(slot·%[1]d + template)·%[2]d + shot in the mover's frame: the board as it is for White, rotated by 180° for "+
		"Black. %[3]d is the escape. Slots number the pieces of a side by type, and the pieces of a type by start square in the owner's frame. "+
		"Templates number the end states (dx, dy, turn) of a move, relative to the square and the facing of the piece: 0 is the step back; the "+
		"others are ordered by fewest steps, dy, dx and turn. Facings N and NE have a list each, and the names of the action planes give that of N; "+
		"for other facings the lists are rotated by multiples of 90°. Shot 0 means that no shot is fired. Shots 1 to %[4]d are the arcs of a gun from left to right and, if "+
		"it fires over things, the distances within each arc; a direct gun with one arc uses shot 2. Since actions name slots instead of squares, "+
		"the action planes are templates × shots over the start squares of the slots, and the escape has its own plane.",
		t, g.shotCount, g.escape, g.shotCount-1)
	spec.Planes, spec.Ends, spec.Features = g.planes(), g.ends(), featureNames[:]
	spec.ActionPlanes, spec.ActionCells = g.actionPlanes()
	spec.ActionFactors = []env.Factor{
		{Name: "slot", Description: "which piece", Size: len(g.slots)},
		{Name: "template", Description: "end state of the move, relative to the square and the facing of the piece", Size: t},
		{Name: "shot", Description: "0 means that no shot is fired, the others are arcs and distances of the gun", Size: g.shotCount},
	}
	for slot := range g.slots {
		spec.SlotPlanes = append(spec.SlotPlanes, int16(g.planeIndex.slots[0][slot].slot))
	}
	for i := range g.kinds {
		spec.Pieces = append(spec.Pieces, g.pieceType(i))
	}
	return spec
}

// maxLegal bounds the legal actions: every piece reaches all its end states and fires
// from each with all its shots, but not with more shots than there are enemies. A
// position may fill slots that the layout leaves empty.
func (g *Game) maxLegal() int {
	n := int(engine.Flag(g.rules.Escape == escapeOffBoard))
	for _, slot := range g.slots {
		k := &g.kinds[slot.kind]
		ends := max(g.templates.countBySpeed[env.N][k.speed], g.templates.countBySpeed[env.NE][k.speed])
		n += ends * (1 + min(len(k.shots), len(g.slots)))
	}
	return n
}

// actionPlanes returns the action planes, one for each template and shot, and the
// cell of every action, on the square that stands for its slot.
func (g *Game) actionPlanes() (planes []string, cells []env.ActionCell) {
	t := g.templates
	for n := range t.count {
		list := t.endStates[env.N]
		if n >= len(list) { // diagonal facings may have more
			list = t.endStates[env.NE]
		}
		e := list[n]
		for shot := range g.shotCount {
			planes = append(planes, fmt.Sprintf("template %d (%+d,%+d) turn %d shot %d", n, e.dx, e.dy, e.turn, shot))
		}
	}
	for _, slot := range g.slots {
		for plane := range t.count * g.shotCount {
			cells = append(cells, env.ActionCell{Plane: int16(plane), Square: int16(slot.actionSquare)})
		}
	}
	cells = append(cells, env.ActionCell{Plane: int16(len(planes)), Square: int16(g.slots[g.command].actionSquare)})
	return append(planes, "escape"), cells
}

func (g *Game) pieceType(i int) env.PieceType {
	k := &g.kinds[i]
	p := g.rules.Pieces[k.code]
	kind := env.PieceType{
		Name: p.Name, Symbol: k.code, MaxCount: 1, Turns: true,
		Attributes: []env.Attribute{
			{Name: "value", Value: p.Value}, {Name: "speed", Value: p.Speed},
			{Name: "armour_front", Value: p.Armour.Front}, {Name: "armour_side", Value: p.Armour.Side}, {Name: "armour_rear", Value: p.Armour.Rear},
			{Name: "power", Value: p.Power}, {Name: "least_range", Value: p.Gun.Least}, {Name: "greatest_range", Value: p.Gun.Greatest},
			{Name: "indirect", Value: int(engine.Flag(p.Gun.Indirect))}, {Name: "amphibious", Value: int(engine.Flag(p.Amphibious))},
		},
	}
	for arc := -3; arc <= 4; arc++ {
		has := engine.Flag(slices.Contains(p.Gun.Arcs, arc))
		kind.Attributes = append(kind.Attributes, env.Attribute{Name: fmt.Sprintf("arc_%d", arc), Value: int(has)})
	}
	for owner, army := range g.board.armies {
		for _, s := range army {
			if s.kind == i {
				kind.Count[owner]++
			}
		}
	}
	return kind
}

// ends lists the ends in the order of the rule page.
func (g *Game) ends() []env.End {
	var ends engine.Ends
	r := g.rules
	barred := r.CornerExit == cornerBarred
	ends.Add(true, env.CommandDestroyed, false, "the enemy's Command Tank was destroyed; its destroyer wins")
	ends.Add(r.Escape == escapeOffBoard && !barred, env.Escaped, false, "the Command Tank left the board over the enemy's home edge, not diagonally out of a corner, and wins")
	ends.Add(r.Escape == escapeOffBoard && barred, env.Escaped, false, "the Command Tank left the board over the enemy's home edge, not from a corner, and wins")
	ends.Add(r.Escape == escapeLastRank && !barred, env.Escaped, false, "the Command Tank ended a move on the enemy's home rank and wins")
	ends.Add(r.Escape == escapeLastRank && barred, env.Escaped, false, "the Command Tank ended a move on the enemy's home rank, except in a corner, and wins")
	ends.Add(r.NoProgress > 0, env.NoProgress, true, "%d plies in a row without a destroyed piece; drawn", r.NoProgress)
	ends.Add(r.Repetition > 0, env.Repetition, true, "the position has occurred %d times, with pieces of the same type interchangeable; drawn", r.Repetition)
	return ends
}
