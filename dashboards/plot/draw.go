package plot

import (
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A style distinguishes a curve by colour (of Okabe and Ito's palette), dashes and the
// shape of its points.
type style struct {
	color  color.NRGBA
	dashes []vg.Length
	shape  draw.GlyphDrawer
}

// curveStyle returns the style of curve i. Styles repeat after eight curves.
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

// figure returns an empty figure with a sans-serif font.
func figure(title, x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil // that of the page
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = cut(title, 38), cut(x, 34), y
	p.X.Label.Padding, p.Y.Label.Padding = vg.Points(6), vg.Points(6)
	for _, style := range []*text.Style{
		&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label,
	} {
		style.Font.Variant = "Sans"
	}
	return p
}

// cut breaks a text into lines of about a number of letters, after commas where it can.
func cut(text string, most int) string {
	return strings.Join(each(strings.Split(text, "\n"), func(line string) string {
		parts := fit(strings.SplitAfter(line, ", "), most)
		return strings.Join(each(parts, func(part string) string {
			return strings.Join(fit(strings.SplitAfter(part, " "), most), "\n")
		}), "\n")
	}), "\n")
}

// fit joins parts of a line to lines of at most a number of letters, or of one part.
func fit(parts []string, most int) []string {
	lines := []string{""}
	for _, part := range parts {
		last := &lines[len(lines)-1]
		if *last != "" && utf8.RuneCountInString(*last)+utf8.RuneCountInString(strings.TrimSpace(part)) > most {
			lines = append(lines, part)
			continue
		}
		*last += part
	}
	return each(lines, strings.TrimSpace)
}

// each applies a function to every element of a list.
func each(list []string, to func(string) string) []string {
	all := make([]string, len(list))
	for i, text := range list {
		all[i] = to(text)
	}
	return all
}

// legend returns an empty legend.
func legend() plot.Legend {
	l := plot.NewLegend()
	l.Top, l.Left, l.Padding = true, true, vg.Points(5)
	l.TextStyle.Font.Variant = "Sans"
	return l
}

// quarters are the ticks of an axis of shares.
func quarters() plot.Ticker {
	return plot.ConstantTicks{{Value: 0, Label: "0 %"}, {Value: 0.25, Label: "25 %"}, {Value: 0.5, Label: "50 %"}, {Value: 0.75, Label: "75 %"}, {Value: 1, Label: "100 %"}}
}

// roundTicks returns a ticker of at most about six ticks, at multiples of 1, 2 or 5 times
// a power of ten. That power of ten is at least 10^power.
func roundTicks(power int) plot.TickerFunc {
	return func(least, most float64) []plot.Tick {
		const about = 6
		exponent, factor := power, 1.0
		step := func() float64 { return factor * math.Pow10(exponent) }
		for (most-least)/step() > about {
			switch factor {
			case 1:
				factor = 2
			case 2:
				factor = 5
			default:
				exponent, factor = exponent+1, 1
			}
		}
		var ticks []plot.Tick
		// Adding 0 turns −0, which would be formatted with its sign, into 0.
		for k := math.Ceil(least/step()) + 0; k*step() <= most; k++ {
			ticks = append(ticks, plot.Tick{Value: k * step(), Label: strconv.FormatFloat(k*step(), 'f', max(0, -exponent), 64)})
		}
		return ticks
	}
}

// write writes a figure as SVG.
func write(out io.Writer, p *plot.Plot, width, height vg.Length) error {
	canvas := vgsvg.New(width, height)
	p.Draw(draw.New(canvas))
	_, err := canvas.WriteTo(out)
	return err
}
