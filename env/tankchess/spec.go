package tankchess

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// playerNames are what the players are called.
var playerNames = [2]string{"White", "Black"}

func (g *Game) makeSpec() env.Spec {
	t := g.templates.count
	spec := env.Spec{
		Game:        engineName,
		Name:        g.rules.Name,
		Description: g.rules.Description,
		Source:      g.rules.Source,
		Version:     behaviour,
		Players:     playerNames,
		Width:       g.size,
		Height:      g.size,
		StartText:   env.PositionText(&g.start),
		Actions:     int(g.escape) + 1,
		MaxLegal:    g.maxLegal(),
		Encoding: fmt.Sprintf("(slot·%[1]d + template)·%[2]d + shot in the mover's frame, the board as it is for White and turned by 180° for "+
			"Black; %[3]d is the escape. Slots number a side's pieces by type and within a type by start square in the owner's frame. "+
			"Templates number the end states (dx, dy, turn) of a move relative to square and facing: 0 is the step back, the others follow by "+
			"fewest steps, then dy, dx, turn, for the facing N, as the names of the action planes say, and apart from it for NE; those of the "+
			"other facings are these turned by multiples of 90°. Shot 0 is none; 1 to %[4]d are a gun's arcs from left to right, and "+
			"its distances within an arc when it fires over things; a direct gun with one arc uses 2. As actions name slots and not squares, the "+
			"action planes are templates × shots over the start squares of the slots, and the escape has a plane of its own.",
			t, g.shotCount, g.escape, g.shotCount-1),
		Planes:   g.planes(),
		Ends:     g.ends(),
		Features: featureNames[:],
	}
	spec.ActionPlanes, spec.ActionCells = g.actionPlanes()
	for i := range g.kinds {
		spec.Pieces = append(spec.Pieces, g.pieceType(i))
	}
	return spec
}

// maxLegal bounds the legal actions: every piece reaches all its end states and
// from each destroys with all its shots, but at most every enemy. A position may
// fill slots that the layout leaves empty.
func (g *Game) maxLegal() int {
	n := 0
	for _, slot := range g.slots {
		k := &g.kinds[slot.kind]
		ends := max(g.templates.countBySpeed[0][k.speed], g.templates.countBySpeed[1][k.speed])
		n += ends * (1 + min(len(k.shots), len(g.slots)))
	}
	return n + 1 + slack // 1 for the escape
}

// actionPlanes gives every action its cell: a plane of its template and shot,
// and the square that stands for its slot.
func (g *Game) actionPlanes() (planes []string, cells []env.ActionCell) {
	t := g.templates
	for n := range t.count {
		list := t.endStates[env.N]
		if n >= len(list) { // only a diagonal facing has so many
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
		has := false
		for _, a := range p.Gun.Arcs {
			has = has || a == arc
		}
		kind.Attributes = append(kind.Attributes, env.Attribute{Name: fmt.Sprintf("arc_%d", arc), Value: int(engine.Flag(has))})
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

// ends lists the ends in the order of the rules.
func (g *Game) ends() []env.End {
	r := g.rules
	ends := []env.End{{Reason: env.CommandDestroyed, Description: "the enemy's Command Tank was destroyed; its destroyer wins"}}
	switch r.Escape {
	case escapeOffBoard:
		corner := "not diagonally out of its corners"
		if r.CornerExit == cornerBarred {
			corner = "not from its corners"
		}
		ends = append(ends, env.End{Reason: env.Escaped, Description: "the Command Tank left the board over the enemy's home edge, " + corner + ", and wins"})
	case escapeLastRank:
		corner := ""
		if r.CornerExit == cornerBarred {
			corner = ", its corners excepted,"
		}
		ends = append(ends, env.End{Reason: env.Escaped, Description: "the Command Tank ended a move on the enemy's home rank" + corner + " and wins"})
	}
	if r.NoProgress > 0 {
		ends = append(ends, env.End{Reason: env.NoProgress, HouseRule: true,
			Description: fmt.Sprintf("%d plies in a row without a destroyed piece; drawn", r.NoProgress)})
	}
	if r.Repetition > 0 {
		ends = append(ends, env.End{Reason: env.Repetition, HouseRule: true,
			Description: fmt.Sprintf("the position has occurred %d times, pieces of one type being interchangeable; drawn", r.Repetition)})
	}
	return ends
}
