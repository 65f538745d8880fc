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
)

// A Result contains the shares of the three outcomes of some games; they sum to 1.
type Result struct {
	Name             string
	Won, Drawn, Lost float64 // by the first player
}

// minLabelled is the least share whose part of a bar has room for a label.
const minLabelled = 0.05

// Results draws one stacked bar per result, the first on top: games that the first player
// won, drawn games, and games that the second player won.
func Results(out io.Writer, title string, list []Result) error {
	p := figure(title, "share of games", "")
	parts := []struct {
		name      string
		fill, ink color.Color
		of        func(Result) float64
	}{
		{"first wins", blue(), color.White, func(r Result) float64 { return r.Won }},
		{"drawn", color.Gray{220}, color.Black, func(r Result) float64 { return r.Drawn }},
		{"second wins", vermilion(), color.White, func(r Result) float64 { return r.Lost }},
	}
	names := make([]string, len(list))
	begin := make([]float64, len(list)) // of the next part of a bar
	for _, part := range parts {
		numbers := plotter.XYLabels{}
		for i, r := range list {
			at, share := float64(len(list)-1-i), part.of(r)
			names[len(list)-1-i] = r.Name
			bar, err := rectangle(begin[i], begin[i]+share, at-0.35, at+0.35, part.fill)
			if err != nil {
				return err
			}
			p.Add(bar)
			if share >= minLabelled {
				numbers.XYs = append(numbers.XYs, plotter.XY{X: begin[i] + share/2, Y: at})
				numbers.Labels = append(numbers.Labels, fmt.Sprintf("%.0f %%", 100*share))
			}
			begin[i] += share
		}
		if err := addNumbers(p, &numbers, part.ink, 7); err != nil {
			return err
		}
	}
	if len(list) > 0 {
		p.NominalY(names...)
	}
	for i, part := range parts {
		if err := key(p, float64(i)/3, float64(len(list)), part.name, part.fill); err != nil {
			return err
		}
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, 1, quarters()
	p.Y.Min, p.Y.Max = -0.5, float64(max(1, len(list)))+0.5
	return write(out, p, figureWidth, heightOf(len(list)+1))
}

// key draws a coloured square with a name at (x, y).
func key(p *plot.Plot, x, y float64, name string, fill color.Color) error {
	square, err := rectangle(x, x+0.035, y-0.12, y+0.12, fill)
	if err != nil {
		return err
	}
	label, err := plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{{X: x + 0.05, Y: y}}, Labels: []string{name}})
	if err != nil {
		return err
	}
	label.TextStyle[0].Font.Variant, label.TextStyle[0].Font.Size, label.TextStyle[0].YAlign = "Sans", vg.Points(10), text.YCenter
	p.Add(square, label)
	return nil
}

// rectangle returns a filled rectangle with a thin white edge, which separates neighbours
// in print.
func rectangle(left, right, bottom, top float64, fill color.Color) (*plotter.Polygon, error) {
	area, err := plotter.NewPolygon(plotter.XYs{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}})
	if err != nil {
		return nil, err
	}
	area.Color = fill
	area.LineStyle = draw.LineStyle{Color: color.White, Width: vg.Points(0.5)}
	return area, nil
}

// A Difference is a named difference with its interval.
type Difference struct {
	Estimate
	Margin float64 // of equivalence; 0 means none
}

// Differences draws differences as Estimates does, with a grey band from −Margin to Margin
// behind each.
func Differences(out io.Writer, title, axis string, list []Difference) error {
	estimated := make([]Estimate, len(list))
	var bands []plot.Plotter
	for i, d := range list {
		estimated[i] = d.Estimate
		if d.Margin > 0 {
			at := float64(len(list) - 1 - i)
			band, err := rectangle(-d.Margin, d.Margin, at-0.4, at+0.4, color.Gray{225})
			if err != nil {
				return err
			}
			bands = append(bands, band)
		}
	}
	p, err := estimates(title, axis, 0, estimated, bands...)
	if err != nil {
		return err
	}
	pad := (p.X.Max - p.X.Min) / 20
	p.X.Min, p.X.Max, p.X.Tick.Marker = p.X.Min-pad, p.X.Max+pad, roundTicks(-3)
	return write(out, p, figureWidth, heightOf(len(list)))
}
