// Package shape describes pictures of boards as lists of shapes, from which SVG and
// pixels are made. Lengths are in user units; y points down. A number counts with two
// decimals, so that all forms of a picture agree.
package shape

// A Picture is a rectangle with shapes on it, drawn in order.
type Picture struct {
	Title string
	// Width and Height are the size in user units.
	Width, Height float64
	// PixelWidth and PixelHeight are the size at which the picture is shown.
	PixelWidth, PixelHeight float64
	Patterns                []Pattern
	Shapes                  []Shape
}

// A Pattern is a tile that repeats from the origin of the picture.
type Pattern struct {
	ID     string
	Side   float64
	Shapes []Shape
}

// A Shape is a Path, Rect, Circle, Text or Group.
type Shape interface {
	appendSVG(dst []byte, end string) []byte
}

// A Path has the syntax of the d attribute of SVG, without cubic curves.
type Path struct {
	D     string
	Paint Paint
}

// A Rect is a rectangle, with round corners if Radius is not 0.
type Rect struct {
	X, Y, Width, Height, Radius float64
	Paint                       Paint
}

// A Circle is a circle around (X, Y).
type Circle struct {
	X, Y, Radius float64
	Paint        Paint
}

// A Text is one line of text. (X, Y) is on its base line.
type Text struct {
	X, Y    float64
	Paint   Paint
	Content string
}

// A Group is a list of shapes that share properties. The properties of a shape
// take precedence over those of its group.
type Group struct {
	Place  *Place // nil leaves the shapes where they are
	Paint  Paint
	Shapes []Shape
	Inline bool // on one line of an SVG file
}

// A Place moves the origin of a group to (X, Y). A Place either scales, if Scale is
// not 0, or turns clockwise by Degrees.
type Place struct {
	X, Y, Scale float64
	Degrees     int
}

// Paint lists the properties of a shape. SVG files keep the order.
type Paint []Property

// A Property says how a shape is painted. Text is the value of the properties that
// are not numbers.
type Property struct {
	Name   string
	Text   string
	Number float64
}

// The names of properties, as in SVG.
const (
	NameFill          = "fill"
	NameFillOpacity   = "fill-opacity"
	NameStroke        = "stroke"
	NameStrokeOpacity = "stroke-opacity"
	NameStrokeWidth   = "stroke-width"
	NameDashes        = "stroke-dasharray"
	NameCap           = "stroke-linecap"
	NameJoin          = "stroke-linejoin"
	NameFontSize      = "font-size"
	NameFontWeight    = "font-weight"
	NameAnchor        = "text-anchor"
)

// None is the colour of an area or line that is not painted.
const None = "none"

// Fill paints the area in a colour such as "#1a1a1a". The default is black.
func Fill(colour string) Property { return Property{Name: NameFill, Text: colour} }

// FillPattern paints the area with the pattern of the given ID.
func FillPattern(id string) Property { return Fill("url(#" + id + ")") }

// FillOpacity is the opacity of the area, 0 to 1.
func FillOpacity(x float64) Property { return Property{Name: NameFillOpacity, Number: x} }

// Stroke paints the outline in a colour. The default is None.
func Stroke(colour string) Property { return Property{Name: NameStroke, Text: colour} }

// StrokeOpacity is the opacity of the outline, 0 to 1.
func StrokeOpacity(x float64) Property { return Property{Name: NameStrokeOpacity, Number: x} }

// StrokeWidth is the width of the outline. The default is 1.
func StrokeWidth(x float64) Property { return Property{Name: NameStrokeWidth, Number: x} }

// Dashes break the outline into dashes and gaps, whose lengths the text lists.
func Dashes(lengths string) Property { return Property{Name: NameDashes, Text: lengths} }

// RoundCap ends lines with half discs.
func RoundCap() Property { return Property{Name: NameCap, Text: "round"} }

// RoundJoin rounds the corners of lines.
func RoundJoin() Property { return Property{Name: NameJoin, Text: "round"} }

// FontSize is the size of texts.
func FontSize(x float64) Property { return Property{Name: NameFontSize, Number: x} }

// Bold makes texts bold.
func Bold() Property { return Property{Name: NameFontWeight, Text: "bold"} }

// Middle puts the middle of a text on its X.
func Middle() Property { return Property{Name: NameAnchor, Text: "middle"} }
