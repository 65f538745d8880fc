package raster_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/render"
	"github.com/sandtable-farm/sandtable/env/render/raster"
	"github.com/sandtable-farm/sandtable/env/render/shape"
)

// page paints shapes on a page of 100 by 80 units at the given scale.
func page(t *testing.T, scale float64, shapes ...shape.Shape) *image.RGBA {
	t.Helper()
	m, err := raster.Paint(&shape.Picture{
		Width: 100, Height: 80, PixelWidth: 100 * scale, PixelHeight: 80 * scale, Shapes: shapes,
		Patterns: []shape.Pattern{{ID: "left", Side: 8, Shapes: []shape.Shape{rect(0, 0, 4, 8, shape.Fill("#0000ff"))}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func rect(x, y, width, height float64, paint ...shape.Property) shape.Rect {
	return shape.Rect{X: x, Y: y, Width: width, Height: height, Paint: paint}
}

func path(d string, paint ...shape.Property) shape.Path { return shape.Path{D: d, Paint: paint} }

var (
	white = color.RGBA{255, 255, 255, 255}
	black = color.RGBA{0, 0, 0, 255}
	red   = color.RGBA{255, 0, 0, 255}
	blue  = color.RGBA{0, 0, 255, 255}
)

func TestShapesCoverWhatTheySay(t *testing.T) {
	line := []shape.Property{shape.Fill(shape.None), shape.Stroke("#ff0000"), shape.StrokeWidth(10)}
	with := func(more ...shape.Property) []shape.Property { return append(line[:len(line):len(line)], more...) }
	for _, c := range []struct {
		name  string
		shape shape.Shape
		want  map[image.Point]color.RGBA
	}{
		{"a rectangle", rect(10, 20, 30, 10), map[image.Point]color.RGBA{{10, 20}: black, {39, 29}: black, {9, 20}: white, {40, 29}: white, {39, 30}: white}},
		{"half a pixel", rect(10.5, 20, 2, 2), map[image.Point]color.RGBA{{10, 20}: {127, 127, 127, 255}, {11, 20}: black}},
		{"round corners", shape.Rect{X: 10, Y: 20, Width: 40, Height: 40, Radius: 16}, map[image.Point]color.RGBA{
			{11, 21}: white, {48, 58}: white, {11, 58}: white, {48, 21}: white, {10, 40}: black, {30, 20}: black, {16, 26}: black}},
		{"a circle", shape.Circle{X: 50, Y: 40, Radius: 20}, map[image.Point]color.RGBA{{50, 21}: black, {31, 40}: black, {37, 27}: black, {34, 24}: white}},
		{"opacity", rect(0, 0, 9, 9, shape.Fill("#ff0000"), shape.FillOpacity(0.2)), map[image.Point]color.RGBA{{4, 4}: {255, 204, 204, 255}}},
		{"a frame with pointed corners", rect(20, 20, 40, 40, line...), map[image.Point]color.RGBA{
			{15, 15}: red, {64, 64}: red, {24, 40}: red, {25, 40}: white, {14, 40}: white}},
		{"a frame with round corners", rect(20, 20, 40, 40, with(shape.RoundJoin())...), map[image.Point]color.RGBA{{15, 15}: white, {17, 17}: red}},
		{"blunt ends", path("M20 40H60", line...), map[image.Point]color.RGBA{{20, 40}: red, {59, 35}: red, {19, 40}: white, {60, 40}: white}},
		{"round ends", path("M20 40H60", with(shape.RoundCap())...), map[image.Point]color.RGBA{{16, 40}: red, {63, 39}: red, {15, 35}: white}},
		{"dashes", path("M0 40h90", with(shape.Dashes("12 8"))...), map[image.Point]color.RGBA{{11, 40}: red, {13, 40}: white, {19, 40}: white, {20, 40}: red, {33, 40}: white}},
		{"a crossing is filled", path("M10 40L60 41L60 10M10 10L60 60", line...), map[image.Point]color.RGBA{{40, 40}: red, {30, 30}: red, {59, 40}: red}},
		{"half a circle", path("M20 40A20 20 0 0 1 60 40Z"), map[image.Point]color.RGBA{{40, 21}: black, {40, 39}: black, {40, 41}: white, {22, 22}: white}},
		{"three quarters of a circle", path("M40 20A20 20 0 1 1 20 40L40 40Z"), map[image.Point]color.RGBA{{58, 40}: black, {40, 58}: black, {28, 28}: white}},
		{"an arc to the left", path("M20 40A20 20 0 0 0 60 40Z"), map[image.Point]color.RGBA{{40, 58}: black, {40, 38}: white}},
		{"curves", path("M0 40Q20 0 40 40T80 40"), map[image.Point]color.RGBA{{20, 22}: black, {20, 18}: white, {60, 57}: black, {60, 62}: white}},
		{"relative commands", path("M10 10l20 0v20h-20zm40 40l10 0l0 10z"), map[image.Point]color.RGBA{{11, 11}: black, {29, 29}: black, {58, 52}: black, {51, 58}: white}},
		{"a pattern begins at the origin of the page", rect(13, 10, 20, 20, shape.FillPattern("left")), map[image.Point]color.RGBA{
			{12, 20}: white, {13, 20}: white, {16, 20}: blue, {19, 20}: blue, {20, 20}: white, {24, 29}: blue, {32, 20}: blue, {33, 20}: white, {24, 30}: white}},
		{"a turned group", shape.Group{Place: &shape.Place{X: 50, Y: 40, Degrees: 90}, Shapes: []shape.Shape{rect(0, -2, 20, 4)}},
			map[image.Point]color.RGBA{{50, 58}: black, {48, 42}: black, {55, 40}: white}},
		{"a scaled group", shape.Group{Place: &shape.Place{X: 50, Y: 40, Scale: 2}, Paint: shape.Paint{shape.Fill("#ff0000")}, Shapes: []shape.Shape{
			rect(0, 0, 10, 10), rect(-10, 0, 10, 10, shape.Fill("#0000ff"))}}, map[image.Point]color.RGBA{{69, 59}: red, {70, 59}: white, {31, 59}: blue}},
	} {
		m := page(t, 1, c.shape)
		for at, want := range c.want {
			if got := m.RGBAAt(at.X, at.Y); !near(got, want) {
				t.Errorf("%s: pixel %v is %v, want %v", c.name, at, got, want)
			}
		}
	}
}

func near(a, b color.RGBA) bool {
	for _, pair := range [...][2]uint8{{a.R, b.R}, {a.G, b.G}, {a.B, b.B}, {a.A, b.A}} {
		if max(pair[0], pair[1])-min(pair[0], pair[1]) > 2 {
			return false
		}
	}
	return true
}

// TestLargeImagesHaveNoSeams compares an image that is painted in parts with the same
// image at a size that needs no parts.
func TestLargeImagesHaveNoSeams(t *testing.T) {
	shapes := []shape.Shape{
		shape.Circle{X: 50, Y: 40, Radius: 35, Paint: shape.Paint{shape.Fill("#ff0000"), shape.FillOpacity(0.5), shape.Stroke("#0000ff"), shape.StrokeWidth(3)}},
		path("M5 5L95 75", shape.Stroke("#000000"), shape.StrokeWidth(2)),
	}
	small, large := page(t, 2, shapes...), page(t, 14, shapes...)
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			var sum [3]int
			for dy := range 7 {
				for dx := range 7 {
					p := large.RGBAAt(7*x+dx, 7*y+dy)
					sum[0], sum[1], sum[2] = sum[0]+int(p.R), sum[1]+int(p.G), sum[2]+int(p.B)
				}
			}
			want := color.RGBA{uint8(sum[0] / 49), uint8(sum[1] / 49), uint8(sum[2] / 49), 255}
			if got := small.RGBAAt(x, y); int(max(got.R, want.R)-min(got.R, want.R)) > 40 || int(max(got.B, want.B)-min(got.B, want.B)) > 40 {
				t.Fatalf("pixel (%d, %d) is %v, and the large image has %v there", x, y, got, want)
			}
		}
	}
}

// inked returns the box around the pixels that are not white.
func inked(m *image.RGBA) (box image.Rectangle) {
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			if m.RGBAAt(x, y) != white {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return box
}

func TestTextsStandOnTheirLine(t *testing.T) {
	text := func(content string, paint ...shape.Property) image.Rectangle {
		return inked(page(t, 1, shape.Text{X: 50, Y: 60, Content: content, Paint: append(paint, shape.FontSize(40))}))
	}
	h := text("H")
	if h.Min.X < 50 || h.Max.Y != 60 || h.Dy() < 26 || h.Dy() > 32 {
		t.Errorf("H covers %v", h)
	}
	if middle := text("H", shape.Middle()); middle.Min.X+middle.Max.X < 98 || middle.Min.X+middle.Max.X > 102 {
		t.Errorf("H around 50 covers %v", middle)
	}
	if p := text("p"); p.Max.Y < 66 {
		t.Errorf("p covers %v and does not descend below its line", p)
	}
	if bold := text("I", shape.Bold()); bold.Dx() <= text("I").Dx() {
		t.Errorf("a bold I covers %v", bold)
	}
	if two := text("il"); two.Dx() <= text("i").Dx() {
		t.Errorf("two letters cover %v", two)
	}
}

func TestUnknownPicturesAreErrors(t *testing.T) {
	picture := func(shapes ...shape.Shape) *shape.Picture {
		return &shape.Picture{Width: 10, Height: 10, PixelWidth: 10, PixelHeight: 10, Shapes: shapes}
	}
	for want, p := range map[string]*shape.Picture{
		"10×16385 pixels":          {Width: 10, Height: 10, PixelWidth: 10, PixelHeight: raster.MaxSide + 1},
		"0×10 pixels":              {Width: 10, Height: 10, PixelWidth: 0, PixelHeight: 10},
		`unknown property "blink"`: picture(rect(0, 0, 1, 1, shape.Property{Name: "blink"})),
		`colour is "red"`:          picture(rect(0, 0, 1, 1, shape.Fill("red"))),
		`pattern "x"`:              picture(rect(0, 0, 1, 1, shape.FillPattern("x"))),
		"unexpected 'C'":           picture(path("M0 0C1 1 2 2 3 3")),
		"unexpected 'L'":           picture(path("L1 1")),
		"invalid syntax":           picture(path("M1 x")),
		"not part of a circle":     picture(path("M1 1A1 2 0 0 0 3 3")),
		`dashes "3"`:               picture(path("M0 0L1 1", shape.Stroke("#000000"), shape.Dashes("3"))),
		`dashes "0 0"`:             picture(path("M0 0L1 1", shape.Stroke("#000000"), shape.Dashes("0 0"))),
	} {
		if _, err := raster.Paint(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want one with %s", err, want)
		}
	}
}

func TestPNGHoldsTheImage(t *testing.T) {
	v, err := games.Lookup("trench/standard")
	if err != nil {
		t.Fatal(err)
	}
	s, o := env.NewState(v.Game), render.Options{Width: 320, View: env.Second}
	var file bytes.Buffer
	if err := raster.PNG(&file, s, o); err != nil {
		t.Fatal(err)
	}
	decoded, err := png.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := raster.Image(s, o)
	if err != nil {
		t.Fatal(err)
	}
	if m.Rect.Dx() != 320 || m.Stride != 4*320 || !m.Opaque() {
		t.Errorf("image is %v with stride %d, opaque: %t", m.Rect, m.Stride, m.Opaque())
	}
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			if color.RGBAModel.Convert(decoded.At(x, y)) != m.RGBAAt(x, y) {
				t.Fatalf("pixel (%d, %d) differs in the file", x, y)
			}
		}
	}
}

func BenchmarkImage(b *testing.B) {
	for _, name := range []string{"trench/standard", "ntxuva/basic", "tankchess/16x16"} {
		v, err := games.Lookup(name)
		if err != nil {
			b.Fatal(err)
		}
		s := env.NewState(v.Game)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := raster.Image(s, render.Options{Width: 400}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
