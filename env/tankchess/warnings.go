package tankchess

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Warnings implements variant.Warner.
func (r *Rules) Warnings() []variant.Warning {
	g := newGame(*r)
	var list []variant.Warning
	warn := func(field, format string, args ...any) {
		list = append(list, variant.Warning{Field: field, Text: fmt.Sprintf(format, args...)})
	}
	if r.NoProgress == 0 && r.Repetition == 0 {
		warn("", "repetition and no_progress are both 0: a game without a winner never ends by its rules")
	}
	if why := g.asymmetry(); why != "" {
		warn("layout", "is not the same for both sides: %s", why)
	}
	for p := env.First; p <= env.Second; p++ {
		if shot := g.firstShot(p); shot != "" {
			warn("layout", "lets %s destroy a piece at once, if it moved first, by %s", playerNames[p], shot)
		}
		if g.start.CanEscape(p) {
			warn("layout", "lets %s escape at once, if it moved first", playerNames[p])
		}
		if r.Escape == escapeNever && !g.armed(p) {
			warn("layout", "gives %s no piece that can destroy the enemy's Command Tank, and escape is never", playerNames[p])
		}
		if !g.wayOut(p) {
			warn("layout", "gives %s's Command Tank on %s no way past the terrain to an escape", playerNames[p], g.squareName(int(g.start.tanks[p][g.command].square)))
		}
	}
	for i, k := range g.kinds {
		if g.spec.Pieces[i].Count == [2]int{} {
			warn("pieces."+k.code, "is in no army, but its speed and its gun still affect the numbers of actions")
		}
	}
	return list
}

// asymmetry describes a difference between the layout and its image, rotated by 180°
// with the armies exchanged. It is empty without a difference.
func (g *Game) asymmetry() string {
	for _, terrain := range g.terrains() {
		for square := range g.squares {
			if image := g.frame(env.Second, square); terrain.squares.has(square) && !terrain.squares.has(image) {
				return fmt.Sprintf("%s has %s and %s has none", g.squareName(square), terrain.name, g.squareName(image))
			}
		}
	}
	for p, army := range g.board.armies {
		for _, s := range army {
			image := startPiece{kind: s.kind, square: g.frame(env.Second, s.square), facing: s.facing.Turned(4)}
			if !slices.Contains(g.board.armies[1-p], image) {
				return fmt.Sprintf("%s has %s on %s, but %s has none on %s facing %v", playerNames[p], g.kinds[s.kind].code,
					g.squareName(s.square), playerNames[1-p], g.squareName(image.square), image.facing)
			}
		}
	}
	return ""
}

// firstShot returns a move with a shot that p has at the start if it moves first, or
// "".
func (g *Game) firstShot(p env.Player) string {
	s := env.NewState(g).(*State)
	s.Next = p
	if shots := s.Noisy(nil); len(shots) > 0 {
		return env.ActionText(s, shots[0])
	}
	return ""
}

// wayOut reports whether p's Command Tank could reach an escape on a board without
// other pieces. It can turn on any square, so it can step to every neighbouring square
// that is not closed.
func (g *Game) wayOut(p env.Player) bool {
	if g.rules.Escape == escapeNever {
		return true
	}
	command := g.start.tanks[p][g.command]
	closed := &g.closed[g.kinds[g.slots[g.command].kind].closed]
	queue := []int{int(command.square)}
	var seen squareSet
	seen.add(queue[0])
	for len(queue) > 0 {
		square := queue[0]
		queue = queue[1:]
		if g.rules.isExit(p, square) {
			return true
		}
		for d := env.N; d <= env.NW; d++ {
			to := square + g.indexStep[d]
			if g.toEdge[d][square] > 0 && !seen.has(to) && !closed.has(int(g.coords[to].x), int(g.coords[to].y)) {
				seen.add(to)
				queue = append(queue, to)
			}
		}
	}
	return false
}

// armed reports whether p has a piece that destroys a Command Tank from some side.
func (g *Game) armed(p env.Player) bool {
	armour := g.kinds[g.slots[g.command].kind].armour
	weakest := min(armour[env.Front], armour[env.Side], armour[env.Rear])
	return slices.ContainsFunc(g.board.armies[p], func(s startPiece) bool {
		return len(g.kinds[s.kind].shots) > 0 && g.kinds[s.kind].power > weakest
	})
}
