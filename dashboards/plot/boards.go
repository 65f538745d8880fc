package plot

import (
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
	Shares []float64 // empty if nothing is known
}

// legible is the greatest width of a board whose squares have room for numbers.
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
	light, dark := plotter.XYLabels{}, plotter.XYLabels{} // numbers on dark squares and on light ones
	for i, share := range b.Shares {
		x, y := float64(i%b.Width), float64(i/b.Width)
		square, err := plotter.NewPolygon(plotter.XYs{{X: x, Y: y}, {X: x + 1, Y: y}, {X: x + 1, Y: y + 1}, {X: x, Y: y + 1}})
		if err != nil {
			return nil, err
		}
		part := 0.0
		if greatest > 0 {
			part = share / greatest
		}
		square.Color = shade(part)
		square.LineStyle = draw.LineStyle{Color: color.Gray{180}, Width: vg.Points(0.3)}
		p.Add(square)
		if b.Width > legible {
			continue
		}
		labels := &dark
		if part > 0.55 {
			labels = &light
		}
		labels.XYs = append(labels.XYs, plotter.XY{X: x + 0.5, Y: y + 0.5})
		labels.Labels = append(labels.Labels, perCent(share))
	}
	for _, n := range []struct {
		labels *plotter.XYLabels
		ink    color.Color
	}{{&light, color.White}, {&dark, color.Black}} {
		if err := addNumbers(p, n.labels, n.ink, b.Width); err != nil {
			return nil, err
		}
	}
	return p, nil
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
