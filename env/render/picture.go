package render

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/render/shape"
)

// Options configure a picture. The zero value draws the whole board with coordinates
// and captions, seen by the first player.
type Options struct {
	Last  []env.Event // events of the last ply, which the picture marks; may be empty
	Route []int16     // squares of the last ply from env.Router, which the marks follow; may be empty
	Theme Theme
	Width int        // in pixels; 0 means the natural width. The height is proportional
	View  env.Player // Second turns the board by 180°
	Bare  bool       // omits coordinates, legend and captions
}

// Lengths are in user units. A square is cell wide.
const (
	cell      = 48.0
	border    = 8.0  // around everything
	gutter    = 18.0 // for coordinates
	lineSkip  = 18.0 // of captions
	skip      = 6.0  // above them
	textSize  = 13.0
	plainSide = 12 // largest side of a board, in squares, around which text has its normal size
)

// Play applies an action to s and sets Last and Route to mark it, as far as s can report
// them.
func (o *Options) Play(s env.State, a env.Action) {
	o.Last, o.Route = nil, nil
	if router, ok := s.(env.Router); ok {
		o.Route = router.Route(a, nil)
	}
	if tracer, ok := s.(env.Tracer); ok {
		o.Last = tracer.Trace(a, nil)
	} else {
		s.Apply(a)
	}
}

// Draw returns the picture of s as shapes. It returns an error if s does not implement
// env.Diagrammer.
func Draw(s env.State, o Options) (*shape.Picture, error) {
	drawer, ok := s.(env.Diagrammer)
	if !ok {
		return nil, fmt.Errorf("picture: %T must implement env.Diagrammer", s)
	}
	p := &picture{options: o}
	drawer.Diagram(&p.Diagram)
	p.layOut()
	return p.draw(), nil
}

// SVG writes the picture of s to w. It returns an error if s does not implement
// env.Diagrammer or if writing to w fails.
func SVG(w io.Writer, s env.State, o Options) error {
	p, err := Draw(s, o)
	if err != nil {
		return err
	}
	if _, err := w.Write(p.AppendSVG(nil)); err != nil {
		return fmt.Errorf("picture: %w", err)
	}
	return nil
}

// picture is a picture under construction.
type picture struct {
	env.Diagram
	options       Options
	left, top     float64 // of the board
	across, down  float64 // size of a cell
	textScale     float64 // scale of the text around the board; 1 for a small board
	below         float64 // space between the board and its coordinates, for an exit
	middle        float64 // gap between the two halves of a board of houses
	width, height float64 // of the picture
	furthest      int8    // longest reach of a piece on the board
	shapes        []shape.Shape
}

func (p *picture) layOut() {
	p.across, p.down, p.textScale = cell, cell, 1
	if !p.Squares {
		p.across, p.down, p.middle = houseAcross, houseDown, houseMiddle
	} else if side := max(p.Width, p.Height); side > plainSide {
		p.textScale = float64(side) / plainSide
	}
	p.left, p.top = border, border
	above, below := p.exits()
	p.top, p.below = p.top+above, below
	p.width = 2*border + p.across*float64(p.Width)
	p.height = p.top + p.down*float64(p.Height) + p.middle + p.below + border
	if !p.options.Bare {
		if p.Squares {
			p.left += p.textScale * gutter
			p.width += p.textScale * gutter
			p.height += p.textScale * gutter
		}
		p.height += p.textScale * lineSkip * float64(len(p.legend()))
		if len(p.Caption) > 0 {
			p.height += p.textScale * skip
		}
		for _, line := range p.Caption {
			p.height += p.textScale * lineSkip * float64(len(p.wrap(line)))
		}
	}
	for _, c := range p.Cells {
		p.furthest = max(p.furthest, c.Reach)
	}
}

