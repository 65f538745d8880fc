package render

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// look describes how a ground is drawn.
type look struct {
	name    string // in legends, empty for none; a leading %0 or %1 stands for the owner
	mark    string // what a text shows in an empty square
	fill    string // grey or tint
	pattern string // hatching: content of an 8×8 tile; empty for none
	emblem  string // drawn around (0, 0); empty for none
	solid   bool   // in a text, the mark fills the whole width of a square
	kept    bool   // in a text, the mark also appears beside a piece
	listed  bool   // appears in the legend of a picture
}

// looks returns the look of a ground. Greys differ enough to survive a photocopier.
// Every ground that affects pieces has its own shape.
func looks(g env.Ground) look {
	hatch := func(path, opacity, width string) string {
		return fmt.Sprintf(`<path d="%s" fill="none" stroke="#1a1a1a" stroke-opacity="%s" stroke-width="%s"/>`, path, opacity, width)
	}
	table := [...]look{
		env.Plain:      {mark: ".", fill: "#fbfaf7"},
		env.FirstLand:  {name: "%0 land", mark: ".", fill: "#d9d7d0"},
		env.SecondLand: {name: "%1 land", mark: ":", fill: "#fbfaf7"},
		env.Trench:     {name: "trench", mark: "/", fill: "#a9a69e", pattern: hatch("M-2 2L2 -2M0 8L8 0M6 10L10 6", "0.5", "1.3"), kept: true},
		env.House:      {name: "house", mark: "o", fill: "#efe9dc"},
		env.Obstacle: {name: "obstacle", mark: "#", fill: "#65625c", solid: true, listed: true,
			pattern: `<path d="M0 0.5H8M0 4.5H8M2 0.5V4.5M6 4.5V8" fill="none" stroke="#bab7af" stroke-width="0.7"/>`},
		env.LowObstacle: {name: "low obstacle", mark: "=", fill: "#dedbd2", solid: true, listed: true, emblem: teeth},
		env.Hedge: {name: "hedge", mark: "%", fill: "#dbe7cf", solid: true, kept: true, listed: true,
			pattern: hatch("M0 4A4 4 0 0 1 8 4M-4 8A4 4 0 0 1 4 8A4 4 0 0 1 12 8", "0.6", "0.8")},
		env.Water: {name: "water", mark: "~", fill: "#d5e6f2", solid: true, kept: true, listed: true,
			pattern: hatch("M0 4Q2 1.5 4 4T8 4", "0.6", "0.9")},
		env.Mine: {name: "mine", mark: "*", fill: "#fbfaf7", listed: true, emblem: mineEmblem},
		env.Contaminated: {name: "contaminated", mark: "?", fill: "#e4e0cd", kept: true, listed: true, emblem: trefoil,
			pattern: `<circle cx="2" cy="2" r="0.9" fill="#1a1a1a" fill-opacity="0.45"/><circle cx="6" cy="6" r="0.9" fill="#1a1a1a" fill-opacity="0.45"/>`},
		env.FirstBase:  {name: "%0 base", mark: "_", fill: "#cdcac2", pattern: hatch("M4 0V8", "0.35", "1"), kept: true, listed: true},
		env.SecondBase: {name: "%1 base", mark: "-", fill: "#fbfaf7", pattern: hatch("M0 4H8", "0.4", "1"), kept: true, listed: true},
	}
	if int(g) >= len(table) {
		return look{name: "unknown ground", mark: "!", fill: paper}
	}
	return table[g]
}

