// Package raster paints the pictures of package render as pixels. It is the adapter of
// golang.org/x/image, whose Go fonts it uses for texts. The shapes are those of the SVG
// files. Lines and letters are anti-aliased. Equal states give equal pixels.
package raster

import (
	"fmt"
	"image"
	"image/png"
	"io"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/render"
	"github.com/sandtable-farm/sandtable/env/render/shape"
)

// MaxSide is the greatest width and height of an image.
const MaxSide = 1 << 14

// Image returns the picture of s. It is Options.Width pixels wide and opaque; the height
// follows from the board. Pixel (x, y) begins at element 4·(y·width + x) of Pix. Image
// returns an error if s does not implement env.Diagrammer or if a side would be longer
// than MaxSide.
func Image(s env.State, o render.Options) (*image.RGBA, error) {
	p, err := render.Draw(s, o)
	if err != nil {
		return nil, err
	}
	return Paint(p)
}

// PNG writes the picture of s to w.
func PNG(w io.Writer, s env.State, o render.Options) error {
	m, err := Image(s, o)
	if err != nil {
		return err
	}
	if err := png.Encode(w, m); err != nil {
		return fmt.Errorf("picture: %w", err)
	}
	return nil
}

// Paint returns a picture as an image. It returns an error if a side would be longer
// than MaxSide, or if a shape has a property or a path that this package does not know.
func Paint(p *shape.Picture) (*image.RGBA, error) {
	width, height := int(shape.Round(p.PixelWidth)+0.5), int(shape.Round(p.PixelHeight)+0.5)
	if width < 1 || height < 1 || width > MaxSide || height > MaxSide {
		return nil, fmt.Errorf("picture of %d×%d pixels: each side must be 1 to %d", width, height, MaxSide)
	}
	fonts, err := loadFonts()
	if err != nil {
		return nil, err
	}
	c := newCanvas(width, height)
	t := &painter{canvas: c, fonts: fonts, patterns: p.Patterns}
	scale := float64(width) / p.Width
	for _, s := range p.Shapes {
		if err := t.paint(s, defaults(), matrix{a: scale, d: scale}); err != nil {
			return nil, fmt.Errorf("picture: %w", err)
		}
	}
	return c.image, nil
}
