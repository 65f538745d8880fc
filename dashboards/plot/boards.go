package plot

import (
	"errors"
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Board is a share for each square, row by row from the lower left.
type Board struct {
	Title  string
	Width  int
	Shares []float64 // empty if they are unknown
	// Columns and Rows are the coordinates, from the left and from the bottom; empty for a
	// board without them.
	Columns, Rows []string
	Grounds       []Ground // by square; empty for a plain board
	Start         []bool   // squares with an orange frame, where pieces start; may be empty
}

// A Ground is how a square looks apart from its share.
type Ground uint8

const (
	Plain   Ground = iota
	Special        // hatched
	Blocked        // grey: no piece enters it
)

// legible is the maximum width of a board whose squares have room for numbers.
const legible = 10

// Boards draws boards side by side, from white for 0 to dark blue for the greatest share
// of each board, which its title states. Squares with enough room show their share in
// per cent.
func Boards(out io.Writer, boards []Board) error {
	row := make([]*plot.Plot, len(boards))
	for i := range boards {
		var err error
		if row[i], err = boards[i].plot(); err != nil {
			return err
		}
	}
	const each, titles = 8 * vg.Centimeter, 1.2 * vg.Centimeter
	height := vg.Length(titles)
	for _, b := range boards {
		height = max(height, titles+each*vg.Length(b.rows())/vg.Length(b.Width))
	}
	canvas := vgsvg.New(each*vg.Length(len(boards)), height)
	tiles := draw.Tiles{Rows: 1, Cols: len(boards), PadX: vg.Points(6)}
	for i, c := range plot.Align([][]*plot.Plot{row}, tiles, draw.New(canvas))[0] {
		row[i].Draw(c)
	}
	_, err := canvas.WriteTo(out)
	return err
}

// rows returns the number of rows, or 1 for an empty board so that it has a height.
func (b *Board) rows() int { return max(1, len(b.Shares)/b.Width) }

func (b *Board) plot() (*plot.Plot, error) {
	greatest := 0.0
	for _, share := range b.Shares {
		greatest = max(greatest, share)
	}
	title := b.Title + "\n"
	if greatest > 0 {
		title += fmt.Sprintf("darkest: %.2g %%", 100*greatest)
	}
	p := figure(title, "", "")
	p.HideAxes()
	b.coordinates(p)
	c := cells{plot: p, greatest: greatest}
	for i, share := range b.Shares {
		x, y := float64(i%b.Width)+0.5, float64(i/b.Width)+0.5
		if err := c.add(x, y, share); err != nil {
			return nil, err
		}
		if b.Width <= legible {
			c.label(x, y, share, perCent(share))
		}
	}
	for i := range b.Shares {
		if err := b.mark(p, i); err != nil {
			return nil, err
		}
	}
	return p, c.addLabels(b.Width)
}

// coordinates adds the names of columns and rows.
func (b *Board) coordinates(p *plot.Plot) {
	if len(b.Columns) == 0 || len(b.Shares) == 0 {
		return
	}
	for axis, names := range map[*plot.Axis][]string{&p.X: b.Columns, &p.Y: b.Rows} {
		var ticks plot.ConstantTicks
		for i, name := range names {
			ticks = append(ticks, plot.Tick{Value: float64(i) + 0.5, Label: name})
		}
		axis.Tick.Marker, axis.Tick.Length, axis.Tick.Label.Font.Size = ticks, 0, vg.Points(min(9, 110/float64(len(names))))
	}
}

// mark draws the ground of a square and the frame of a start.
func (b *Board) mark(p *plot.Plot, i int) error {
	x, y := float64(i%b.Width), float64(i/b.Width)
	ground := Plain
	if i < len(b.Grounds) {
		ground = b.Grounds[i]
	}
	grey := color.Gray{120}
	switch ground {
	case Blocked:
		block, err := rectangle(x, x+1, y, y+1, grey)
		if err != nil {
			return err
		}
		p.Add(block)
	case Special:
		for _, ends := range [...]plotter.XYs{{{X: x, Y: y + 0.5}, {X: x + 0.5, Y: y + 1}}, {{X: x, Y: y}, {X: x + 1, Y: y + 1}}, {{X: x + 0.5, Y: y}, {X: x + 1, Y: y + 0.5}}} {
			line, err := plotter.NewLine(ends)
			if err != nil {
				return err
			}
			line.Color, line.Width = grey, vg.Points(0.4)
			p.Add(line)
		}
	}
	if i >= len(b.Start) || !b.Start[i] {
		return nil
	}
	const inset = 0.06
	frame, err := rectangle(x+inset, x+1-inset, y+inset, y+1-inset, nil)
	if err != nil {
		return err
	}
	frame.LineStyle = draw.LineStyle{Color: vermilion(), Width: vg.Points(1.4)}
	p.Add(frame)
	return nil
}

// cells are unit squares coloured by their value, from white for 0 to dark blue for the
// greatest value, with labels in a legible colour.
type cells struct {
	plot        *plot.Plot
	greatest    float64
	white, dark plotter.XYLabels
}

// add adds the cell around x, y.
func (c *cells) add(x, y, value float64) error {
	cell, err := rectangle(x-0.5, x+0.5, y-0.5, y+0.5, shade(c.part(value)))
	if err != nil {
		return err
	}
	cell.LineStyle = draw.LineStyle{Color: color.Gray{180}, Width: vg.Points(0.3)}
	c.plot.Add(cell)
	return nil
}

func (c *cells) part(value float64) float64 {
	if c.greatest > 0 {
		return value / c.greatest
	}
	return 0
}

func (c *cells) label(x, y, value float64, text string) {
	labels := &c.dark
	if c.part(value) > 0.55 {
		labels = &c.white
	}
	labels.XYs = append(labels.XYs, plotter.XY{X: x, Y: y})
	labels.Labels = append(labels.Labels, text)
}

// addLabels adds the labels, sized for the given number of columns.
func (c *cells) addLabels(columns int) error {
	return errors.Join(addNumbers(c.plot, &c.white, color.White, columns), addNumbers(c.plot, &c.dark, color.Black, columns))
}

// shade returns a colour from white to dark blue, with steadily falling lightness for print.
func shade(part float64) color.Color {
	mix := func(to float64) uint8 { return uint8(255 + (to-255)*part + 0.5) }
	return color.NRGBA{mix(0), mix(50), mix(110), 255}
}

// perCent formats a share with at most two digits; 0 is empty.
func perCent(share float64) string {
	switch {
	case share == 0:
		return ""
	case share < 0.00095:
		return "·"
	case share < 0.0095:
		return fmt.Sprintf("%.1f", 100*share)[1:]
	}
	return fmt.Sprintf("%.0f", 100*share)
}

func addNumbers(p *plot.Plot, labels *plotter.XYLabels, ink color.Color, width int) error {
	if len(labels.XYs) == 0 {
		return nil
	}
	numbers, err := plotter.NewLabels(labels)
	if err != nil {
		return err
	}
	for i := range numbers.TextStyle {
		style := &numbers.TextStyle[i]
		style.Color, style.Font.Variant, style.Font.Size = ink, "Sans", vg.Points(72/float64(max(8, width)))
		style.XAlign, style.YAlign = text.XCenter, text.YCenter
	}
	p.Add(numbers)
	return nil
}
