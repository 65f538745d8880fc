package plot

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Colours of Okabe and Ito's palette ("Color Universal Design", 2008).
func blue() color.NRGBA      { return color.NRGBA{0, 114, 178, 255} }
func lightBlue() color.Color { return color.NRGBA{0, 114, 178, 48} }
func vermilion() color.NRGBA { return color.NRGBA{213, 94, 0, 255} }

// A LearningPoint is an iteration of a training run. Elo ratings are relative to the
// initial agent.
type LearningPoint struct {
	Iteration int
	Games     int64          // of the candidate's match
	Accepted  bool           // whether the candidate became the best agent
	Candidate stats.Interval // Elo
	Best      stats.Interval // Elo of the best agent after the iteration
}

// LearningCurve draws the Elo of the best agent and of each candidate by iteration,
// with 95 % confidence intervals. It leaves out infinite bounds.
func LearningCurve(out io.Writer, variant string, points []LearningPoint) error {
	var games int64
	for i := range points {
		games += points[i].Games
	}
	p := figure(fmt.Sprintf("%s: best agent by iteration\n%d match games, 95 %% confidence intervals", variant, games), "iteration", "Elo relative to the initial agent")
	p.BackgroundColor, p.Legend.TextStyle.Font.Variant = color.White, "Sans" // no page is behind a separate file
	p.X.Tick.Marker = roundTicks(0)
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())

	if err := addBest(p, points); err != nil {
		return err
	}
	accepted := draw.GlyphStyle{Color: blue(), Radius: vg.Points(3.5), Shape: draw.CircleGlyph{}}
	rejected := draw.GlyphStyle{Color: vermilion(), Radius: vg.Points(4), Shape: draw.CrossGlyph{}}
	if err := addCandidates(p, "candidate accepted", points, true, accepted); err != nil {
		return err
	}
	if err := addCandidates(p, "candidate rejected", points, false, rejected); err != nil {
		return err
	}
	const width, height = 18 * vg.Centimeter, 11 * vg.Centimeter
	return write(out, p, width, height)
}

// addBest adds the line of the best agent with its confidence band.
func addBest(p *plot.Plot, points []LearningPoint) error {
	line, band := plotter.XYs{{}}, plotter.XYs{{}}
	var back plotter.XYs
	for i := range points {
		best := points[i].Best
		x := float64(points[i].Iteration)
		low, high := ends(best)
		line = append(line, plotter.XY{X: x, Y: best.Estimate})
		band = append(band, plotter.XY{X: x, Y: low})
		back = append(back, plotter.XY{X: x, Y: high})
	}
	for i := range back {
		band = append(band, back[len(back)-1-i])
	}
	if len(points) > 0 {
		polygon, err := plotter.NewPolygon(band)
		if err != nil {
			return err
		}
		polygon.Color, polygon.LineStyle.Width = lightBlue(), 0
		p.Add(polygon)
	}
	best, err := plotter.NewLine(line)
	if err != nil {
		return err
	}
	best.Color, best.Width = blue(), vg.Points(1.5)
	p.Add(best)
	p.Legend.Add("best agent so far", best)
	return nil
}

// barred is a set of points with error bars.
type barred struct {
	plotter.XYs
	plotter.YErrors
}

// add draws the points, in front of their error bars.
func (b barred) add(p *plot.Plot, style draw.GlyphStyle) (*plotter.Scatter, error) {
	bars, err := plotter.NewYErrorBars(b)
	if err != nil {
		return nil, err
	}
	scatter, err := plotter.NewScatter(b)
	if err != nil {
		return nil, err
	}
	bars.Color, scatter.GlyphStyle = style.Color, style
	p.Add(bars, scatter)
	return scatter, nil
}

// addCandidates adds the accepted or the rejected candidates, if there are any.
func addCandidates(p *plot.Plot, name string, points []LearningPoint, accepted bool, style draw.GlyphStyle) error {
	var c barred
	for i := range points {
		point := &points[i]
		if point.Accepted != accepted {
			continue
		}
		low, high := ends(point.Candidate)
		y := point.Candidate.Estimate
		c.XYs = append(c.XYs, plotter.XY{X: float64(point.Iteration), Y: y})
		c.YErrors = append(c.YErrors, struct{ Low, High float64 }{y - low, high - y})
	}
	if len(c.XYs) == 0 {
		return nil
	}
	scatter, err := c.add(p, style)
	if err != nil {
		return err
	}
	p.Legend.Add(name, scatter)
	return nil
}

// ends returns the bounds of an interval, with the estimate in place of an infinite bound.
func ends(i stats.Interval) (low, high float64) {
	low, high = i.Low, i.High
	if math.IsInf(low, 0) {
		low = i.Estimate
	}
	if math.IsInf(high, 0) {
		high = i.Estimate
	}
	return low, high
}
