package render

import (
	"github.com/sandtable-farm/sandtable/env/render/shape"
)

// A Theme is a set of colours. The shapes of a picture are the same in all themes, so
// that each of them can be read without seeing colours.
type Theme uint8

const (
	Print  Theme = iota // greys on white, for paper
	Colour              // blue and amber pieces on white
	Dark                // for dark pages
)

// Themes are the names of the themes, by number.
func Themes() []string { return []string{"print", "colour", "dark"} }

// Drawing uses these names of colours, which a theme replaces: hexadecimal names are
// those of the theme Print.
const (
	ink        = "#1a1a1a"
	paper      = "#ffffff"
	soft       = "#6b6b6b" // coordinates, names of houses
	accent     = "#c8500a" // marks of the last move
	burnt      = "#a5a29a" // wrecks
	darkPiece  = "dark piece"
	lightPiece = "light piece"
	onDark     = "letters on a dark piece"
	onLight    = "letters on a light piece"
)

// colours returns the colour for each name that the theme replaces.
func (t Theme) colours() map[string]string {
	switch t {
	case Colour:
		return map[string]string{
			darkPiece: "#123f6b", lightPiece: "#ffd479", onDark: "#ffffff", onLight: "#1a1a1a", accent: "#d12c0f",
			plainFill: "#f6f2e4", firstFill: "#dbe5c8", trenchFill: "#b98d5e", houseFill: "#d8a868", obstacleFill: "#6a5646",
			lowFill: "#e2d3bd", hedgeFill: "#b4d694", waterFill: "#a6d3f0", contaminatedFill: "#f1e57f", baseFill: "#bfd0e6", pitFill: "#b98a4e",
		}
	case Dark:
		return map[string]string{
			ink: "#e6e3dc", paper: "#15171b", soft: "#a3a3a3", accent: "#ff9440", burnt: "#5a564f",
			darkPiece: "#24558a", lightPiece: "#f4e3b5", onDark: "#ffffff", onLight: "#15171b",
			plainFill: "#2b2e34", firstFill: "#3a3f36", trenchFill: "#6b5233", houseFill: "#4a3b28", obstacleFill: "#0c0d0f",
			lowFill: "#4b443a", hedgeFill: "#2f4a26", waterFill: "#1f4159", contaminatedFill: "#57521c", baseFill: "#38475c", pitFill: "#3a2f21",
		}
	}
	return map[string]string{darkPiece: ink, lightPiece: paper, onDark: paper, onLight: ink}
}

// recolour replaces the colours of shapes in place.
func recolour(shapes []shape.Shape, colours map[string]string) {
	paint := func(list shape.Paint) {
		for i, property := range list {
			if colour, is := colours[property.Text]; is {
				list[i].Text = colour
			}
		}
	}
	for _, s := range shapes {
		switch s := s.(type) {
		case shape.Path:
			paint(s.Paint)
		case shape.Rect:
			paint(s.Paint)
		case shape.Circle:
			paint(s.Paint)
		case shape.Text:
			paint(s.Paint)
		case shape.Group:
			paint(s.Paint)
			recolour(s.Shapes, colours)
		}
	}
}

// Fills of grounds and pits.
const (
	plainFill        = "#fbfaf7"
	firstFill        = "#d9d7d0"
	trenchFill       = "#a9a69e"
	houseFill        = "#efe9dc"
	obstacleFill     = "#65625c"
	lowFill          = "#dedbd2"
	hedgeFill        = "#dbe7cf"
	waterFill        = "#d5e6f2"
	contaminatedFill = "#e4e0cd"
	baseFill         = "#cdcac2"
	pitFill          = "#cfcabd" // of a dark house
)
