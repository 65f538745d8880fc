package raster

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"
)

// tile is the greatest side of an area that is painted at once. The rasteriser computes
// areas up to this size with integers, so the pixels are the same on all machines.
const tile = 512

type point struct{ x, y float64 }

// matrix maps (x, y) to (a·x + c·y + e, b·x + d·y + f).
type matrix struct{ a, b, c, d, e, f float64 }

func (m matrix) of(p point) point {
	return point{m.a*p.x + m.c*p.y + m.e, m.b*p.x + m.d*p.y + m.f}
}

// then returns the matrix that applies inner first and m after it.
func (m matrix) then(inner matrix) matrix {
	x, y, o := m.of(point{inner.a, inner.b}), m.of(point{inner.c, inner.d}), m.of(point{inner.e, inner.f})
	return matrix{x.x - m.e, x.y - m.f, y.x - m.e, y.y - m.f, o.x, o.y}
}

// scale is the length in pixels of a length of 1.
func (m matrix) scale() float64 { return math.Hypot(m.a, m.b) }

// A canvas is an image under construction.
type canvas struct {
	image      *image.RGBA
	rasteriser *vector.Rasterizer
}

func newCanvas(width, height int) *canvas {
	c := &canvas{image.NewRGBA(image.Rect(0, 0, width, height)), vector.NewRasterizer(1, 1)}
	draw.Draw(c.image, c.image.Bounds(), image.White, image.Point{}, draw.Src)
	return c
}

// fill paints the union of polygons, given in pixels.
func (c *canvas) fill(polygons [][]point, colour color.NRGBA) {
	least, most := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, polygon := range polygons {
		for i, p := range polygon {
			p = point{settled(p.x), settled(p.y)}
			polygon[i] = p
			least, most = point{min(least.x, p.x), min(least.y, p.y)}, point{max(most.x, p.x), max(most.y, p.y)}
		}
	}
	if least.x > most.x {
		return
	}
	all := image.Rect(int(math.Floor(least.x)), int(math.Floor(least.y)), int(math.Ceil(most.x)), int(math.Ceil(most.y))).Intersect(c.image.Rect)
	source := image.NewUniform(colour)
	for y := all.Min.Y; y < all.Max.Y; y += tile {
		for x := all.Min.X; x < all.Max.X; x += tile {
			part := image.Rect(x, y, x+tile, y+tile).Intersect(all)
			c.rasteriser.Reset(part.Dx(), part.Dy())
			for _, polygon := range polygons {
				c.trace(polygon, float64(x), float64(y))
			}
			c.rasteriser.Draw(c.image, part, source, image.Point{})
		}
	}
}

func (c *canvas) trace(polygon []point, left, top float64) {
	for i, p := range polygon {
		x, y := float32(p.x-left), float32(p.y-top)
		if i == 0 {
			c.rasteriser.MoveTo(x, y)
		} else {
			c.rasteriser.LineTo(x, y)
		}
	}
	c.rasteriser.ClosePath()
}

// settled rounds a coordinate, so that the last bits of a sine, which differ between
// processors, do not count.
func settled(x float64) float64 { return math.Round(x*256) / 256 }
