package render

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/render/shape"
)

// look describes how a ground is drawn.
type look struct {
	name    string               // in legends, empty for none; a leading %0 or %1 stands for the owner
	mark    string               // what a text shows in an empty square
	fill    string               // grey or tint
	solid   bool                 // in a text, the mark fills the whole width of a square
	kept    bool                 // in a text, the mark also appears beside a piece
	listed  bool                 // appears in the legend of a picture
	pattern func() []shape.Shape // hatching: content of an 8×8 tile; nil for none
	emblem  func() []shape.Shape // drawn around (0, 0); nil for none
}

// looks returns the look of a ground. Greys differ enough to survive a photocopier.
// Every ground that affects pieces has its own shape.
func looks(g env.Ground) look {
	hatch := func(path string, opacity, width float64) func() []shape.Shape {
		return func() []shape.Shape {
			return []shape.Shape{shape.Path{D: path, Paint: shape.Paint{
				shape.Fill(shape.None), shape.Stroke(ink), shape.StrokeOpacity(opacity), shape.StrokeWidth(width)}}}
		}
	}
	table := [...]look{
		env.Plain:      {mark: ".", fill: plainFill},
		env.FirstLand:  {name: "%0 land", mark: ".", fill: firstFill},
		env.SecondLand: {name: "%1 land", mark: ":", fill: plainFill},
		env.Trench:     {name: "trench", mark: "/", fill: trenchFill, pattern: hatch("M-2 2L2 -2M0 8L8 0M6 10L10 6", 0.5, 1.3), kept: true},
		env.House:      {name: "house", mark: "o", fill: houseFill},
		env.Obstacle: {name: "obstacle", mark: "#", fill: obstacleFill, solid: true, listed: true,
			pattern: bricks},
		env.LowObstacle: {name: "low obstacle", mark: "=", fill: lowFill, solid: true, listed: true, emblem: teeth},
		env.Hedge: {name: "hedge", mark: "%", fill: hedgeFill, solid: true, kept: true, listed: true,
			pattern: hatch("M0 4A4 4 0 0 1 8 4M-4 8A4 4 0 0 1 4 8A4 4 0 0 1 12 8", 0.6, 0.8)},
		env.Water: {name: "water", mark: "~", fill: waterFill, solid: true, kept: true, listed: true,
			pattern: hatch("M0 4Q2 1.5 4 4T8 4", 0.6, 0.9)},
		env.Mine:         {name: "mine", mark: "*", fill: plainFill, listed: true, emblem: mineEmblem},
		env.Contaminated: {name: "contaminated", mark: "?", fill: contaminatedFill, kept: true, listed: true, emblem: trefoil, pattern: specks},
		env.FirstBase:    {name: "%0 base", mark: "_", fill: baseFill, pattern: hatch("M4 0V8", 0.35, 1), kept: true, listed: true},
		env.SecondBase:   {name: "%1 base", mark: "-", fill: plainFill, pattern: hatch("M0 4H8", 0.4, 1), kept: true, listed: true},
	}
	if int(g) >= len(table) {
		return look{name: "unknown ground", mark: "!", fill: paper}
	}
	return table[g]
}

func bricks() []shape.Shape {
	return []shape.Shape{shape.Path{D: "M0 0.5H8M0 4.5H8M2 0.5V4.5M6 4.5V8", Paint: shape.Paint{
		shape.Fill(shape.None), shape.Stroke("#bab7af"), shape.StrokeWidth(0.7)}}}
}

func specks() []shape.Shape {
	paint := shape.Paint{shape.Fill(ink), shape.FillOpacity(0.45)}
	return []shape.Shape{shape.Circle{X: 2, Y: 2, Radius: 0.9, Paint: paint}, shape.Circle{X: 6, Y: 6, Radius: 0.9, Paint: paint}}
}

