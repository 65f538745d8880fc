package raster

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/sandtable-farm/sandtable/env/render/shape"
)

// fillPattern fills a rectangle with the tiles of a pattern. Each layer of the pattern is
// painted once over all tiles, so that transparent lines do not show where tiles meet.
func (t *painter) fillPattern(contours []contour, id string, m matrix) error {
	i := slices.IndexFunc(t.patterns, func(p shape.Pattern) bool { return p.ID == id })
	if i < 0 {
		return fmt.Errorf("pattern %q is not defined", id)
	}
	pattern := t.patterns[i]
	area := boxOf(contours)
	side := shape.Round(pattern.Side)
	for _, s := range pattern.Shapes {
		err := t.visit(s, defaults(), m, func(contours []contour, s style, m matrix) error {
			for _, layerOf := range [...]func([]contour, style, matrix) (layer, error){areaOf, outlineOf} {
				l, err := layerOf(contours, s, matrix{a: 1, d: 1})
				if err != nil {
					return err
				}
				t.tile(l, area, side, m)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// tile paints a layer, given in user units, on all tiles of an area.
func (t *painter) tile(l layer, area box, side float64, m matrix) {
	var all [][]point
	for y := math.Floor(area.top / side); y*side < area.bottom; y++ {
		for x := math.Floor(area.left / side); x*side < area.right; x++ {
			b := box{max(area.left, x*side) - x*side, max(area.top, y*side) - y*side,
				min(area.right, (x+1)*side) - x*side, min(area.bottom, (y+1)*side) - y*side}
			for _, polygon := range l.polygons {
				if part := b.clip(polygon); len(part) > 2 {
					all = append(all, matrix{1, 0, 0, 1, x * side, y * side}.ofAll([][]point{part})...)
				}
			}
		}
	}
	t.canvas.fill(m.ofAll(all), color.NRGBA(l.colour))
}

// A box is a rectangle with sides along the axes.
type box struct{ left, top, right, bottom float64 }

func boxOf(contours []contour) box {
	b := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, c := range contours {
		for _, p := range c.points {
			b = box{min(b.left, p.x), min(b.top, p.y), max(b.right, p.x), max(b.bottom, p.y)}
		}
	}
	return b
}

// clip returns the part of a polygon inside the box (Sutherland and Hodgman 1974).
func (b box) clip(polygon []point) []point {
	for _, edge := range [...]func(point) float64{
		func(p point) float64 { return p.x - b.left },
		func(p point) float64 { return b.right - p.x },
		func(p point) float64 { return p.y - b.top },
		func(p point) float64 { return b.bottom - p.y },
	} {
		polygon = cut(polygon, edge)
	}
	return polygon
}

// cut returns the part of a polygon on which depth is not negative.
func cut(polygon []point, depth func(point) float64) (part []point) {
	for i, p := range polygon {
		before := polygon[(i+len(polygon)-1)%len(polygon)]
		d, e := depth(before), depth(p)
		if (d < 0) != (e < 0) {
			at := d / (d - e)
			part = append(part, point{before.x + (p.x-before.x)*at, before.y + (p.y-before.y)*at})
		}
		if e >= 0 {
			part = append(part, p)
		}
	}
	return part
}
