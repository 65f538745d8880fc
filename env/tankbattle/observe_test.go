package tankbattle_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
)

// TestObservationPlanesSayWhatTheSpecSays rebuilds each plane by its name.
func TestObservationPlanesSayWhatTheSpecSays(t *testing.T) {
	for _, name := range append([]string{mirrored, `tankbattle/standard{"no_progress":600,"points":{"elsewhere":90}}`}, presetNames...) {
		spec := load(t, name).Game.Spec()
		size := spec.Width
		planes := make([]uint8, spec.ObservationSize())
		rules := rulesOf(t, name)
		seen := map[string]int{}
		envtest.WalkGames(load(t, name).Game, 1, func(s env.State) {
			r := newReference(rules, env.PositionText(s))
			if r.plies == 0 {
				clear(seen)
			}
			seen[r.boardAndSide()]++
			if r.plies%31 > 1 && seen[r.boardAndSide()] == 1 {
				return
			}
			for viewer := range env.Player(2) {
				s.Observe(planes, viewer)
				for i, plane := range spec.Planes {
					for element := range size * size {
						x, y := element%size, element/size
						if viewer == env.Second {
							x, y = size-1-x, size-1-y
						}
						want := refPlane(r, plane.Name, int(viewer), squareName(x, y), s.Player() == viewer, seen[r.boardAndSide()])
						if got := planes[i*size*size+element]; int(got) != want || got > plane.Max {
							t.Fatalf("%s %s: plane %q at %s for player %d is %d, want %d (max %d)",
								name, env.PositionText(s), plane.Name, squareName(x, y), viewer, got, want, plane.Max)
						}
					}
				}
			}
		})
	}
}

func refPlane(r *reference, plane string, viewer int, square string, toMove bool, occurred int) int {
	is := map[bool]int{true: 1}
	of, rest, _ := strings.Cut(plane, " ")
	owner := viewer
	if of == "enemy" {
		owner = 1 - viewer
	}
	most := func() int {
		p := r.rules.Points
		return max(p.CommanderHome, p.CommanderInBase, p.Elsewhere) + (len(r.rules.Layout.WhiteBase)-1)*max(p.TankInBase, p.Elsewhere)
	}
	scaled := func(value, top int) int {
		if top > 255 {
			return value * 255 / top
		}
		return value
	}
	c := r.at[square]
	switch plane {
	case "mines":
		return is[r.mines[square]]
	case "contaminated":
		return is[r.contaminated[square]]
	case "to move":
		return is[toMove]
	case "White":
		return is[viewer == 0]
	case "quiet plies":
		return scaled(r.quiet, r.rules.NoProgress)
	case "occurrences":
		return occurred
	}
	switch rest {
	case "base":
		return is[r.base[owner][square]]
	case "mark":
		return is[r.mark[owner] == square]
	case "score":
		return scaled(r.score(owner), most())
	}
	return is[c != 0 && side(c) == owner && isCommander(c) == (rest == "commander")]
}
