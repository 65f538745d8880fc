package plot

import (
	"image/color"
	"io"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A Curve is a named sequence of shares.
type Curve struct {
	Name   string
	Points []CurvePoint
}

// A CurvePoint is a share, 0 to 1, at X.
type CurvePoint struct {
	X float64
	stats.Interval
}

// Shares draws curves of shares with their confidence bands and a legend beside the axes.
// It skips curves without points.
func Shares(out io.Writer, title, x, y string, curves []Curve) error {
	p := figure(title, x, y)
	p.Add(plotter.NewGrid())
	names := legend()
	for i, c := range curves {
		if len(c.Points) == 0 {
			continue
		}
		style := curveStyle(i)
		points, band := make(plotter.XYs, len(c.Points)), make(plotter.XYs, 2*len(c.Points))
		for j, at := range c.Points {
			points[j] = plotter.XY{X: at.X, Y: at.Estimate}
			band[j], band[len(band)-1-j] = plotter.XY{X: at.X, Y: at.Low}, plotter.XY{X: at.X, Y: at.High}
		}
		polygon, err := plotter.NewPolygon(band)
		if err != nil {
			return err
		}
		polygon.Color, polygon.Width = color.NRGBA{style.color.R, style.color.G, style.color.B, 40}, 0
		line, scatter, err := plotter.NewLinePoints(points)
		if err != nil {
			return err
		}
		line.Color, line.Width, line.Dashes = style.color, vg.Points(1.3), style.dashes
		scatter.GlyphStyle = draw.GlyphStyle{Color: style.color, Radius: vg.Points(2.5), Shape: style.shape}
		p.Add(polygon, line, scatter)
		names.Add(c.Name, line, scatter)
	}
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0, 1, quarters()
	p.X.Tick.Marker = roundTicks(0)
	const width, beside = 20 * vg.Centimeter, 4 * vg.Centimeter
	canvas := vgsvg.New(width, 11*vg.Centimeter)
	c := draw.New(canvas)
	p.Draw(draw.Crop(c, 0, -beside, 0, 0))
	names.Draw(draw.Crop(c, width-beside+vg.Points(6), 0, 0, -vg.Centimeter))
	_, err := canvas.WriteTo(out)
	return err
}

// Calibration draws observed shares against expected shares. The diagonal shows perfect
// calibration.
func Calibration(out io.Writer, title, x, y string, points []CurvePoint) error {
	p := figure(title, x, y)
	p.Add(plotter.NewGrid())
	diagonal, err := plotter.NewLine(plotter.XYs{{}, {X: 1, Y: 1}})
	if err != nil {
		return err
	}
	diagonal.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
	p.Add(diagonal)
	if len(points) > 0 {
		var c barred
		for _, at := range points {
			c.XYs = append(c.XYs, plotter.XY{X: at.X, Y: at.Estimate})
			c.YErrors = append(c.YErrors, struct{ Low, High float64 }{at.Estimate - at.Low, at.High - at.Estimate})
		}
		if _, err := c.add(p, draw.GlyphStyle{Color: blue(), Radius: vg.Points(3.5), Shape: draw.CircleGlyph{}}); err != nil {
			return err
		}
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, 1, quarters()
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0, 1, quarters()
	return write(out, p, 11*vg.Centimeter, 11*vg.Centimeter)
}
