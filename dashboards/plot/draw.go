package plot

import (
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A style tells the curves of a figure apart, by colour (of Okabe and Ito's palette),
// by dashes and by the shape of points.
type style struct {
	color  color.NRGBA
	dashes []vg.Length
	shape  draw.GlyphDrawer
}

// curveStyle returns the style of curve i; they repeat after eight.
func curveStyle(i int) style {
	styles := [...]style{
		{blue(), nil, draw.CircleGlyph{}},
		{vermilion(), []vg.Length{vg.Points(6), vg.Points(2)}, draw.SquareGlyph{}},
		{color.NRGBA{0, 158, 115, 255}, []vg.Length{vg.Points(2), vg.Points(2)}, draw.TriangleGlyph{}},
		{color.NRGBA{204, 121, 167, 255}, []vg.Length{vg.Points(8), vg.Points(2), vg.Points(2), vg.Points(2)}, draw.PyramidGlyph{}},
		{color.NRGBA{230, 159, 0, 255}, []vg.Length{vg.Points(4), vg.Points(4)}, draw.RingGlyph{}},
		{color.NRGBA{86, 180, 233, 255}, []vg.Length{vg.Points(1), vg.Points(3)}, draw.BoxGlyph{}},
		{color.NRGBA{0, 0, 0, 255}, []vg.Length{vg.Points(10), vg.Points(4)}, draw.CrossGlyph{}},
		{color.NRGBA{120, 120, 120, 255}, nil, draw.PlusGlyph{}},
	}
	return styles[i%len(styles)]
}

// write writes a figure as SVG.
func write(out io.Writer, p *plot.Plot, width, height vg.Length) error {
	canvas := vgsvg.New(width, height)
	p.Draw(draw.New(canvas))
	_, err := canvas.WriteTo(out)
	return err
}
