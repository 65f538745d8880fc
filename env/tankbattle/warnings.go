package tankbattle

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Warnings implements variant.Warner: it reports layouts that are valid but probably
// not intended.
func (r *Rules) Warnings() []variant.Warning {
	t := r.Layout.terrain()
	var list []variant.Warning
	warn := func(field, format string, args ...any) {
		list = append(list, variant.Warning{Field: field, Text: fmt.Sprintf(format, args...)})
	}
	for _, pair := range []struct {
		field, otherField string
		set, other        squareSet
	}{
		{"layout.white_base", "layout.black_base", t.base[0], t.base[1]},
		{"layout.contaminated", "layout.contaminated", t.contaminated, t.contaminated},
		{"layout.mines", "layout.mines", t.mines, t.mines},
	} {
		if pair.set.turned(t.squares()) != pair.other {
			warn(pair.field, "is not %s turned by half a circle, so the sides are not equal", pair.otherField)
		}
	}
	if t.commander[0]+t.commander[1] != t.squares()-1 {
		warn("layout.white_commander", "is not layout.black_commander turned by half a circle, so the sides are not equal")
	}
	for owner, field := range [2]string{"layout.black_base", "layout.white_base"} {
		reached := t.reachable(owner)
		for square := range t.squares() {
			if t.base[owner^1].has(square) && !reached.has(square) {
				warn(field, "has %s, which no tank of %s reaches on the empty board", t.name(square), playerNames[owner])
			}
		}
	}
	start := env.NewState(newGame(*r)).(*State)
	for _, a := range start.Noisy(nil) {
		warn("layout", "allows the capture %s at the first ply", env.ActionText(start, a))
	}
	return list
}

// reachable returns the squares that ordinary tanks reach from their own base on
// the empty board, in any number of moves.
func (t *terrain) reachable(owner int) squareSet {
	reached := t.base[owner]
	var frontier []int
	for square := range t.squares() {
		if reached.has(square) {
			frontier = append(frontier, square)
		}
	}
	tank := makeKind(owner, false)
	for ; len(frontier) > 0; frontier = frontier[1:] {
		for d := env.N; d <= env.NW; d++ {
			to := frontier[0]
			for range t.limit(tank, frontier[0], d) {
				to, _ = t.step(to, d)
				if !reached.has(to) {
					reached.add(to)
					frontier = append(frontier, to)
				}
			}
		}
	}
	return reached
}
