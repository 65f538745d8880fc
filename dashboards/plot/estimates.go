package plot

import (
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// An Estimate is a named estimate with its interval.
type Estimate struct {
	Name string
	stats.Interval
}

// Estimates draws estimates with their intervals, one per row, the first on top, and a
// dashed line at mark. An infinite bound is drawn at the estimate.
func Estimates(out io.Writer, title, axis string, mark float64, list []Estimate) error {
	p, err := estimates(title, axis, mark, list)
	if err != nil {
		return err
	}
	p.X.Min, p.X.Max = math.Min(0, p.X.Min), math.Max(mark, p.X.Max)
	room := 0.03 * (p.X.Max - p.X.Min) // for the caps of error bars
	p.X.Min, p.X.Max = p.X.Min-room, p.X.Max+room
	p.X.Tick.Marker = roundTicks(-2)
	return write(out, p, figureWidth, heightOf(len(list)))
}

// Scores draws scores as Estimates does, on an axis from 0 to 1 with the line at 50 %.
func Scores(out io.Writer, title string, list []Estimate) error {
	p, err := estimates(title, "score", 0.5, list)
	if err != nil {
		return err
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, 1, quarters()
	return write(out, p, figureWidth, heightOf(len(list)))
}

// NearScores draws scores as Scores does, in per cent on the part of the axis that contains
// them and 50 %.
func NearScores(out io.Writer, title string, list []Estimate) error {
	inPercent := make([]Estimate, len(list))
	for i, e := range list {
		inPercent[i] = Estimate{Name: e.Name, Interval: e.Times(100)}
	}
	p, err := estimates(title, "score, %", 50, inPercent)
	if err != nil {
		return err
	}
	const room = 2
	p.X.Min, p.X.Max, p.X.Tick.Marker = math.Max(0, p.X.Min-room), math.Min(100, p.X.Max+room), roundTicks(0)
	return write(out, p, figureWidth, heightOf(len(list)))
}

// figureWidth is the width of figures with one panel. It is narrow, so that their text stays
// legible on a phone.
const figureWidth = 10 * vg.Centimeter

// heightOf returns the height of a figure with the given number of rows.
func heightOf(rows int) vg.Length { return vg.Length(3+0.8*float64(rows)) * vg.Centimeter }

// estimates draws estimates as Estimates does, in front of the given plotters.
func estimates(title, axis string, mark float64, list []Estimate, behind ...plot.Plotter) (*plot.Plot, error) {
	p := figure(title, axis, "")
	p.Add(plotter.NewGrid())
	p.Add(behind...)
	points := make(plotter.XYs, len(list))
	bars := make(plotter.XErrors, len(list))
	names := make([]string, len(list))
	for i, e := range list {
		at := len(list) - 1 - i
		low, high := ends(e.Interval)
		points[at] = plotter.XY{X: e.Estimate, Y: float64(at)}
		bars[at].Low, bars[at].High = e.Estimate-low, high-e.Estimate
		names[at] = e.Name
	}
	if len(list) > 0 {
		p.NominalY(names...)
		scatter, err := plotter.NewScatter(points)
		if err != nil {
			return nil, err
		}
		scatter.GlyphStyle = draw.GlyphStyle{Color: blue(), Radius: vg.Points(3.5), Shape: draw.CircleGlyph{}}
		errors, err := plotter.NewXErrorBars(struct {
			plotter.XYs
			plotter.XErrors
		}{points, bars})
		if err != nil {
			return nil, err
		}
		errors.Color, errors.Width = blue(), vg.Points(1.2)
		p.Add(errors, scatter)
	}
	p.Y.Min, p.Y.Max = -0.5, float64(max(1, len(list)))-0.5
	line, err := plotter.NewLine(plotter.XYs{{X: mark, Y: p.Y.Min}, {X: mark, Y: p.Y.Max}})
	if err != nil {
		return nil, err
	}
	line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
	p.Add(line)
	return p, nil
}
