package plot

import (
	"fmt"
	"io"

	"gonum.org/v1/plot/vg"
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
	c := cells{plot: p, greatest: greatest}
	for i, row := range m.Cells {
		for j, value := range row {
			x, y := float64(j), float64(size-1-i)
			if err := c.add(x, y, value); err != nil {
				return err
			}
			if value != 0 {
				c.label(x, y, value, fmt.Sprintf("%.2g", value))
			}
		}
	}
	if err := c.addLabels(legible); err != nil {
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