func (p *picture) draw() *shape.Picture {
	width, height := p.width, p.height
	if p.options.Width > 0 {
		height *= float64(p.options.Width) / width
		width = float64(p.options.Width)
	}
	p.add(shape.Rect{Width: p.width, Height: p.height, Paint: shape.Paint{shape.Fill(paper)}})
	if p.Squares {
		p.board()
	} else {
		p.houses()
	}
	if !p.options.Bare {
		p.writings()
	}
	patterns := p.patterns()
	colours := p.options.Theme.colours()
	recolour(p.shapes, colours)
	for _, pattern := range patterns {
		recolour(pattern.Shapes, colours)
	}
	return &shape.Picture{
		Title: strings.Join(p.Caption, ". "),
		Width: p.width, Height: p.height, PixelWidth: width, PixelHeight: height,
		Patterns: patterns, Shapes: p.shapes,
	}
}

// board draws a board of squares with its grounds, marks and pieces.
func (p *picture) board() {
	for i, c := range p.Cells {
		x, y := p.corner(i)
		p.ground(c.Ground, x, y, cell)
		if c.Marked {
			p.emblem(markedEmblem(), x, y, cell)
		}
	}
	p.grid()
	p.add(shape.Rect{X: p.left, Y: p.top, Width: cell * float64(p.Width), Height: cell * float64(p.Height),
		Paint: shape.Paint{shape.Fill(shape.None), shape.Stroke(ink), shape.StrokeWidth(1.8)}})
	if !p.options.Bare {
		p.coordinates()
	}
	p.markSquares()
	for i, c := range p.Cells {
		if c.Symbol != "" {
			x, y := p.centre(i)
			p.piece(c, x, y)
		}
	}
	p.markAbove()
}

// grid draws the lines between the squares.
func (p *picture) grid() {
	var lines []shape.Shape
	for i := 1; i < p.Width; i++ {
		x := p.left + cell*float64(i)
		lines = append(lines, shape.Path{D: fmt.Sprintf("M%s %sV%s", number(x), number(p.top), number(p.top+cell*float64(p.Height)))})
	}
	for i := 1; i < p.Height; i++ {
		y := p.top + cell*float64(i)
		lines = append(lines, shape.Path{D: fmt.Sprintf("M%s %sH%s", number(p.left), number(y), number(p.left+cell*float64(p.Width)))})
	}
	p.add(shape.Group{Paint: shape.Paint{shape.Fill(shape.None), shape.Stroke(ink), shape.StrokeWidth(0.6), shape.StrokeOpacity(0.55)}, Shapes: lines})
}

// corner returns the upper left corner of a cell in the picture.
func (p *picture) corner(i int) (x, y float64) {
	column, row := i%p.Width, p.Height-1-i/p.Width
	if p.options.View == env.Second {
		column, row = p.Width-1-column, p.Height-1-row
	}
	y = p.top + p.down*float64(row)
	if 2*row >= p.Height {
		y += p.middle
	}
	return p.left + p.across*float64(column), y
}

// centre returns the middle of a cell in the picture.
func (p *picture) centre(i int) (x, y float64) {
	x, y = p.corner(i)
	return x + p.across/2, y + p.down/2
}

// seen returns an absolute direction as it appears in the view.
func (p *picture) seen(d env.Direction) env.Direction {
	if p.options.View == env.Second {
		return d.Turned(4)
	}
	return d
}

// polar returns the point at a distance and angle from (x, y). The angle is in
// eighths of a circle, clockwise from the top of the picture.
func polar(x, y, distance, eighths float64) (px, py float64) {
	sin, cos := math.Sincos(eighths * math.Pi / 4)
	return x + distance*sin, y - distance*cos
}

// line returns the path from one point to another.
func line(x1, y1, x2, y2 float64) string {
	return fmt.Sprintf("M%s %sL%s %s", number(x1), number(y1), number(x2), number(y2))
}

func (p *picture) add(s shape.Shape) { p.shapes = append(p.shapes, s) }

// number formats a length for a path.
func number(x float64) string { return shape.Number(x) }
