package render

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// look says how a ground is drawn: its grey and the hatching over it.
type look struct {
	name    string // in the legend of a text
	mark    string // of an empty square in a text
	fill    string
	pattern string // content of an 8×8 tile; empty for none
}

// looks are the grounds by number. Greys are apart by a step that survives a
// photocopier; what a tank cannot enter is hatched.
func looks(g env.Ground) look {
	const line = `<path d="%s" fill="none" stroke="#1a1a1a" stroke-opacity="%s" stroke-width="%s"/>`
	hatch := func(path, opacity, width string) string { return fmt.Sprintf(line, path, opacity, width) }
	table := [...]look{
		env.Plain:        {"plain", ".", "#fbfaf7", ""},
		env.FirstLand:    {"first player's land", ".", "#d9d7d0", ""},
		env.SecondLand:   {"second player's land", ":", "#fbfaf7", ""},
		env.Trench:       {"trench", "/", "#a9a69e", hatch("M-2 2L2 -2M0 8L8 0M6 10L10 6", "0.5", "1.3")},
		env.House:        {"house", "o", "#efe9dc", ""},
		env.Obstacle:     {"obstacle", "#", "#5c5a55", hatch("M0 0L8 8M8 0L0 8", "0.8", "1")},
		env.LowObstacle:  {"low obstacle", "=", "#b9b6ad", hatch("M0 2H8M0 6H8", "0.6", "1.2")},
		env.Hedge:        {"hedge", "%", "#c9d2bd", hatch("M0 4Q2 0 4 4Q6 8 8 4", "0.7", "1.2")},
		env.Water:        {"water", "~", "#d5e3ec", hatch("M0 3Q2 1 4 3T8 3M0 7Q2 5 4 7T8 7", "0.55", "0.9")},
		env.Mine:         {"mine", "*", "#fbfaf7", `<path d="M4 1V7M1 4H7M1.9 1.9L6.1 6.1M6.1 1.9L1.9 6.1" stroke="#1a1a1a" stroke-opacity="0.7" stroke-width="0.7"/>`},
		env.Contaminated: {"contaminated", "?", "#e9e6d9", `<circle cx="2" cy="2" r="1" fill="#1a1a1a" fill-opacity="0.5"/><circle cx="6" cy="6" r="1" fill="#1a1a1a" fill-opacity="0.5"/>`},
		env.FirstBase:    {"first player's base", "_", "#d9d7d0", hatch("M4 0V8", "0.35", "1")},
		env.SecondBase:   {"second player's base", "-", "#fbfaf7", hatch("M0 4H8", "0.35", "1")},
	}
	if int(g) >= len(table) {
		return look{"unknown ground", "!", paper, ""}
	}
	return table[g]
}

// patterns defines the hatchings that the board needs.
func (p *picture) patterns() {
	var used [256]bool
	for _, c := range p.Cells {
		used[c.Ground] = true
	}
	p.add(`<defs>`)
	for g, is := range used {
		if l := looks(env.Ground(g)); is && l.pattern != "" {
			p.add(`<pattern id="ground%d" width="8" height="8" patternUnits="userSpaceOnUse">%s</pattern>`, g, l.pattern)
		}
	}
	p.add(`</defs>`)
}

func (p *picture) ground(g env.Ground, x, y float64) {
	l := looks(g)
	p.add(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`, number(x), number(y), number(cell), number(cell), l.fill)
	if l.pattern != "" {
		p.add(`<rect x="%s" y="%s" width="%s" height="%s" fill="url(#ground%d)"/>`, number(x), number(y), number(cell), number(cell), g)
	}
}