// teeth are the concrete pyramids that stop tanks.
func teeth() []shape.Shape {
	return []shape.Shape{shape.Path{
		D:     "M-21 -3L-13.5 -18L-6 -3ZM-7.5 -3L0 -18L7.5 -3ZM6 -3L13.5 -18L21 -3ZM-21 17L-13.5 2L-6 17ZM-7.5 17L0 2L7.5 17ZM6 17L13.5 2L21 17Z",
		Paint: shape.Paint{shape.Fill("#5c5a55"), shape.Stroke(ink), shape.StrokeWidth(1), shape.RoundJoin()},
	}}
}

func mineEmblem() []shape.Shape {
	return []shape.Shape{
		shape.Path{D: "M0 -17L18 14H-18Z", Paint: shape.Paint{shape.Fill(paper), shape.Stroke(ink), shape.StrokeWidth(2.8), shape.RoundJoin()}},
		shape.Path{D: "M0 -5.5V12.5M-9 3.5H9M-6 -2.5L6 9.5M-6 9.5L6 -2.5", Paint: shape.Paint{shape.Stroke(ink), shape.StrokeWidth(1.8)}},
		shape.Circle{Y: 3.5, Radius: 5.4, Paint: shape.Paint{shape.Fill(ink)}},
	}
}

func trefoil() []shape.Shape {
	return []shape.Shape{
		shape.Circle{Radius: 2.8, Paint: shape.Paint{shape.Fill(ink)}},
		shape.Path{
			D: "M-2.5 -4.33L-8 -13.86A16 16 0 0 1 8 -13.86L2.5 -4.33A5 5 0 0 0 -2.5 -4.33Z" +
				"M5 0L16 0A16 16 0 0 1 8 13.86L2.5 4.33A5 5 0 0 0 5 0ZM-5 0L-16 0A16 16 0 0 0 -8 13.86L-2.5 4.33A5 5 0 0 1 -5 0Z",
			Paint: shape.Paint{shape.Fill(ink), shape.FillOpacity(0.6)},
		},
	}
}

// markedEmblem fills the corners of a square, which pieces leave free.
func markedEmblem() []shape.Shape {
	return []shape.Shape{
		shape.Path{D: "M-23 -23H-11L-23 -11ZM23 -23H11L23 -11ZM-23 23H-11L-23 11ZM23 23H11L23 11Z", Paint: shape.Paint{shape.Fill(ink)}},
		shape.Path{
			D:     "M0 -13L3.06 -4.21L12.36 -4.02L4.95 1.61L7.64 10.52L0 5.2L-7.64 10.52L-4.95 1.61L-12.36 -4.02L-3.06 -4.21Z",
			Paint: shape.Paint{shape.Fill(paper), shape.Stroke(ink), shape.StrokeWidth(1.6), shape.RoundJoin()},
		},
	}
}

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

// patterns returns the hatchings that the board needs.
func (p *picture) patterns() (list []shape.Pattern) {
	var used [256]bool
	for _, c := range p.Cells {
		used[p.shade(c.Ground)] = true
	}
	for g, is := range used {
		if l := looks(env.Ground(g)); is && l.pattern != nil {
			list = append(list, shape.Pattern{ID: patternID(env.Ground(g)), Side: 8, Shapes: l.pattern()})
		}
	}
	return list
}

func patternID(g env.Ground) string { return fmt.Sprintf("ground%d", g) }

// ground draws a square of ground with the given side.
func (p *picture) ground(g env.Ground, x, y, side float64) {
	g = p.shade(g)
	l := looks(g)
	p.add(shape.Rect{X: x, Y: y, Width: side, Height: side, Paint: shape.Paint{shape.Fill(l.fill)}})
	if l.pattern != nil {
		p.add(shape.Rect{X: x, Y: y, Width: side, Height: side, Paint: shape.Paint{shape.FillPattern(patternID(g))}})
	}
	if l.emblem != nil {
		p.emblem(l.emblem(), x, y, side)
	}
}

// emblem draws an emblem, scaled to a square with the given side.
func (p *picture) emblem(shapes []shape.Shape, x, y, side float64) {
	p.add(shape.Group{Place: &shape.Place{X: x + side/2, Y: y + side/2, Scale: side / cell}, Shapes: shapes, Inline: true})
}
