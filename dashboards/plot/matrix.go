package plot

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Matrix has a number of 0 or more for each pair of names.
type Matrix struct {
	Title         string // may have a second line that explains the numbers
	Rows, Columns string // axis labels
	Names         []string
	Cells         [][]float64 // by row and column
}

// Draw draws the matrix with its numbers other than 0, the first row on top, from white
// for 0 to dark blue for the greatest number.
func (m *Matrix) Draw(out io.Writer) error {
	p := figure(m.Title, m.Columns, m.Rows)
	greatest := 0.0
	for _, row := range m.Cells {
		for _, x := range row {
			greatest = max(greatest, x)
		}
	}
	size := len(m.Names)
	light, dark := plotter.XYLabels{}, plotter.XYLabels{} // numbers on dark cells and on light ones
	for i, row := range m.Cells {
		for j, x := range row {
			at, part := float64(size-1-i), 0.0
			if greatest > 0 {
				part = x / greatest
			}
			cell, err := rectangle(float64(j)-0.5, float64(j)+0.5, at-0.5, at+0.5, shade(part))
			if err != nil {
				return err
			}
			cell.LineStyle = draw.LineStyle{Color: color.Gray{180}, Width: vg.Points(0.3)}
			p.Add(cell)
			if x == 0 {
				continue
			}
			labels := &dark
			if part > 0.55 {
				labels = &light
			}
			labels.XYs = append(labels.XYs, plotter.XY{X: float64(j), Y: at})
			labels.Labels = append(labels.Labels, fmt.Sprintf("%.2g", x))
		}
	}
	if err := addNumbers(p, &light, color.White, legible); err != nil {
		return err
	}
	if err := addNumbers(p, &dark, color.Black, legible); err != nil {
		return err
	}
	upwards := make([]string, size)
	for i, name := range m.Names {
		upwards[size-1-i] = name
	}
	if size > 0 {
		p.NominalX(m.Names...)
		p.NominalY(upwards...)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.5, float64(max(1, size))-0.5, -0.5, float64(max(1, size))-0.5
	const roomForTitle = 12
	return write(out, p, vg.Length(max(roomForTitle, 5+2.2*float64(size)))*vg.Centimeter, vg.Length(3+1.1*float64(size))*vg.Centimeter)
}