const (
	// teeth are the concrete pyramids that stop tanks.
	teeth = `<path d="M-21 -3L-13.5 -18L-6 -3ZM-7.5 -3L0 -18L7.5 -3ZM6 -3L13.5 -18L21 -3ZM-21 17L-13.5 2L-6 17ZM-7.5 17L0 2L7.5 17ZM6 17L13.5 2L21 17Z"` +
		` fill="#5c5a55" stroke="#1a1a1a" stroke-width="1" stroke-linejoin="round"/>`
	mineEmblem = `<path d="M0 -17L18 14H-18Z" fill="#ffffff" stroke="#1a1a1a" stroke-width="2.8" stroke-linejoin="round"/>` +
		`<path d="M0 -5.5V12.5M-9 3.5H9M-6 -2.5L6 9.5M-6 9.5L6 -2.5" stroke="#1a1a1a" stroke-width="1.8"/><circle cy="3.5" r="5.4" fill="#1a1a1a"/>`
	trefoil = `<circle r="2.8" fill="#1a1a1a"/><path d="M-2.5 -4.33L-8 -13.86A16 16 0 0 1 8 -13.86L2.5 -4.33A5 5 0 0 0 -2.5 -4.33Z` +
		`M5 0L16 0A16 16 0 0 1 8 13.86L2.5 4.33A5 5 0 0 0 5 0ZM-5 0L-16 0A16 16 0 0 0 -8 13.86L-2.5 4.33A5 5 0 0 1 -5 0Z" fill="#1a1a1a" fill-opacity="0.6"/>`
	// markedEmblem fills the corners of a square, which pieces leave free.
	markedEmblem = `<path d="M-23 -23H-11L-23 -11ZM23 -23H11L23 -11ZM-23 23H-11L-23 11ZM23 23H11L23 11Z" fill="#1a1a1a"/>` +
		`<path d="M0 -13L3.06 -4.21L12.36 -4.02L4.95 1.61L7.64 10.52L0 5.2L-7.64 10.52L-4.95 1.61L-12.36 -4.02L-3.06 -4.21Z" fill="#ffffff" stroke="#1a1a1a" stroke-width="1.6" stroke-linejoin="round"/>`
)

// named returns the name of a ground, with the name of its owner.
func (l look) named(d *env.Diagram) string {
	owned, name, _ := strings.Cut(l.name, " ")
	switch owned {
	case "%0":
		return possessive(d, env.First) + " " + name
	case "%1":
		return possessive(d, env.Second) + " " + name
	}
	return l.name
}

func possessive(d *env.Diagram, p env.Player) string { return playerName(d, p) + "'s" }

func playerName(d *env.Diagram, p env.Player) string {
	if name := d.Players[p]; name != "" {
		return name
	}
	return [2]string{"first player", "second player"}[p]
}

// shade returns the ground whose look a picture uses for g. A player's grounds are
// dark or light like the player's pieces.
func (p *picture) shade(g env.Ground) env.Ground {
	if !p.FirstLight {
		return g
	}
	switch g {
	case env.FirstLand:
		return env.SecondLand
	case env.SecondLand:
		return env.FirstLand
	case env.FirstBase:
		return env.SecondBase
	case env.SecondBase:
		return env.FirstBase
	}
	return g
}

// patterns defines the hatchings that the board needs.
func (p *picture) patterns() {
	var used [256]bool
	for _, c := range p.Cells {
		used[p.shade(c.Ground)] = true
	}
	p.add(`<defs>`)
	for g, is := range used {
		if l := looks(env.Ground(g)); is && l.pattern != "" {
			p.add(`<pattern id="ground%d" width="8" height="8" patternUnits="userSpaceOnUse">%s</pattern>`, g, l.pattern)
		}
	}
	p.add(`</defs>`)
}

// ground draws a square of ground with the given side.
func (p *picture) ground(g env.Ground, x, y, side float64) {
	g = p.shade(g)
	l := looks(g)
	p.add(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`, number(x), number(y), number(side), number(side), l.fill)
	if l.pattern != "" {
		p.add(`<rect x="%s" y="%s" width="%s" height="%s" fill="url(#ground%d)"/>`, number(x), number(y), number(side), number(side), g)
	}
	if l.emblem != "" {
		p.emblem(l.emblem, x, y, side)
	}
}

// emblem draws an emblem, scaled to a square with the given side.
func (p *picture) emblem(content string, x, y, side float64) {
	p.add(`<g transform="translate(%s %s) scale(%s)">%s</g>`, number(x+side/2), number(y+side/2), number(side/cell), content)
}
